// The engine's display link is a thread of this process that sleeps a frame's time and then tells the web processes to
// draw; while nobody wants frames it is parked. The definitions below come before the C library's. They follow what that
// one thread does, and make its sleep last until a frame is asked for.
#define _GNU_SOURCE
#include "clock_host.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum link_state { link_parked, link_runs, link_waits };

static _Atomic uint32_t is_shut;
static _Atomic uint32_t frames;
static _Atomic int state;
// What the thread is parked on.
static pthread_cond_t *_Atomic parked_on;
static _Thread_local int is_display_link;

// Nobody may wait for ever: the engine joins the thread when it has had no work for half a minute.
static const struct timespec longest = {.tv_sec = 2};

static pthread_key_t ending;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void leave(void *_) { state = link_parked; }
static void make_key(void) { pthread_key_create(&ending, leave); }

// The thread names itself before whoever started it goes on.
int prctl(int option, ...) {
  va_list arguments;
  va_start(arguments, option);
  unsigned long values[4];
  for (int i = 0; i < 4; i++) values[i] = va_arg(arguments, unsigned long);
  va_end(arguments);
  if (option == PR_SET_NAME && strncmp((const char *)values[0], "VBlank", 6) == 0) {
    is_display_link = 1;
    state = link_runs;
    pthread_once(&once, make_key);
    pthread_setspecific(ending, &is_display_link);
  }
  return (int)syscall(SYS_prctl, option, values[0], values[1], values[2], values[3]);
}

static int waits_for_frame(void) {
  if (!is_shut || !is_display_link) return 0;
  uint32_t seen = frames;
  state = link_waits;
  while (is_shut && frames == seen) {
    if (syscall(SYS_futex, &frames, FUTEX_WAIT_PRIVATE, seen, &longest, NULL, 0) != 0 && errno == ETIMEDOUT) break;
  }
  state = link_runs;
  return 1;
}

int nanosleep(const struct timespec *time, struct timespec *left) {
  if (waits_for_frame()) return 0;
  return (int)syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, time, left);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  if (waits_for_frame()) return 0;
  return syscall(SYS_clock_nanosleep, clock, flags, time, left) == 0 ? 0 : errno;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  static int (*next)(pthread_cond_t *, pthread_mutex_t *);
  if (!next) next = dlvsym(RTLD_NEXT, "pthread_cond_wait", "GLIBC_2.3.2");
  if (!is_display_link) return next(condition, mutex);
  parked_on = condition;
  state = link_parked;
  int result = next(condition, mutex);
  parked_on = NULL;
  state = link_runs;
  return result;
}

// It runs from the moment it is woken, not from the moment it notices.
static void wakes(pthread_cond_t *condition) {
  if (condition == parked_on) state = link_runs;
}

int pthread_cond_signal(pthread_cond_t *condition) {
  static int (*next)(pthread_cond_t *);
  if (!next) next = dlvsym(RTLD_NEXT, "pthread_cond_signal", "GLIBC_2.3.2");
  wakes(condition);
  return next(condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  static int (*next)(pthread_cond_t *);
  if (!next) next = dlvsym(RTLD_NEXT, "pthread_cond_broadcast", "GLIBC_2.3.2");
  wakes(condition);
  return next(condition);
}

void frame_gate_set(int shut) {
  is_shut = shut;
  if (!shut) syscall(SYS_futex, &frames, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

int frame_gate_is_wanted(void) {
  // It runs for some microseconds only, to its sleep or to its parking place, unless others keep it from running.
  for (int looks = 0; state == link_runs && looks < 100000; looks++) {
    struct timespec moment = {.tv_nsec = 10000};
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &moment, NULL);
  }
  return state == link_waits;
}

void frame_gate_pass(void) {
  state = link_runs;
  frames++;
  syscall(SYS_futex, &frames, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}
