#pragma once
#include "clock_threads.h"
#include "waiter.h"

#pragma GCC visibility push(hidden)

// Table of the watched threads, shared by thread_slots.c, thread_turns.c and thread_rest.c.

enum thread_kind {
  // Not determined yet.
  kind_unknown,
  // Not watched.
  kind_other,
  // Carries messages between processes or threads.
  kind_messages,
  // Runs a worker's script.
  kind_script,
  // Worker threads serve page requests and sleep in between.
  kind_work,
  // Helper threads compile scripts and collect garbage. A script that waits for one looks as if it had nothing to do.
  kind_helper,
  // Short-lived threads serve one request and exit.
  kind_short_lived,
};

enum thread_state {
  state_free,
  state_runs,
  // Sleeps in poll().
  state_polls,
  // Waits for a condition.
  state_waits,
  // Sleeps on a word of memory, a futex.
  state_sleeps,
  // Waits for its turn.
  state_held,
};

// Duration that repeated checks have waited for something, in milliseconds of machine time.
struct wait {
  // Start of the wait; 0 for none.
  int64_t since;
  // Last check.
  int64_t seen;
};

struct thread_slot {
  // An enum thread_state.
  _Atomic int state;
  _Atomic int64_t until;
  // Number of times that the thread fell asleep or woke.
  _Atomic uint32_t changes;
  _Atomic nfds_t file_count;
  struct waiter waiter;
  // An enum thread_kind. Like the other members that a thread sets when it takes the slot, it may be read meanwhile.
  _Atomic int kind;
  // Position among the threads of the process in order of creation.
  _Atomic uint32_t creation_order;
  // Set when the held thread gets its turn.
  _Atomic uint32_t has_turn;
  // Number of times that the script has asked for the time since it woke.
  _Atomic uint32_t time_queries;
  // Processor clock, which others can read until the thread ends, and number in /proc.
  _Atomic clockid_t processor_clock;
  _Atomic pid_t tid;
  // Futex that the thread sleeps on, its position among all sleeps, and if it has been woken.
  _Atomic(const void *) word;
  _Atomic uint64_t sleep_order;
  _Atomic int is_woken;
  // Used by the checking thread only: time for which the thread has been found busy, and its processor time and work at
  // the beginning of that time.
  struct wait busy;
  int64_t processor_before;
  int64_t worked_before;
  // Work before that, in the same busy stretch.
  int64_t worked;
  // Polled files, of which the first `file_count` are valid. Pages of the table that are never written take no memory.
  struct pollfd files[CLOCK_MOST_FILES];
};

#define MOST_SLOTS 256
extern struct thread_slot thread_slots[MOST_SLOTS];
// Number of slots at the start of the table that have ever been taken.
extern _Atomic int known_slots;
// Number of slots taken by scripts' threads.
extern _Atomic int script_threads;
// Slot of the calling thread; NULL for none.
extern _Thread_local struct thread_slot *own_slot;
// Number of new threads of which it isn't known yet what they will do.
extern _Atomic int unknown_threads;

// Holds the calling thread, which has a slot, until it has its turn. Returns at once if it runs no script.
void thread_waits_for_turn(void);
// Takes the turn from a thread that ends.
void thread_drops_turn(struct thread_slot *slot);

#pragma GCC visibility pop
