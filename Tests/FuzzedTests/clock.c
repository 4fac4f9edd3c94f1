// A worker and a web process's main thread on the two sides of a clock's region, in any order of what they may do: time
// never goes back, never passes the worker's target by itself, and a sleep ends when it is due.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

static long machine(long number, ...);
// What sleeps here is the process, while the worker does something.
#define syscall machine
#define poll clock_poll

#include "CClock/clock_host.c"
#include "CClock/thread_rest.c"
#define wake_ups wake_ups_of_threads
#include "CClock/thread_slots.c"
#undef wake_ups
#include "CClock/thread_turns.c"
#include "GalleyClock/loop_timers.c"
#include "GalleyClock/process.c"
#include "GalleyClock/sleeping.c"

#undef syscall
#undef poll
#include "input.h"

static struct clock_host host;
static struct input input;
static uint32_t sent;
// The latest time that either side has seen.
static int64_t latest;
// Whether the worker has begun anew since a sleep began, and whether the process has done nothing since its answer.
static int is_anew, has_answered;
// The latest answer that the worker has seen.
static uint32_t seen;

uint32_t messages_sent(void) { return sent; }
void random_begins_in_page(void) {}
void gl_begins_in_page(void) {}
void forget_time_queries(void) {}
int64_t drawing_timer_set(struct _GSource *timer, int64_t ready) { return (void)timer, ready; }

static int64_t take_time(void) {
  static const int64_t units[] = {1, 1000, 1000000, 100000000};
  return take(&input) * units[take(&input) % 4];
}

static void is_in_order(void) {
  HOLDS(host.region->now >= latest && host.region->now <= host.region->target);
  latest = host.region->now;
}

// Only what a worker does that knows whether it has its answer.
static void worker_acts(void) {
  int has_answer = clock_host_rests(&host);
  // What was due by then has been done.
  if (host.region->answer != seen) HOLDS(clock_host_due(&host) > clock_host_now(&host) || is_anew);
  if (host.region->answer != seen) has_answered = 1;
  seen = host.region->answer;
  int64_t now = clock_host_now(&host), due = clock_host_due(&host);
  switch (take(&input) % 8) {
    case 0: clock_host_allow(&host); break;
    case 1: if (has_answer) clock_host_stay(&host); break;
    case 2: if (has_answer && has_answered) clock_host_pass(&host, earliest(now + take_time(), due)); break;
    case 3:
      if (!has_answer) break;
      clock_host_freeze(&host, latest = take_time(), take_time());
      is_anew = 1;
      break;
    default: clock_host_request(&host, now + take_time());
  }
  is_in_order();
}

static int no_file_is_ready(struct pollfd *files, nfds_t count, int timeout) {
  (void)files, (void)count, (void)timeout;
  is_in_order();
  return 0;
}

// A sleep of the process, in which the worker acts. After its last act a file of the process's is ready. Calls have up
// to six arguments; what is read beyond those given is ignored.
__attribute__((no_sanitize("address"))) static long machine(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  long values[6];
  for (int i = 0; i < 6; i++) values[i] = va_arg(arguments, long);
  va_end(arguments);
  if (number != SYS_ppoll) return syscall(number, values[0], values[1], values[2], values[3], values[4], values[5]);
  struct pollfd *files = (struct pollfd *)values[0];
  if (input.next < input.end) worker_acts();
  int is_over = input.next >= input.end || take(&input) % 8 == 0;
  for (long i = 0; i < values[1]; i++) files[i].revents = 0;
  if (is_over) files[0].revents = POLLIN;
  struct pollfd *kick = &files[values[1] - 1];
  return (poll(kick, 1, 0) == 1) + is_over;
}

static void process_sleeps(int timeout) {
  struct pollfd file = {.fd = 0, .events = POLLIN};
  int64_t end = end_of_sleep(timeout);
  is_anew = 0;
  int ready = clock_poll(&file, 1, timeout);
  is_in_order();
  if (ready == 0 && timeout != 0 && !is_anew) HOLDS(process_time() == end);
}

static void process_acts(void) {
  static const int keys[4];
  has_answered = 0;
  switch (take(&input) % 4) {
    case 0: sent++; break;
    case 1: loop_timers_set(&keys[take(&input) % 4], process_time() + take_time()); break;
    case 2: pass_time(process_time() + take_time()); break;
    default: galley_clock_document_begins();
  }
  is_in_order();
}

static void begin(void) {
  char folder[] = "/tmp/galley-fuzz-XXXXXX", path[64];
  HOLDS(mkdtemp(folder) && clock_host_open(&host, folder) == 0 && galley_clock_join(folder) == 0);
  for (int i = 0; i < 3; i++) {
    static const char *const names[] = {CLOCK_REGION_FILE, CLOCK_KICK_FILE, CLOCK_REST_FILE};
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  rmdir(folder);
  galley_clock_takes_page();
  machine_poll = no_file_is_ready;
  HOLDS(clock_host_is_attached(&host) && clock_host_others(&host) == 0);
}

// A region that a web process has written anything to is looked at, and no more.
static void is_looked_at(struct input garbage) {
  struct clock_region region;
  for (size_t i = 0; i < sizeof region; i++) ((uint8_t *)&region)[i] = take(&garbage);
  struct clock_host other = {.region = &region, .kick = host.kick, .rest = host.rest};
  clock_host_request(&other, INT64_MAX);
  clock_host_pass(&other, INT64_MAX);
  clock_host_stay(&other);
  clock_host_allow(&other);
  HOLDS(clock_host_rests(&other) == (region.answer == region.request) && clock_host_now(&other) == region.now);
  HOLDS(clock_host_others(&other) == region.joined - region.generation && clock_host_due(&other) == region.due);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  char drain[64];
  if (!host.region) begin();
  input = (struct input){bytes, bytes + size};
  is_looked_at(input);
  while (read(host.kick, drain, sizeof drain) > 0 || read(host.rest, drain, sizeof drain) > 0) {}
  // As one render follows another: nothing of the last one is due.
  for (size_t i = 0; i < count; i++) timers[i].due = INT64_MIN;
  loop_timers_next(0);
  seen = host.region->answer = host.region->request;
  host.region->due = INT64_MAX;
  clock_host_freeze(&host, latest = take_time(), take_time());
  while (input.next < input.end) {
    process_acts();
    // Forever, at once, or for some milliseconds.
    process_sleeps(take(&input) % 8 ? take(&input) % 20 - 1 : 1000);
  }
  return 0;
}
