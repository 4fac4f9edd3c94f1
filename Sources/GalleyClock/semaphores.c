// Waits for semaphores, by which the threads of a video decoder wait for work. A thread that gives them work waits for
// the result and counts as at work itself. Without this each of them would count as at work until patience is over.
#define _GNU_SOURCE
#include "clock_threads.h"

#include <dlfcn.h>
#include <semaphore.h>

int sem_wait(sem_t *semaphore) {
  static int (*next)(sem_t *);
  if (!next) next = (int (*)(sem_t *))dlsym(RTLD_NEXT, "sem_wait");
  clock_thread_is_known();
  return next(semaphore);
}
