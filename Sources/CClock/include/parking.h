#pragma once
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Where a thread sleeps that is watched while it waits for a condition.
//
// It is awake from the moment it is woken, not from the moment it notices. A wake that comes before it sleeps must
// reach it: one that was taken to be woken and slept on would be waited for. So it sleeps on a count of its own rather
// than on the condition, and wakes without a reason at times, as those who wait for conditions may.
struct parking {
  // What it is parked on; NULL for nothing.
  pthread_cond_t *_Atomic on;
  // How often it was woken there.
  _Atomic uint32_t wakes;
};

// Parks the calling thread, which holds the condition's lock, with `asleep` for its state. How often it had been woken.
static inline uint32_t parking_begin(
    struct parking *parking, _Atomic int *state, int asleep, pthread_cond_t *condition, pthread_mutex_t *mutex) {
  uint32_t seen = parking->wakes;
  parking->on = condition;
  *state = asleep;
  pthread_mutex_unlock(mutex);
  return seen;
}

// Sleeps until it is woken once more than that, or for so long.
static inline void parking_sleep(struct parking *parking, uint32_t seen, const struct timespec *longest) {
  syscall(SYS_futex, &parking->wakes, FUTEX_WAIT_PRIVATE, seen, longest, NULL, 0);
}

// Takes the lock again. What it is now is its own to say. 0, or the C library's error.
static inline int parking_end(struct parking *parking, pthread_mutex_t *mutex) {
  int result = pthread_mutex_lock(mutex);
  parking->on = NULL;
  return result;
}

// Has whoever sleeps there see whether it is time to wake.
static inline void parking_look(struct parking *parking) {
  syscall(SYS_futex, &parking->wakes, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

// Wakes whoever is parked there on the condition, and has it be `awake` from now on.
static inline void parking_wake(
    struct parking *parking, _Atomic int *state, int asleep, int awake, pthread_cond_t *condition) {
  if (condition != parking->on) return;
  atomic_compare_exchange_strong(state, &asleep, awake);
  parking->wakes++;
  syscall(SYS_futex, &parking->wakes, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
