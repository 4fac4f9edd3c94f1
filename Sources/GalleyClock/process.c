#define _GNU_SOURCE
#include "process.h"
#include "GalleyClock.h"
#include "clock_threads.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct clock_process process = {.kick = -1, .rest = -1};

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
  process.kick = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  snprintf(path, sizeof path, "%s/%s", folder, CLOCK_REST_FILE);
  process.rest = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (process.kick < 0 || process.rest < 0) return errno;
  process.region = memory;
  process.region->joined++;
  return 0;
}

void galley_clock_takes_page(void) {
  if (process.region && !process.generation) process.generation = ++process.region->generation;
}

// Joins the clock in the network process, which has no extension to do so.
__attribute__((constructor)) static void join_as_network_process(void) {
  char program[512];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  const char *folder = getenv(CLOCK_NETWORK_VARIABLE);
  if (length < 0 || !folder) return;
  program[length] = 0;
  const char *name = strrchr(program, '/');
  if (!name || strcmp(name + 1, "WebKitNetworkProcess") != 0 || galley_clock_join(folder) != 0) return;
  galley_clock_takes_page();
  clock_threads_count_all();
  process.region->mode = clock_watched;
}

int process_is_stepped(void) { return process.region && process.region->mode == clock_stepped; }
int process_is_watched(void) { return process.region && process.region->mode != clock_off; }

int process_is_main_thread(void) {
  static _Thread_local int known = -1;
  return known >= 0 ? known : (known = gettid() == getpid());
}

int64_t machine_time(clockid_t clock) {
  struct timespec time;
  syscall(SYS_clock_gettime, clock, &time);
  return time.tv_sec * second + time.tv_nsec;
}

int64_t process_time(void) {
  return process_is_stepped() ? process.region->now : machine_time(CLOCK_MONOTONIC);
}

int64_t stepped_time(clockid_t clock) {
  return process.region->now + (is_wall_clock(clock) ? process.region->wall : 0);
}

int is_wall_clock(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }

struct timespec timespec_of(int64_t time) {
  return (struct timespec){.tv_sec = time / second, .tv_nsec = time % second};
}

void pass_time(int64_t now) {
  process.region->now = now;
  if (process.region->target < now) process.region->target = now;
}

// Time that loading a document takes. If a script could ask at the very start of its document, code such as
// `performance.now() || Date.now()` would take the 0 for a missing clock and mix both clocks from then on. Scripts see
// whole milliseconds, so the time has to be more than one.
static const int64_t loading = 1500 * microsecond;

void galley_clock_document_begins(void) {
  if (!process_is_stepped() || process.generation != process.region->generation) return;
  if (!process.region->has_document) {
    random_begins_in_page();
    gl_begins_in_page();
  }
  process.region->has_document = 1;
  pass_time(process.region->now + loading);
}
