// Time in a web process, as its worker wants it. Loaded ahead of the C library, it answers whoever asks for the time:
// scripts, animations, films and the engine's own timers alike, in every thread. Until a worker steps the clock, and in
// every other program that it is loaded into, it is the machine's.
//
// With a stepped clock time stands still while anything is left to do, and passes when the main thread would sleep:
// from timer to timer, up to the instant that the worker has asked for.

#define _GNU_SOURCE
#include "GalleyClock.h"
#include "clock_region.h"
#include "clock_threads.h"
#include "loop_timers.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t second = 1000000000;
static const int64_t millisecond = 1000000;
static const int64_t microsecond = 1000;

static struct clock_region *region;
static uint32_t generation;
static int kick = -1;
static int rest = -1;

int galley_clock_join(const char *folder) {
  char path[512];
  struct stat status;
  snprintf(path, sizeof path, "%s/%s", folder, CLOCK_REGION_FILE);
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return errno;
  void *memory = MAP_FAILED;
  if (fstat(file, &status) == 0 && status.st_size >= (off_t)sizeof(struct clock_region))
    memory = mmap(NULL, sizeof(struct clock_region), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return EIO;
  snprintf(path, sizeof path, "%s/%s", folder, CLOCK_KICK_FILE);
  kick = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  snprintf(path, sizeof path, "%s/%s", folder, CLOCK_REST_FILE);
  rest = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (kick < 0 || rest < 0) return errno;
  region = memory;
  generation = ++region->generation;
  return 0;
}

// The network process has no extension to join the clock for it.
__attribute__((constructor)) static void join_as_network_process(void) {
  char program[512];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  const char *folder = getenv(CLOCK_NETWORK_VARIABLE);
  if (length < 0 || !folder) return;
  program[length] = 0;
  const char *name = strrchr(program, '/');
  if (!name || strcmp(name + 1, "WebKitNetworkProcess") != 0 || galley_clock_join(folder) != 0) return;
  clock_threads_count_all();
  region->mode = clock_watched;
}

static int is_stepped(void) { return region && region->mode == clock_stepped; }
static int is_watched(void) { return region && region->mode != clock_off; }

static int is_main_thread(void) {
  static _Thread_local int known = -1;
  return known >= 0 ? known : (known = gettid() == getpid());
}

// The machine's time, past the functions below.
static int64_t machine_time(clockid_t clock) {
  struct timespec time;
  syscall(SYS_clock_gettime, clock, &time);
  return time.tv_sec * second + time.tv_nsec;
}

static struct timespec timespec_of(int64_t time) {
  return (struct timespec){.tv_sec = time / second, .tv_nsec = time % second};
}

static int is_wall_clock(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }

static int is_time_of_day(clockid_t clock) {
  return is_wall_clock(clock) || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE ||
      clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_BOOTTIME;
}

static int64_t stepped_time(clockid_t clock) { return region->now + (is_wall_clock(clock) ? region->wall : 0); }

static void pass_time(int64_t now) {
  region->now = now;
  if (region->target < now) region->target = now;
}

// A script that waits by asking for the time over and over would never end; to such a one time passes as it asks. The
// engine asks often as well while it clears the page before away, when time ought to stand still.
static uint32_t looks;
static const uint32_t most_looks = 50000, most_looks_between_pages = 5000000;

static void look(void) {
  if (!is_main_thread()) return clock_thread_looks();
  if (++looks < (region->has_document ? most_looks : most_looks_between_pages)) return;
  pass_time(region->now + 10 * microsecond);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*next)(clockid_t, struct timespec *);
  if (is_stepped() && is_time_of_day(clock)) {
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

// To load takes time everywhere. A script that finds its document at the very instant of its beginning takes the 0 for a
// clock that isn't there, as `performance.now() || Date.now()` does, and counts with both from then on. Scripts see whole
// milliseconds, so that there has to be more than one.
static const int64_t loading = 1500 * microsecond;

void galley_clock_document_begins(void) {
  if (!is_stepped() || generation != region->generation) return;
  region->has_document = 1;
  pass_time(region->now + loading);
}

// The main loop's timers, set to be due at a microsecond of the monotonic clock, at once at 0, or never at -1. The engine
// cuts off what is less than a microsecond, and a timer that finds itself a hair too early is set anew, to this very
// instant: over and over, were that not to pass.
struct _GSource;
void g_source_set_ready_time(struct _GSource *source, int64_t ready) {
  static void (*next)(struct _GSource *, int64_t);
  if (!next) next = dlsym(RTLD_NEXT, "g_source_set_ready_time");
  if (is_stepped() && is_main_thread()) {
    int64_t due = ready > 0 && ready < INT64_MAX / microsecond ? ready * microsecond : INT64_MAX;
    if (due <= region->now) pass_time(region->now + microsecond);
    loop_timers_set(source, due);
  }
  next(source, ready);
}

// Sleeping. Only the main thread's sleep passes time.

static int (*machine_poll)(struct pollfd *, nfds_t, int);
// How often the main thread found something to do.
static uint32_t turns;

static int poll_now(struct pollfd *files, nfds_t count) {
  int ready = machine_poll(files, count, 0);
  return ready < 0 && errno == EINTR ? 0 : ready;
}

// Timers are due in fractions of a microsecond but sleep in whole ones, so that one may find itself a hair too early
// and sleep for no time, over and over. Work of one instant polls as often as it has parts, which must not pass time:
// only polls are counted between which nobody slept and nothing came.
static const int most_polls = 1000;

static int polls;

static void creep(void) {
  if (++polls < most_polls) return;
  polls = 0;
  pass_time(region->now + microsecond);
}

static int64_t earliest(int64_t one, int64_t other) { return one < other ? one : other; }

// Lets time pass up to the target, to when this thread or a script's is due; false when there is none left to pass.
static int let_time_pass(int64_t due) {
  if (!is_stepped()) return 0;
  int64_t now = region->now;
  int64_t until = earliest(earliest(region->target, due), clock_threads_next_timer());
  if (now >= until) return 0;
  pass_time(until);
  return 1;
}

static void say_at_rest(int64_t due) {
  uint32_t request = region->request;
  if (region->answer == request || (is_stepped() && region->now < region->target)) return;
  region->turns = turns + clock_threads_turns();
  region->given_up = clock_threads_given_up();
  region->due = earliest(due, clock_threads_next_timer());
  region->answer = request;
  (void)!write(rest, "r", 1);
}

// How long the main thread sleeps before it looks again whether the other threads rest, which what they do for a page
// may keep them from for long.
static const int most_glances = 30;
static int glances;
static int64_t glance(void) { return (++glances < most_glances ? 30 : 300) * microsecond; }

// How long to wait for what is due; negative for as long as it takes.
static int64_t time_left(int64_t due) {
  if (region->answer != region->request) return glance();
  if (due == INT64_MAX || is_stepped()) return -1;
  int64_t left = due - machine_time(CLOCK_MONOTONIC);
  return left > 0 ? left : 0;
}

// Waits until something happens here or the worker asks for more; in between looks whether the other threads rest.
static int wait_for_work(struct pollfd *files, nfds_t count, int64_t due) {
  struct pollfd all[CLOCK_MOST_FILES + 1];
  memcpy(all, files, count * sizeof *files);
  all[count] = (struct pollfd){.fd = kick, .events = POLLIN};
  int64_t left = time_left(due);
  struct timespec wait = timespec_of(left);
  int ready = (int)syscall(SYS_ppoll, all, count + 1, left < 0 ? NULL : &wait, NULL, 0);
  if (ready <= 0) return ready < 0 && errno != EINTR ? ready : 0;
  memcpy(files, all, count * sizeof *files);
  if (!all[count].revents) return ready;
  char drain[64];
  (void)!read(kick, drain, sizeof drain);
  return ready - 1;
}

static int64_t own_time(void) { return is_stepped() ? region->now : machine_time(CLOCK_MONOTONIC); }

// When a sleep of so many milliseconds ends, or forever for a negative number.
static int64_t end_of_sleep(int timeout) {
  int64_t now = own_time();
  int64_t end = timeout < 0 ? INT64_MAX : now + timeout * millisecond;
  return is_stepped() ? earliest(end, loop_timers_next(now)) : end;
}

static int sleep_and_answer(struct pollfd *files, nfds_t count, int timeout) {
  int64_t due = end_of_sleep(timeout);
  looks = 0;
  for (;;) {
    // Who rests before and after, and hasn't woken in between, has handed nothing over since it was looked for.
    uint32_t before = clock_threads_turns();
    int rested = timeout != 0 && is_watched() && clock_threads_rest(own_time(), poll_now);
    int ready = poll_now(files, count);
    if (ready != 0 || timeout != 0) polls = 0;
    if (ready != 0 || !is_watched()) return ready;
    if (timeout == 0) {
      if (is_stepped()) creep();
      return 0;
    }
    int rests = rested && clock_threads_rest(own_time(), poll_now) && clock_threads_turns() == before;
    if (rests) glances = 0;
    if (!rests || !let_time_pass(due)) {
      if (rests) say_at_rest(due);
      if (own_time() < due) ready = wait_for_work(files, count, due);
      if (ready != 0) return ready;
    }
    if (own_time() >= due) return 0;
  }
}

int poll(struct pollfd *files, nfds_t count, int timeout) {
  if (!machine_poll) machine_poll = dlsym(RTLD_NEXT, "poll");
  if (!is_watched() || count > CLOCK_MOST_FILES) return machine_poll(files, count, timeout);
  if (is_main_thread() && generation == region->generation) {
    int ready = sleep_and_answer(files, count, timeout);
    if (ready > 0) turns++;
    return ready;
  }
  clock_thread_polls(files, count);
  int ready = machine_poll(files, count, timeout);
  clock_thread_runs();
  return ready;
}

// Waiting for a condition. An instant to wait until is one of the stepped clock, the C library knows the machine's.

static int64_t instant_of(const struct timespec *time) { return time->tv_sec * second + time->tv_nsec; }

static int64_t distance(int64_t one, int64_t other) { return one < other ? other - one : one - other; }

// Which clock a condition was made with can't be asked; its instants are near one or the other.
static clockid_t clock_of(int64_t instant) {
  int64_t to_wall = distance(instant, stepped_time(CLOCK_REALTIME));
  return to_wall < distance(instant, region->now) ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

typedef int timed_wait(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);

// A script's worker sleeps until the stepped clock has come to its timer; other threads as long as they meant to.
static int wait_until(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time, timed_wait *wait) {
  int64_t until = instant_of(time) - (is_wall_clock(clock) ? region->wall : 0);
  int64_t left = until - region->now;
  if (clock_thread_is_script()) {
    if (left <= 0) return ETIMEDOUT;
    struct timespec longest = timespec_of(millisecond);
    if (clock_thread_parks()) return clock_thread_waits(condition, mutex, until, &longest);
  }
  if (left < 0) left = 0;
  if (clock_thread_parks()) {
    int64_t end = machine_time(CLOCK_MONOTONIC) + left;
    struct timespec longest = timespec_of(left);
    int result = clock_thread_waits(condition, mutex, INT64_MAX, &longest);
    return result == 0 && machine_time(CLOCK_MONOTONIC) >= end ? ETIMEDOUT : result;
  }
  struct timespec then = timespec_of(machine_time(clock) + left);
  return wait(condition, mutex, clock, &then);
}

static int plain_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time) {
  static int (*next)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  (void)clock;
  if (!next) next = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  return next(condition, mutex, time);
}

static int clock_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time) {
  static int (*next)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
  if (!next) next = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
  return next(condition, mutex, clock, time);
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict time) {
  if (!is_stepped()) return plain_wait(condition, mutex, CLOCK_REALTIME, time);
  return wait_until(condition, mutex, clock_of(instant_of(time)), time, plain_wait);
}

int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock, const struct timespec *restrict time) {
  if (!is_stepped()) return clock_wait(condition, mutex, clock, time);
  return wait_until(condition, mutex, clock, time, clock_wait);
}

