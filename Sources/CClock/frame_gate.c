// The engine's display links are threads of this process, one for each session, that sleep a frame's time and then tell
// the web processes to draw; while nobody wants frames they are parked. The definitions below come before the C
// library's. They follow what those threads do, and make their sleep last until a frame is asked for.
#define _GNU_SOURCE
#include "clock_host.h"
#include "conditions.h"
#include "parking.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum link_state { link_none, link_parked, link_runs, link_sleeps, link_waits };

struct display_link {
  _Atomic int state;
  pthread_t thread;
  struct parking parking;
  // Somebody waits for its end, which no frame keeps it from.
  _Atomic uint32_t is_ending;
};

// One that finds no room has frames as the machine's time has them.
#define MOST_LINKS 32
static struct display_link links[MOST_LINKS];
static _Thread_local struct display_link *own;

static _Atomic uint32_t is_shut;
// Rises whenever those that wait have to look again.
static _Atomic uint32_t looks;

static pthread_key_t ending;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// What the thread does on its way out, such as to wait for the engine's locks, it does as any other.
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
  own->parking.on = NULL;
  own->is_ending = 0;
  pthread_setspecific(ending, own);
}

void thread_is_named(const char *name) {
  if (!own && strncmp(name, "VBlank", 6) == 0) come();
}

static void look_again(void) {
  looks++;
  syscall(SYS_futex, &looks, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static int waits_for_frame(void) {
  if (!is_shut || !own) return 0;
  own->state = link_waits;
  for (;;) {
    uint32_t seen = looks;
    if (!is_shut || own->is_ending || own->state != link_waits) break;
    syscall(SYS_futex, &looks, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
  }
  own->state = link_runs;
  return 1;
}

// With the gate open a link sleeps as long as the machine's time says. One that is shut meanwhile waits for it.
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
  parking_sleep(&own->parking, parking_begin(&own->parking, &own->state, link_parked, condition, mutex), NULL);
  int result = parking_end(&own->parking, mutex);
  own->state = link_runs;
  return result;
}

void condition_wakes(pthread_cond_t *condition) {
  for (int i = 0; i < MOST_LINKS; i++)
    parking_wake(&links[i].parking, &links[i].state, link_parked, link_runs, condition);
}

static int is_of(const struct display_link *link, pthread_t thread) {
  return link->state != link_none && pthread_equal(link->thread, thread);
}

// The engine ends a link that has had no work for half a minute.
int pthread_join(pthread_t thread, void **result) {
  static int (*next)(pthread_t, void **);
  if (!next) next = dlsym(RTLD_NEXT, "pthread_join");
  for (int i = 0; i < MOST_LINKS; i++) {
    if (!is_of(&links[i], thread)) continue;
    links[i].is_ending = 1;
    look_again();
  }
  return next(thread, result);
}

void frame_gate_set(int shut) {
  is_shut = shut;
  look_again();
}

// A link runs for some microseconds only, to its sleep or to its parking place, unless others keep it from running.
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
  look_again();
}

int frame_gate_is_link(void) { return own != NULL; }
