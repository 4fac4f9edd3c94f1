// Where the first thread's stack is. The C library reads a thousand lines of /proc/self/maps for it, and the engine asks
// in each web process. A child's is where the server's was, so the server asks once for all.
#define _GNU_SOURCE
#include "server.h"

#include <dlfcn.h>
#include <pthread.h>

typedef int get_attributes(pthread_t, pthread_attr_t *);

static struct {
  pthread_t thread;
  void *address;
  size_t size;
} main_stack;

static int ask(pthread_t thread, pthread_attr_t *attributes) {
  static get_attributes *next;
  if (!next) next = (get_attributes *)dlsym(RTLD_NEXT, "pthread_getattr_np");
  return next(thread, attributes);
}

void find_main_stack(void) {
  pthread_attr_t attributes;
  if (ask(pthread_self(), &attributes) != 0) return;
  if (pthread_attr_getstack(&attributes, &main_stack.address, &main_stack.size) != 0) main_stack.size = 0;
  main_stack.thread = pthread_self();
  pthread_attr_destroy(&attributes);
}

int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
  if (!main_stack.size || !pthread_equal(thread, main_stack.thread)) return ask(thread, attributes);
  int error = pthread_attr_init(attributes);
  return error ? error : pthread_attr_setstack(attributes, main_stack.address, main_stack.size);
}
