// Turns of the threads that run workers' scripts.
#define _GNU_SOURCE
#include "thread_slots.h"

// Thread whose turn it is; NULL for none.
static struct thread_slot *_Atomic turn_holder;

// Scripts of several workers that have work at the same instant run one after the other. Otherwise the system would
// decide their order, which a page sees in the order of their messages. Each thread is held until nothing else is left
// to do at that instant, and keeps its turn until all threads rest again. Turns are given in order of creation.
static int (*may_hold)(void);
void clock_threads_hold_scripts(int (*while_)(void)) { may_hold = while_; }

void thread_drops_turn(struct thread_slot *slot) {
  struct thread_slot *holder = slot;
  atomic_compare_exchange_strong(&turn_holder, &holder, NULL);
}

void thread_waits_for_turn(void) {
  if (own_slot->kind != kind_script || !may_hold || turn_holder == own_slot || !may_hold()) return;
  struct timespec moment = {.tv_nsec = 1000000};
  own_slot->has_turn = 0;
  own_slot->changes++;
  own_slot->state = state_held;
  while (!own_slot->has_turn && may_hold()) futex_wait(&own_slot->has_turn, 0, &moment);
}

static struct thread_slot *first_held(void) {
  struct thread_slot *found = NULL;
  for (int i = 0; i < known_slots; i++) {
    struct thread_slot *slot = &thread_slots[i];
    if (slot->state == state_held && (!found || slot->creation_order < found->creation_order)) found = slot;
  }
  return found;
}

int clock_threads_hold_any(void) { return first_held() != NULL; }

int clock_threads_pass_turn(void) {
  struct thread_slot *next = first_held();
  turn_holder = next;
  if (!next) return 0;
  int held = state_held;
  // Fails if the thread has continued by itself, because threads are no longer held.
  if (!atomic_compare_exchange_strong(&next->state, &held, state_runs)) return 1;
  next->has_turn = 1;
  futex_wake(&next->has_turn, 1);
  return 1;
}
