// Replacements of functions of the C library, which the linker finds first.
#define _GNU_SOURCE
#include "conditions.h"
#include "next_function.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) {
  static int (*next)(pthread_cond_t *, pthread_mutex_t *);
  if (!next) next = next_condition_function("pthread_cond_wait");
  return condition_is_watched() ? condition_wait(condition, mutex) : next(condition, mutex);
}

int pthread_cond_signal(pthread_cond_t *condition) {
  static int (*next)(pthread_cond_t *);
  if (!next) next = next_condition_function("pthread_cond_signal");
  condition_wakes(condition);
  return next(condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  static int (*next)(pthread_cond_t *);
  if (!next) next = next_condition_function("pthread_cond_broadcast");
  condition_wakes(condition);
  return next(condition);
}

int pthread_setname_np(pthread_t thread, const char *name) {
  static int (*next)(pthread_t, const char *);
  if (!next) next = dlsym(RTLD_NEXT, "pthread_setname_np");
  int result = next(thread, name);
  if (pthread_equal(thread, pthread_self())) thread_is_named(name);
  return result;
}

int prctl(int option, ...) {
  va_list arguments;
  va_start(arguments, option);
  unsigned long values[4];
  for (int i = 0; i < 4; i++) values[i] = va_arg(arguments, unsigned long);
  va_end(arguments);
  int result = (int)syscall(SYS_prctl, option, values[0], values[1], values[2], values[3]);
  if (option == PR_SET_NAME) thread_is_named((const char *)values[0]);
  return result;
}
