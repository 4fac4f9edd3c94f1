// How long time stands still for a thread that sleeps while others of its process compute for it.
#include "../../Sources/CClock/thread_slots.c"
#include "../../Sources/CClock/thread_turns.c"
#include "../../Sources/CClock/thread_rest.c"

#include "check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t painted = PTHREAD_COND_INITIALIZER;
static _Atomic int waits, is_over;

static int no_file(struct pollfd *files, nfds_t count) {
  (void)files, (void)count;
  return 0;
}

// Sleeps as the engine's compositor does while something is painted for it.
static void *compose(void *nothing) {
  pthread_setname_np(pthread_self(), "eadedCompositor");
  struct pollfd none = {.fd = -1};
  clock_thread_polls(&none, 1, -1);
  clock_thread_runs();
  pthread_mutex_lock(&lock);
  waits = 1;
  while (!is_over) pthread_cond_wait(&painted, &lock);
  pthread_mutex_unlock(&lock);
  return nothing;
}

// Computes for so many milliseconds, a quarter of the time.
static void paint(int64_t end) {
  while (milliseconds(CLOCK_MONOTONIC) < end) {
    int64_t before = milliseconds(CLOCK_THREAD_CPUTIME_ID);
    while (milliseconds(CLOCK_THREAD_CPUTIME_ID) == before) {}
    usleep(3000);
  }
}

static void *paint_for_it(void *end) {
  paint(*(int64_t *)end);
  return NULL;
}

// When all count as at rest, by the machine's milliseconds.
static int64_t rest(void) {
  while (!clock_threads_rest(0, no_file)) usleep(1000);
  return milliseconds(CLOCK_MONOTONIC);
}

int main(void) {
  longest_sleep = 1000;
  pthread_t compositor, painter;
  CHECK(pthread_create(&compositor, NULL, compose, NULL) == 0);
  while (!waits) usleep(1000);
  int64_t began = milliseconds(CLOCK_MONOTONIC), end = began + 2000;
  CHECK(pthread_create(&painter, NULL, paint_for_it, &end) == 0);
  // Its patience is over after a second in which nobody computes.
  CHECK(rest() >= end && clock_threads_given_up() == 1);
  CHECK(pthread_join(painter, NULL) == 0);
  began = milliseconds(CLOCK_MONOTONIC);
  CHECK(rest() - began < 1000);
  pthread_mutex_lock(&lock);
  is_over = 1;
  pthread_cond_signal(&painted);
  pthread_mutex_unlock(&lock);
  CHECK(pthread_join(compositor, NULL) == 0);
  return 0;
}
