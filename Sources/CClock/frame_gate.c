// The engine's display links are threads of this process, one for each session, that sleep for a frame's time and then
// tell the web processes to draw. While nobody wants frames they wait for a condition. The functions below replace
// those of the C library. They follow what the links do, and make their sleep last until a frame is requested.
#define _GNU_SOURCE
#include "clock_host.h"
#include "conditions.h"
#include "waiter.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum link_state {
  link_none,
  // Waits for a condition.
  link_idle,
  link_runs,
  // Sleeps by machine time.
  link_sleeps,
  // Waits for a frame.
  link_waits,
};

struct display_link {
  _Atomic int state;
  pthread_t thread;
  struct waiter waiter;
  // Set once another thread joins the link, which then no longer waits for frames.
  _Atomic uint32_t is_ending;
};

// Links beyond this number get their frames by machine time.
#define MOST_LINKS 32
static struct display_link links[MOST_LINKS];
static _Thread_local struct display_link *own;

static _Atomic uint32_t is_shut;
// Number of times that waiting links had to check again.
static _Atomic uint32_t rechecks;

static pthread_key_t ending;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Frees a thread that ends. Its waits from here on, in later destructors, are not watched.
static void leave(void *link) {
  own = NULL;
  ((struct display_link *)link)->state = link_none;
}

static void make_key(void) { pthread_key_create(&ending, leave); }

static void come(void) {
  pthread_once(&once, make_key);
  for (int i = 0; i < MOST_LINKS && !own; i++) {
    int none = link_none;
    if (atomic_compare_exchange_strong(&links[i].state, &none, link_runs)) own = &links[i];
  }
  if (!own) return;
  own->thread = pthread_self();
  own->waiter.on = NULL;
  own->is_ending = 0;
  pthread_setspecific(ending, own);
}

void thread_is_named(const char *name) {
  if (!own && strncmp(name, "VBlank", 6) == 0) come();
}

static void recheck(void) {
  rechecks++;
  futex_wake(&rechecks, INT_MAX);
}

static int waits_for_frame(void) {
  if (!is_shut || !own) return 0;
  own->state = link_waits;
  for (;;) {
    uint32_t seen = rechecks;
    if (!is_shut || own->is_ending || own->state != link_waits) break;
    futex_wait(&rechecks, seen, NULL);
  }
  own->state = link_runs;
  return 1;
}

// Sleeps until a frame is requested if the gate is shut, otherwise by machine time. A gate that is shut meanwhile waits
// for the end of the sleep.
static int sleep_for(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  if (waits_for_frame()) return 0;
  if (own) own->state = link_sleeps;
  int result = (int)syscall(SYS_clock_nanosleep, clock, flags, time, left);
  if (own) own->state = link_runs;
  return result;
}

int nanosleep(const struct timespec *time, struct timespec *left) { return sleep_for(CLOCK_MONOTONIC, 0, time, left); }

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  return sleep_for(clock, flags, time, left) == 0 ? 0 : errno;
}

int condition_is_watched(void) { return own != NULL; }

int condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  waiter_sleep(&own->waiter, waiter_begin(&own->waiter, &own->state, link_idle, condition, mutex), NULL);
  int result = waiter_end(&own->waiter, mutex);
  own->state = link_runs;
  return result;
}

void condition_wakes(pthread_cond_t *condition) {
  for (int i = 0; i < MOST_LINKS; i++)
    waiter_wake(&links[i].waiter, &links[i].state, link_idle, link_runs, condition);
}

static int is_of(const struct display_link *link, pthread_t thread) {
  return link->state != link_none && pthread_equal(link->thread, thread);
}

// The engine ends a link that has had no work for half a minute, by joining its thread.
int pthread_join(pthread_t thread, void **result) {
  static int (*next)(pthread_t, void **);
  if (!next) next = dlsym(RTLD_NEXT, "pthread_join");
  for (int i = 0; i < MOST_LINKS; i++) {
    if (!is_of(&links[i], thread)) continue;
    links[i].is_ending = 1;
    recheck();
  }
  return next(thread, result);
}

void frame_gate_set(int shut) {
  is_shut = shut;
  recheck();
}

// Tells if a link is about to sleep or wait, which takes microseconds unless the machine is busy.
static int is_on_its_way(const struct display_link *link) {
  int state = link->state;
  return state == link_runs || (state == link_sleeps && is_shut);
}

static int is_back(const struct display_link *link) {
  for (int times = 0; is_on_its_way(link) && times < 100000; times++) {
    struct timespec moment = {.tv_nsec = 10000};
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &moment, NULL);
  }
  return link->state == link_waits;
}

int frame_gate_is_wanted(void) {
  int is_wanted = 0;
  for (int i = 0; i < MOST_LINKS; i++) is_wanted |= is_back(&links[i]);
  return is_wanted;
}

void frame_gate_pass(void) {
  for (int i = 0; i < MOST_LINKS; i++) {
    int waits = link_waits;
    atomic_compare_exchange_strong(&links[i].state, &waits, link_runs);
  }
  recheck();
}

int frame_gate_is_link(void) { return own != NULL; }
