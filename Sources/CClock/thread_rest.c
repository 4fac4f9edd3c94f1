// Decides if all watched threads sleep with nothing to do.
#define _GNU_SOURCE
#include "thread_slots.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic uint32_t given_up;
uint32_t clock_threads_given_up(void) { return given_up; }

// Copies the files that a thread polls. They may change meanwhile; the caller then discards the copy.
__attribute__((no_sanitize("thread"))) static nfds_t copy_files(const struct thread_slot *slot, struct pollfd *files) {
  nfds_t count = slot->file_count;
  for (nfds_t i = 0; i < count; i++) files[i] = slot->files[i];
  return count;
}

static int rests(struct thread_slot *slot, int64_t now, int (*poll_now)(struct pollfd *, nfds_t)) {
  if (slot->kind == kind_helper && !script_threads) return 1;
  uint32_t changes = slot->changes;
  switch (slot->state) {
    case state_free:
      return 1;
    case state_polls: {
      struct pollfd files[CLOCK_MOST_FILES];
      nfds_t count = copy_files(slot, files);
      return poll_now(files, count) == 0 && slot->changes == changes;
    }
    case state_waits:
      return slot->until > now;
    case state_sleeps:
      return !slot->is_woken;
    case state_held:
      return 1;
    default:
      // A script that only asks for the time, over and over, is waiting.
      return slot->time_queries >= CLOCK_MOST_TIME_QUERIES;
  }
}

static int64_t milliseconds(clockid_t clock) {
  struct timespec time;
  // Fails for the clock of a thread that has just ended.
  if (syscall(SYS_clock_gettime, clock, &time)) return 0;
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

// Milliseconds in which the system starts a woken thread, unless the machine is very busy.
static const int64_t longest_waking = 50;

// Returns the duration of a wait that is checked repeatedly. A longer pause between two checks counts as
// `longest_pause`, because the checking thread did other work in it and waited for nobody.
static int64_t waited(struct wait *wait, int64_t now) {
  static const int64_t longest_pause = 100;
  if (wait->since == 0) wait->since = now;
  else if (now - wait->seen > longest_pause) wait->since += now - wait->seen - longest_pause;
  wait->seen = now;
  return now - wait->since;
}

// Tells if a thread of this process sleeps, rather than waits for a processor; true if that can't be read.
static int is_asleep(pid_t tid) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  if (length <= 0) return 1;
  text[length] = 0;
  // The state follows the thread's name, which may contain any characters.
  const char *state = strrchr(text, ')');
  return !state || strncmp(state, ") S", 3) == 0;
}

// Returns the processor time of all threads of this process except the checking one, in milliseconds.
static int64_t work_of_others(void) {
  return milliseconds(CLOCK_PROCESS_CPUTIME_ID) - milliseconds(CLOCK_THREAD_CPUTIME_ID);
}

// Returns the processor time that counts as a thread's work. A script computes in its own thread. The compositor sleeps
// while threads of its own or of the graphics driver paint and compile shaders for it, so the processor time of the
// whole process is its work.
static int64_t work(struct thread_slot *slot) {
  return slot->kind == kind_script ? milliseconds(slot->processor_clock) : work_of_others();
}

// Longest wait for a busy thread other than a script, in milliseconds: of machine time while nothing computes, and of
// processor time. Shaders of a 3D page take 5 s of processor time on a busy machine.
static int64_t longest_sleep = 5000, longest_work = 20000;

// Tells if a busy thread has been waited for long enough. A thread that computes is measured by processor time, because
// on a loaded machine time passes in which it doesn't run; any other thread by machine time.
static int tries_patience(struct thread_slot *slot) {
  // A script may compute forever because its author wants it to. Other threads finish, but may be delayed by others.
  int is_script = slot->kind == kind_script;
  int64_t patience = is_script ? 1000 : longest_sleep;
  int64_t processor_time = milliseconds(slot->processor_clock);
  int64_t worked = work(slot);
  if (slot->busy.since == 0) {
    slot->processor_before = processor_time;
    slot->worked_before = worked;
  }
  int64_t passed = waited(&slot->busy, milliseconds(CLOCK_MONOTONIC));
  // The kernel may have woken another thread, or none. Then this thread sleeps on and uses no processor time.
  if (slot->state == state_sleeps && passed >= longest_waking && processor_time == slot->processor_before &&
      is_asleep(slot->tid)) {
    slot->is_woken = 0;
    return 1;
  }
  if (slot->worked >= longest_work) return 1;
  if (passed < patience) return 0;
  int64_t works = worked - slot->worked_before;
  int computes = works * 20 >= passed || !is_asleep(slot->tid);
  if (!computes || is_script) return !computes || works >= patience;
  // Starts another measurement of whether the thread computes.
  slot->worked += works;
  slot->busy.since = 0;
  return slot->worked >= longest_work;
}

// Tells if new threads exist that may be about to do something; the system may be slow to start them. A thread that
// stays unknown, without a watched name or wait, is waited for once, for `patience` milliseconds.
static int awaits_unknown(void) {
  static const int64_t patience = 1000;
  static struct wait wait;
  static int given_up_on;
  int count = unknown_threads;
  if (count < given_up_on) given_up_on = count;
  if (count == given_up_on) {
    wait.since = 0;
    return 0;
  }
  if (waited(&wait, milliseconds(CLOCK_MONOTONIC)) < patience) return 1;
  given_up_on = count;
  // Reported, because such a thread costs each render a second: the library should know its kind or its wait.
  given_up++;
  return 0;
}

int clock_threads_rest(int64_t now, int (*poll_now)(struct pollfd *, nfds_t)) {
  if (awaits_unknown()) return 0;
  for (int i = 0; i < known_slots; i++) {
    struct thread_slot *slot = &thread_slots[i];
    if (rests(slot, now, poll_now)) {
      slot->busy.since = 0;
      slot->worked = 0;
      continue;
    }
    if (!tries_patience(slot)) return 0;
    if (slot->kind != kind_script && slot->state != state_sleeps) given_up++;
  }
  return 1;
}

void clock_threads_wake_due(int64_t now) {
  for (int i = 0; i < known_slots; i++)
    if (thread_slots[i].state == state_waits && thread_slots[i].until <= now) waiter_recheck(&thread_slots[i].waiter);
}

int64_t clock_threads_next_timer(void) {
  int64_t next = INT64_MAX;
  for (int i = 0; i < known_slots; i++) {
    if (thread_slots[i].state == state_waits && thread_slots[i].until < next) next = thread_slots[i].until;
  }
  return next;
}
