// Threads that libraries begin before main. A fork copies the calling thread only, so the server puts them off, and
// each child begins them before its main: to a library that is a thread which the system was slow to run.
//
// The engine's memory allocator begins one of these, to give back memory that is free.
#define _GNU_SOURCE
#include "server.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

typedef void *thread_main(void *);
typedef int create_thread(pthread_t *, const pthread_attr_t *, thread_main *, void *);

static struct late_thread {
  thread_main *main;
  void *argument;
  // Nobody waits for it; a thread that somebody waits for can't be put off.
  int is_detached;
} late_threads[8];
enum { MOST_LATE_THREADS = sizeof late_threads / sizeof *late_threads };
static int count;
// Until the children's turn comes; only the server ever puts threads off.
static enum { UNDECIDED, PUTS_OFF, PASSES_ON } mode;

static int puts_off(void) {
  if (mode == UNDECIDED) mode = getenv(FORK_SERVER_VARIABLE) ? PUTS_OFF : PASSES_ON;
  return mode == PUTS_OFF;
}

static int create(pthread_t *thread, const pthread_attr_t *attributes, thread_main *main, void *argument) {
  static create_thread *next;
  if (!next) next = (create_thread *)dlsym(RTLD_NEXT, "pthread_create");
  return next(thread, attributes, main, argument);
}

static int detach(pthread_t thread) {
  static int (*next)(pthread_t);
  if (!next) next = (int (*)(pthread_t))dlsym(RTLD_NEXT, "pthread_detach");
  return next(thread);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, thread_main *main, void *argument) {
  if (!puts_off()) return create(thread, attributes, main, argument);
  if (attributes || count == MOST_LATE_THREADS) return EAGAIN;
  late_threads[count] = (struct late_thread){.main = main, .argument = argument};
  *thread = (pthread_t)&late_threads[count++];
  return 0;
}

int pthread_detach(pthread_t thread) {
  for (int i = 0; i < count; i++) {
    if (thread != (pthread_t)&late_threads[i]) continue;
    late_threads[i].is_detached = 1;
    return 0;
  }
  return detach(thread);
}

int late_threads_are_detached(void) {
  for (int i = 0; i < count; i++)
    if (!late_threads[i].is_detached) return 0;
  return 1;
}

void begin_late_threads(void) {
  mode = PASSES_ON;
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    // Its library counts on it.
    if (create(&thread, NULL, late_threads[i].main, late_threads[i].argument) != 0) _exit(1);
    detach(thread);
  }
  count = 0;
}
