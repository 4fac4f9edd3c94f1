// How the threads of a film's decoder wait for work: by semaphores, which nothing else here looks at. Whoever gives them
// work waits for it and counts as at work himself; they would count as about to do something until patience is over.
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
