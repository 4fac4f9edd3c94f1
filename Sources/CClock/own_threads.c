// Activity of the engine's message threads in the worker itself.
#define _GNU_SOURCE
#include "clock_host.h"
#include "clock_threads.h"

#include <dlfcn.h>

static int (*machine_poll)(struct pollfd *, nfds_t, int);

int poll(struct pollfd *files, nfds_t count, int timeout) {
  if (!machine_poll) machine_poll = dlsym(RTLD_NEXT, "poll");
  if (count > CLOCK_MOST_FILES) return machine_poll(files, count, timeout);
  clock_thread_polls(files, count, timeout);
  int ready = machine_poll(files, count, timeout);
  if (timeout != 0) clock_thread_runs();
  return ready;
}

static int poll_now(struct pollfd *files, nfds_t count) {
  int ready = machine_poll(files, count, 0);
  return ready < 0 ? 0 : ready;
}

int clock_own_threads_rest(void) { return !machine_poll || clock_threads_rest(0, poll_now); }
uint32_t clock_own_threads_wake_ups(void) { return clock_threads_wake_ups(); }
