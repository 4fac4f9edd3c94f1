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

// Says where the calling thread is about to park, which holds the lock of the condition.
static inline uint32_t parking_enter(struct parking *parking, pthread_cond_t *condition) {
  uint32_t seen = parking->wakes;
  parking->on = condition;
  return seen;
}

// Sleeps until woken since it entered, or for so long; 0, or the C library's error.
static inline int parking_sleep(struct parking *parking, uint32_t seen, pthread_mutex_t *mutex, const struct timespec *longest) {
  pthread_mutex_unlock(mutex);
  syscall(SYS_futex, &parking->wakes, FUTEX_WAIT_PRIVATE, seen, longest, NULL, 0);
  int result = pthread_mutex_lock(mutex);
  parking->on = NULL;
  return result;
}

// Wakes whoever is parked there; what says that it sleeps has been changed by then.
static inline void parking_wake(struct parking *parking) {
  parking->wakes++;
  syscall(SYS_futex, &parking->wakes, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
