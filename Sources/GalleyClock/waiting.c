// Waits for conditions, in any thread. The end of a timed wait is a time of the stepped clock, while the C library uses
// machine time.
#define _GNU_SOURCE
#include "clock_threads.h"
#include "conditions.h"
#include "next_function.h"
#include "process.h"

#include <dlfcn.h>
#include <errno.h>

static int64_t instant_of(const struct timespec *time) { return time->tv_sec * second + time->tv_nsec; }

static int64_t distance(int64_t one, int64_t other) { return one < other ? other - one : one - other; }

// Guesses the clock of a condition, which can't be queried, from the clock that the time is nearer to.
static clockid_t clock_of(int64_t instant) {
  int64_t to_wall = distance(instant, stepped_time(CLOCK_REALTIME));
  return to_wall < distance(instant, process.region->now) ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

typedef int timed_wait(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);

// Start of the main thread's wait for a condition, in machine time; 0 while it doesn't wait.
static _Atomic int64_t main_waits_since;

// Tells if workers' scripts wait for their turns. A main thread that waits for one of them can't give a turn.
static int holds_scripts(void) {
  static const int64_t patience = 100 * millisecond;
  if (!process_is_stepped() || process.generation != process.region->generation || !process.region->has_document) return 0;
  int64_t since = main_waits_since;
  return !since || machine_time(CLOCK_MONOTONIC) - since < patience;
}

__attribute__((constructor)) static void hold_scripts(void) { clock_threads_hold_scripts(holds_scripts); }

static int is_due(int64_t until) { return !process_is_stepped() || until <= process.region->now; }

// Largest error, in nanoseconds, of times that the engine gives as seconds since 1970 in a double. A thread that woke
// too early would find its timer not due and check again forever, in time that stands still.
static const int64_t wall_rounding = 500;

// Waits until a time: a worker's script until the stepped clock reaches it, other threads for as long in machine time.
static int wait_until(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time, timed_wait *wait) {
  int64_t until = instant_of(time) - (is_wall_clock(clock) ? process.region->wall : 0);
  int64_t left = until - process.region->now;
  if (clock_thread_is_script()) {
    if (is_wall_clock(clock)) until += wall_rounding;
    if (until <= process.region->now) return ETIMEDOUT;
    struct timespec longest = timespec_of(millisecond);
    if (clock_thread_is_waiter()) return clock_thread_waits(condition, mutex, until, &longest, is_due);
  }
  if (left < 0) left = 0;
  if (clock_thread_is_waiter()) {
    int64_t end = machine_time(CLOCK_MONOTONIC) + left;
    struct timespec longest = timespec_of(left);
    int result = clock_thread_waits(condition, mutex, INT64_MAX, &longest, NULL);
    return result == 0 && machine_time(CLOCK_MONOTONIC) >= end ? ETIMEDOUT : result;
  }
  struct timespec then = timespec_of(machine_time(clock) + left);
  if (!process_is_main_thread()) return wait(condition, mutex, clock, &then);
  main_waits_since = machine_time(CLOCK_MONOTONIC);
  int result = wait(condition, mutex, clock, &then);
  main_waits_since = 0;
  return result;
}

static int plain_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time) {
  static int (*next)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  (void)clock;
  clock_thread_is_known();
  if (!next) next = next_condition_function("pthread_cond_timedwait");
  return next(condition, mutex, time);
}

static int clock_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time) {
  static int (*next)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
  clock_thread_is_known();
  if (!next) next = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
  return next(condition, mutex, clock, time);
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict time) {
  if (!process_is_stepped()) return plain_wait(condition, mutex, CLOCK_REALTIME, time);
  return wait_until(condition, mutex, clock_of(instant_of(time)), time, plain_wait);
}

int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock, const struct timespec *restrict time) {
  if (!process_is_stepped()) return clock_wait(condition, mutex, clock, time);
  return wait_until(condition, mutex, clock, time, clock_wait);
}

int condition_is_watched(void) {
  if (process_is_stepped()) return process_is_main_thread() || clock_thread_is_waiter();
  clock_thread_is_known();
  return 0;
}

int condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  if (!process_is_main_thread()) return clock_thread_waits(condition, mutex, INT64_MAX, NULL, NULL);
  static int (*next)(pthread_cond_t *, pthread_mutex_t *);
  if (!next) next = next_condition_function("pthread_cond_wait");
  main_waits_since = machine_time(CLOCK_MONOTONIC);
  int result = next(condition, mutex);
  main_waits_since = 0;
  return result;
}

void condition_wakes(pthread_cond_t *condition) {
  clock_threads_wake_waiters(condition);
  clock_thread_answers();
}

void thread_is_named(const char *name) {
  (void)name;
  random_begins_in_named_thread();
  if (process_is_watched()) return clock_thread_begins();
  clock_thread_is_known();
}
