// Creation of threads. Time stands still until it is known what a new thread does; a worker's script waits for its
// turn.
#define _GNU_SOURCE
#include "clock_threads.h"
#include "process.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

struct new_thread {
  void *(*main)(void *);
  void *argument;
  uint32_t creation_order;
  int by_script;
};

static void end(void *nothing) {
  (void)nothing;
  clock_thread_is_known();
}

static void *begin(void *argument) {
  struct new_thread new = *(struct new_thread *)argument;
  free(argument);
  clock_thread_is_new(new.creation_order, new.by_script);
  void *result;
  // The thread may also end by pthread_exit().
  pthread_cleanup_push(end, NULL);
  result = new.main(new.argument);
  pthread_cleanup_pop(1);
  return result;
}

int pthread_create(
    pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*main)(void *),
    void *restrict argument) {
  static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (!next) next = dlsym(RTLD_NEXT, "pthread_create");
  if (!process_is_watched()) return next(thread, attributes, main, argument);
  struct new_thread *new = malloc(sizeof *new);
  if (!new) return EAGAIN;
  *new = (struct new_thread){
      .main = main,
      .argument = argument,
      .creation_order = clock_thread_creation_order(),
      .by_script = clock_thread_is_script(),
  };
  clock_thread_made();
  int result = next(thread, attributes, begin, new);
  if (result == 0) return 0;
  clock_thread_not_made();
  free(new);
  return result;
}

// Called by the engine as the first step in a worker's thread at which it holds no lock that others may want.
struct _GMainContext;
void g_main_context_push_thread_default(struct _GMainContext *context) {
  static void (*next)(struct _GMainContext *);
  if (!next) next = dlsym(RTLD_NEXT, "g_main_context_push_thread_default");
  if (process_is_watched() && clock_thread_is_script()) {
    clock_thread_runs_in_turn();
    random_begins_in_script();
  }
  next(context);
}
