// Sleeps of GLib's threads, which use the system call rather than the C library's conditions. Threads of its pools poll
// during their work, such as a TLS handshake, and without this would count as at work while they have none.
#define _GNU_SOURCE
#include "clock_threads.h"
#include "process.h"

#include <dlfcn.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef long system_call(long, long, long, long, long, long, long);

static system_call *machine_call(void) {
  static system_call *_Atomic next;
  if (!next) next = (system_call *)dlsym(RTLD_NEXT, "syscall");
  return next;
}

// Reads six words however many were passed, as the C library's own function does.
__attribute__((no_sanitize("address"))) long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long words[6];
  for (int i = 0; i < 6; i++) words[i] = va_arg(list, long);
  va_end(list);
  int is_futex = number == SYS_futex && process_is_watched();
  int command = is_futex ? (int)words[1] & FUTEX_CMD_MASK : -1;
  if (command == FUTEX_WAKE) clock_threads_wake_sleepers((const void *)words[0], (int)words[2]);
  // A wait with a time limit is a pool's thread without work; a wait for a lock has no limit.
  if (command == FUTEX_WAIT && words[3]) clock_thread_is_known();
  int sleeps = command == FUTEX_WAIT && clock_thread_sleeps((const void *)words[0], (uint32_t)words[2]);
  long result = machine_call()(number, words[0], words[1], words[2], words[3], words[4], words[5]);
  if (sleeps) clock_thread_runs();
  return result;
}
