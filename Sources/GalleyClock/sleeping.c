// Sleep of the main thread. With a stepped clock, time stands still while anything is left to do. It passes when this
// thread would sleep: from timer to timer, up to the time that the worker has asked for.
#define _GNU_SOURCE
#include "clock_threads.h"
#include "drawing.h"
#include "loop_timers.h"
#include "process.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Sets a timer of the main loop, due at a microsecond of the monotonic clock (0: at once, -1: never). The engine drops
// fractions of a microsecond, and sets a timer that comes slightly too early again, to the current instant. That would
// repeat forever if the instant didn't pass.
struct _GSource;
void g_source_set_ready_time(struct _GSource *source, int64_t ready) {
  static void (*next)(struct _GSource *, int64_t);
  if (!next) next = dlsym(RTLD_NEXT, "g_source_set_ready_time");
  if (process_is_stepped() && process_is_main_thread()) {
    ready = drawing_timer_set(source, ready);
    int64_t due = ready > 0 && ready < INT64_MAX / microsecond ? ready * microsecond : INT64_MAX;
    if (due <= process.region->now) pass_time(process.region->now + microsecond);
    loop_timers_set(source, due);
  }
  next(source, ready);
}

static int (*machine_poll)(struct pollfd *, nfds_t, int);
// Number of times that the main thread found something to do.
static uint32_t wake_ups;

static int poll_now(struct pollfd *files, nfds_t count) {
  int ready = machine_poll(files, count, 0);
  return ready < 0 && errno == EINTR ? 0 : ready;
}

// Number of empty polls after which a microsecond passes. Timers are due in fractions of a microsecond but sleep in
// whole ones, so that one may come slightly too early and sleep for no time, over and over. Work of one instant also
// polls between its parts, which must not let time pass, so only polls without a sleep or an event between them are
// counted.
static const int most_polls = 1000;

static int polls;

static void creep(void) {
  if (++polls < most_polls) return;
  polls = 0;
  pass_time(process.region->now + microsecond);
}

static int64_t earliest(int64_t one, int64_t other) { return one < other ? one : other; }

// Number of messages sent before the last answer to the worker, which has checked their receivers since.
static uint32_t sent_before;

// Gives the turn to the next waiting script: at once on the way to the target, and at the target only when the worker
// allows it, after it has checked all processes.
static int pass_turn(int64_t now) {
  static uint32_t passed;
  uint32_t allowed = process.region->allowed;
  if (now == process.region->target && allowed == passed) return 0;
  passed = allowed;
  return clock_threads_pass_turn();
}

// Lets time pass to the next timer of this thread or of a script's thread, or to the target. Returns false if no time
// is left to pass, or if another process may answer first: the worker then checks all processes before it asks again.
static int let_time_pass(int64_t due) {
  if (!process_is_stepped() || messages_sent() != sent_before) return 0;
  if (process.region->answer == process.region->request) return 0;
  int64_t now = process.region->now;
  // A script that waits for its turn may have work at this instant.
  if (now < due && pass_turn(now)) return 1;
  int64_t until = earliest(earliest(process.region->target, due), clock_threads_next_timer());
  if (now >= until) return 0;
  pass_time(until);
  clock_threads_wake_due(until);
  return 1;
}

static void say_at_rest(int64_t due) {
  uint32_t request = process.region->request;
  if (process.region->answer == request) return;
  uint32_t sent = messages_sent();
  if (process_is_stepped() && process.region->now < process.region->target && sent == sent_before) return;
  sent_before = sent;
  process.region->wake_ups = wake_ups + clock_threads_wake_ups();
  process.region->given_up = clock_threads_given_up();
  process.region->holds = clock_threads_hold_any();
  process.region->due = earliest(due, clock_threads_next_timer());
  process.region->answer = request;
  (void)!write(process.rest, "r", 1);
}

// Returns the time for which the main thread sleeps before it checks the other threads again. The interval grows, as
// they may work for a page for long.
static const int most_glances = 30;
static int glances;
static int64_t glance(void) { return (++glances < most_glances ? 30 : 300) * microsecond; }

// Returns the longest wait for events; negative for no limit.
static int64_t time_left(int64_t due) {
  if (process.region->answer != process.region->request) return glance();
  if (due == INT64_MAX || process_is_stepped()) return -1;
  int64_t left = due - machine_time(CLOCK_MONOTONIC);
  return left > 0 ? left : 0;
}

// Waits for an event here or a request of the worker, or until the other threads are to be checked again.
static int wait_for_work(struct pollfd *files, nfds_t count, int64_t due) {
  struct pollfd all[count + 1];
  memcpy(all, files, count * sizeof *files);
  all[count] = (struct pollfd){.fd = process.kick, .events = POLLIN};
  int64_t left = time_left(due);
  struct timespec wait = timespec_of(left);
  int ready = (int)syscall(SYS_ppoll, all, count + 1, left < 0 ? NULL : &wait, NULL, 0);
  if (ready <= 0) return ready < 0 && errno != EINTR ? ready : 0;
  memcpy(files, all, count * sizeof *files);
  if (!all[count].revents) return ready;
  char drain[64];
  (void)!read(process.kick, drain, sizeof drain);
  return ready - 1;
}

// Returns the end of a sleep of `timeout` milliseconds; a negative number is forever.
static int64_t end_of_sleep(int timeout) {
  int64_t now = process_time();
  int64_t end = timeout < 0 ? INT64_MAX : now + timeout * millisecond;
  return process_is_stepped() ? earliest(end, loop_timers_next(now)) : end;
}

static int sleep_and_answer(struct pollfd *files, nfds_t count, int timeout) {
  int64_t due = end_of_sleep(timeout);
  forget_time_queries();
  for (;;) {
    // Threads that rest before and after the poll, and haven't woken in between, have handed nothing over since the
    // poll.
    uint32_t before = clock_threads_wake_ups();
    int rested = timeout != 0 && process_is_watched() && clock_threads_rest(process_time(), poll_now);
    int ready = poll_now(files, count);
    if (ready != 0 || timeout != 0) polls = 0;
    if (ready != 0 || !process_is_watched()) return ready;
    if (timeout == 0) {
      if (process_is_stepped()) creep();
      return 0;
    }
    int rests = rested && clock_threads_rest(process_time(), poll_now) && clock_threads_wake_ups() == before;
    if (rests) glances = 0;
    if (!rests || !let_time_pass(due)) {
      if (rests) say_at_rest(due);
      if (process_time() < due) ready = wait_for_work(files, count, due);
      if (ready != 0) return ready;
    }
    if (process_time() >= due) return 0;
  }
}

int poll(struct pollfd *files, nfds_t count, int timeout) {
  if (!machine_poll) machine_poll = dlsym(RTLD_NEXT, "poll");
  if (!process_is_watched() || count > CLOCK_MOST_FILES) return machine_poll(files, count, timeout);
  if (process_is_main_thread() && process.generation == process.region->generation) {
    int ready = sleep_and_answer(files, count, timeout);
    if (ready > 0) wake_ups++;
    return ready;
  }
  clock_thread_polls(files, count, timeout);
  int ready = machine_poll(files, count, timeout);
  if (timeout != 0) clock_thread_runs_in_turn();
  return ready;
}
