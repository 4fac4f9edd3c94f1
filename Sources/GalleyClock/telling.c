// Time in a web process, as its worker wants it. Loaded ahead of the C library, it answers whoever asks for the time:
// scripts, animations, films and the engine's own timers alike, in every thread. Until a worker steps the clock, and in
// every other program that it is loaded into, it is the machine's.
#define _GNU_SOURCE
#include "clock_threads.h"
#include "process.h"

#include <dlfcn.h>
#include <sys/time.h>

static int is_time_of_day(clockid_t clock) {
  return is_wall_clock(clock) || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE ||
      clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_BOOTTIME;
}

// A script that waits by asking for the time over and over would never end; to such a one time passes as it asks. The
// engine asks often as well while it clears the page before away, when time ought to stand still.
static uint32_t looks;
static const uint32_t most_looks_between_pages = 100 * CLOCK_MOST_LOOKS;

static void look(void) {
  if (!process_is_main_thread()) return clock_thread_looks();
  if (++looks < (process.region->has_document ? CLOCK_MOST_LOOKS : most_looks_between_pages)) return;
  pass_time(process.region->now + 10 * microsecond);
}

void forget_looks(void) { looks = 0; }

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*next)(clockid_t, struct timespec *);
  if (process_is_stepped() && is_time_of_day(clock)) {
    look();
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
