#define _GNU_SOURCE
#include "clock_threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum kind { kind_unknown, kind_other, kind_messages, kind_script };
enum state { state_free, state_runs, state_polls, state_waits };

struct seat {
  _Atomic int state;
  _Atomic int64_t until;
  // Changes whenever the thread falls asleep or wakes.
  _Atomic uint32_t turn;
  struct pollfd files[CLOCK_MOST_FILES];
  _Atomic nfds_t count;
  int is_script;
  // When it was first found busy, in the machine's milliseconds; only the thread that looks uses it.
  int64_t busy_since;
};

#define MOST_SEATS 64
static struct seat seats[MOST_SEATS];
static _Thread_local struct seat *own_seat;
static _Thread_local enum kind own_kind;
static _Atomic uint32_t turns;
static _Atomic int counts_all;
static pthread_key_t ending;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// A thread that still waits for something on its way out isn't counted any more.
static void leave(void *seat) {
  own_seat = NULL;
  own_kind = kind_other;
  ((struct seat *)seat)->state = state_free;
}

static void make_key(void) { pthread_key_create(&ending, leave); }

static enum kind kind(void) {
  if (own_kind != kind_unknown) return own_kind;
  char name[32] = "";
  pthread_getname_np(pthread_self(), name, sizeof name);
  // A thread gets its name a moment after it was made, and until then has that of the program.
  if (!strncmp(name, "WebKit", 6) || !strcmp(name, "galley-worker")) return kind_other;
  // The compositor draws what the main thread has handed to it.
  static const char *const messages[] = {"EventDispatcher", "ReceiveQueue", "rruptDispatcher", "eadedCompositor"};
  for (int i = 0; i < (int)(sizeof messages / sizeof *messages); i++)
    if (!strcmp(name, messages[i])) return own_kind = kind_messages;
  if (!strncmp(name, "WebCore: Worker", 15) || !strcmp(name, "ebCore: Worker")) return own_kind = kind_script;
  return own_kind = counts_all ? kind_messages : kind_other;
}

void clock_threads_count_all(void) { counts_all = 1; }

int clock_thread_is_script(void) { return kind() == kind_script; }

static struct seat *seat(void) {
  if (own_seat || kind() == kind_other) return own_seat;
  pthread_once(&once, make_key);
  for (int i = 0; i < MOST_SEATS; i++) {
    int free = state_free;
    if (!atomic_compare_exchange_strong(&seats[i].state, &free, state_runs)) continue;
    own_seat = &seats[i];
    own_seat->is_script = kind() == kind_script;
    pthread_setspecific(ending, own_seat);
    return own_seat;
  }
  return NULL;
}

void clock_thread_polls(const struct pollfd *files, nfds_t count) {
  struct seat *own = seat();
  if (!own) return;
  own->turn++;
  memcpy(own->files, files, count * sizeof *files);
  own->count = count;
  own->state = state_polls;
}

void clock_thread_waits(int64_t until) {
  struct seat *own = seat();
  if (!own) return;
  own->turn++;
  own->until = until;
  own->state = state_waits;
}

void clock_thread_runs(void) {
  if (!own_seat) return;
  turns++;
  own_seat->turn++;
  own_seat->until = INT64_MAX;
  own_seat->state = state_runs;
}

uint32_t clock_threads_turns(void) { return turns; }

static int rests(struct seat *seat, int64_t now, int (*look)(struct pollfd *, nfds_t)) {
  uint32_t turn = seat->turn;
  switch (seat->state) {
    case state_free:
      return 1;
    case state_polls: {
      struct pollfd files[CLOCK_MOST_FILES];
      nfds_t count = seat->count;
      memcpy(files, seat->files, count * sizeof *files);
      return look(files, count) == 0 && seat->turn == turn;
    }
    case state_waits:
      return seat->until > now;
    default:
      return 0;
  }
}

// Milliseconds of the machine's time that a thread is waited for in one stretch.
static int64_t patience(const struct seat *seat) {
  // A script that computes on and on is its author's wish; a message thread is only kept from running by others.
  return seat->is_script ? 50 : 5000;
}

static int64_t machine_milliseconds(void) {
  struct timespec time;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

int clock_threads_rest(int64_t now, int (*look)(struct pollfd *, nfds_t)) {
  for (int i = 0; i < MOST_SEATS; i++) {
    struct seat *seat = &seats[i];
    if (rests(seat, now, look)) {
      seat->busy_since = 0;
      continue;
    }
    int64_t time = machine_milliseconds();
    if (seat->busy_since == 0) seat->busy_since = time;
    if (time - seat->busy_since < patience(seat)) return 0;
  }
  return 1;
}

int64_t clock_threads_next_timer(void) {
  int64_t next = INT64_MAX;
  for (int i = 0; i < MOST_SEATS; i++) {
    if (seats[i].state == state_waits && seats[i].until < next) next = seats[i].until;
  }
  return next;
}
