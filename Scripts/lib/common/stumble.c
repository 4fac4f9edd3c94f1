// Makes the main loops of processes stumble: loaded ahead of other libraries, it has one of six calls of poll() come back
// some milliseconds late, as on a busy machine. What only holds where one process is quicker than another shows soon.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { one_of = 6, most_nanoseconds = 8000000 };

// A stream of numbers for each thread, begun by the time, so that no two processes stumble alike.
static uint32_t chance(void) {
  static _Thread_local uint64_t state;
  if (!state) {
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    state = (uint64_t)now.tv_nsec << 20 ^ (uint64_t)syscall(SYS_gettid) ^ 1;
  }
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 32);
}

int poll(struct pollfd *files, nfds_t count, int timeout) {
  static int (*next)(struct pollfd *, nfds_t, int);
  if (!next) next = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
  int ready = next(files, count, timeout);
  if (chance() % one_of == 0) {
    // By the system's call: Galley's clock has the C library's sleep.
    struct timespec late = {.tv_nsec = chance() % most_nanoseconds};
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &late, NULL);
  }
  return ready;
}
