// Threads as they are made. Time stands still until it is known what they do, and a worker's script waits for its turn.
#define _GNU_SOURCE
#include "clock_threads.h"
#include "process.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

struct making {
  void *(*main)(void *);
  void *argument;
  uint32_t birth;
  int of_script;
};

static void end(void *nothing) {
  (void)nothing;
  clock_thread_is_known();
}

static void *begin(void *argument) {
  struct making making = *(struct making *)argument;
  free(argument);
  clock_thread_is_new(making.birth, making.of_script);
  void *result;
  // It may also end from deep within.
  pthread_cleanup_push(end, NULL);
  result = making.main(making.argument);
  pthread_cleanup_pop(1);
  return result;
}

int pthread_create(
    pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*main)(void *),
    void *restrict argument) {
  static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (!next) next = dlsym(RTLD_NEXT, "pthread_create");
  if (!process_is_watched()) return next(thread, attributes, main, argument);
  struct making *making = malloc(sizeof *making);
  if (!making) return EAGAIN;
  *making = (struct making){.main = main, .argument = argument, .birth = clock_thread_birth(), .of_script = clock_thread_is_script()};
  clock_thread_made();
  int result = next(thread, attributes, begin, making);
  if (result == 0) return 0;
  clock_thread_not_made();
  free(making);
  return result;
}

// The engine's first step in a worker's thread once it is set up, while the thread holds no lock that others may want.
struct _GMainContext;
void g_main_context_push_thread_default(struct _GMainContext *context) {
  static void (*next)(struct _GMainContext *);
  if (!next) next = dlsym(RTLD_NEXT, "g_main_context_push_thread_default");
  if (process_is_watched() && clock_thread_is_script()) {
    clock_thread_goes_on();
    chance_of_script();
  }
  next(context);
}
