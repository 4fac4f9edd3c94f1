// How GLib's threads sleep and wake each other: by the system's call itself, not by the C library's conditions. Threads
// of its pools polled while they worked, as for a handshake of TLS, and would count as at work while they have nothing.
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
  static system_call *next;
  if (!next) next = (system_call *)dlsym(RTLD_NEXT, "syscall");
  return next;
}

long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long words[6];
  for (int i = 0; i < 6; i++) words[i] = va_arg(list, long);
  va_end(list);
  int is_futex = number == SYS_futex && process_is_watched();
  int command = is_futex ? (int)words[1] & FUTEX_CMD_MASK : -1;
  if (command == FUTEX_WAKE) clock_threads_rouse((const void *)words[0], (int)words[2]);
  // Those that wait for a while and no longer are threads of a pool without work; for a lock they wait until they have it.
  if (command == FUTEX_WAIT && words[3]) clock_thread_is_known();
  int sleeps = command == FUTEX_WAIT && clock_thread_sleeps((const void *)words[0], (uint32_t)words[2]);
  long result = machine_call()(number, words[0], words[1], words[2], words[3], words[4], words[5]);
  if (sleeps) clock_thread_runs();
  return result;
}