int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) {
  static int (*next)(pthread_cond_t *, pthread_mutex_t *);
  if (!next) next = dlvsym(RTLD_NEXT, "pthread_cond_wait", "GLIBC_2.3.2");
  if (!is_stepped() || !clock_thread_parks()) return next(condition, mutex);
  return clock_thread_waits(condition, mutex, INT64_MAX, NULL);
}

int pthread_cond_signal(pthread_cond_t *condition) {
  static int (*next)(pthread_cond_t *);
  if (!next) next = dlvsym(RTLD_NEXT, "pthread_cond_signal", "GLIBC_2.3.2");
  clock_threads_wake(condition);
  return next(condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  static int (*next)(pthread_cond_t *);
  if (!next) next = dlvsym(RTLD_NEXT, "pthread_cond_broadcast", "GLIBC_2.3.2");
  clock_threads_wake(condition);
  return next(condition);
}

// A thread that has just begun, with something to do, names itself before whoever made it goes on.
int prctl(int option, ...) {
  va_list arguments;
  va_start(arguments, option);
  unsigned long values[4];
  for (int i = 0; i < 4; i++) values[i] = va_arg(arguments, unsigned long);
  va_end(arguments);
  int result = (int)syscall(SYS_prctl, option, values[0], values[1], values[2], values[3]);
  if (option == PR_SET_NAME && is_watched()) clock_thread_begins();
  return result;
}

// Painting. Each frame the engine paints what has changed into memory that it shares with the worker, which is most of
// what a frame costs. While nobody looks there is no such memory: the frame's scripts, styles and layout have been done
// by then, and what has changed is kept for the next.

static int is_picture(int protection, int flags, int file) {
  // Other threads share messages that are too long for a socket, and fonts are mapped to be read.
  if (file < 0 || !(protection & PROT_WRITE) || !(flags & MAP_SHARED) || !is_main_thread()) return 0;
  char link[32], target[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, target, sizeof target);
  static const char name[] = "/memfd:WebKitSharedMemory";
  return length >= (ssize_t)sizeof name - 1 && strncmp(target, name, sizeof name - 1) == 0;
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
  if (is_stepped() && region->is_unseen && is_picture(protection, flags, file)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return (void *)syscall(SYS_mmap, address, length, protection, flags, file, offset);
}
