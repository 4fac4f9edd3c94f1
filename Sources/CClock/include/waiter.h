#pragma once
#include "futex.h"

#include <pthread.h>
#include <stdatomic.h>

// Watched wait of one thread for a condition.
//
// The thread counts as awake from the moment it is woken, not from the moment it notices. A wake that comes before it
// sleeps must therefore reach it; otherwise it would count as awake, sleep on, and be waited for. It sleeps on a count
// of its own rather than on the condition, and sometimes wakes without a reason, as waits for conditions may.
struct waiter {
  // Condition that the thread waits for; NULL for none.
  pthread_cond_t *_Atomic on;
  // Number of times that it was woken.
  _Atomic uint32_t wakes;
};

// Begins a wait of the calling thread: sets its state to `asleep` and releases the condition's lock, which it holds.
// Returns the number of wakes so far.
static inline uint32_t waiter_begin(
    struct waiter *waiter, _Atomic int *state, int asleep, pthread_cond_t *condition, pthread_mutex_t *mutex) {
  uint32_t seen = waiter->wakes;
  waiter->on = condition;
  *state = asleep;
  pthread_mutex_unlock(mutex);
  return seen;
}

// Sleeps until there are more than `seen` wakes, at most for `longest`; NULL sets no limit.
static inline void waiter_sleep(struct waiter *waiter, uint32_t seen, const struct timespec *longest) {
  futex_wait(&waiter->wakes, seen, longest);
}

// Ends the wait and takes the lock again; the caller sets the next state. Returns 0 or the C library's error.
static inline int waiter_end(struct waiter *waiter, pthread_mutex_t *mutex) {
  int result = pthread_mutex_lock(mutex);
  waiter->on = NULL;
  return result;
}

// Lets the thread, if it sleeps, check whether its wait is over.
static inline void waiter_recheck(struct waiter *waiter) {
  futex_wake(&waiter->wakes, 1);
}

// Wakes the thread if it waits for this condition, and sets its state to `awake`.
static inline void waiter_wake(
    struct waiter *waiter, _Atomic int *state, int asleep, int awake, pthread_cond_t *condition) {
  if (condition != waiter->on) return;
  atomic_compare_exchange_strong(state, &asleep, awake);
  waiter->wakes++;
  futex_wake(&waiter->wakes, 1);
}
