// Time in a web process, as its worker sets it. This library is loaded ahead of the C library and answers all time
// queries, in every thread: of scripts, animations, videos and the engine's own timers. Until a worker steps the clock,
// and in every other program that loads the library, the answer is machine time.
#define _GNU_SOURCE
#include "clock_threads.h"
#include "process.h"

#include <dlfcn.h>
#include <sys/time.h>

static int is_time_of_day(clockid_t clock) {
  return is_wall_clock(clock) || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE ||
      clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_BOOTTIME;
}

// Counts a time query. A script that waits by asking for the time over and over would never end, so time passes after
// many queries. The engine also asks often while it removes the previous page, when time should stand still.
static uint32_t time_queries;
static const uint32_t most_between_pages = 100 * CLOCK_MOST_TIME_QUERIES;

static void count_query(void) {
  if (!process_is_main_thread()) return clock_thread_queries_time();
  if (++time_queries < (process.region->has_document ? CLOCK_MOST_TIME_QUERIES : most_between_pages)) return;
  pass_time(process.region->now + 10 * microsecond);
}

void forget_time_queries(void) { time_queries = 0; }

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*next)(clockid_t, struct timespec *);
  if (process_is_stepped() && is_time_of_day(clock)) {
    count_query();
    *time = timespec_of(stepped_time(clock));
    return 0;
  }
  if (!next) next = dlsym(RTLD_NEXT, "clock_gettime");
  return next(clock, time);
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / microsecond};
  return 0;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}
