#define _GNU_SOURCE
#include "clock_threads.h"
#include "parking.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

// Those that work carry out what a page has asked for, and sleep in between; those of a spell live for one such thing.
// Helpers compile scripts and clear their memory: a worker's script that waits for one looks as if it had nothing to do.
enum kind { kind_unknown, kind_other, kind_messages, kind_script, kind_work, kind_help, kind_spell };
enum state { state_free, state_runs, state_polls, state_waits, state_sleeps, state_held };

// A wait by looking over and over, in milliseconds of the machine's time: since when, 0 for not at all, and when it was
// looked last.
struct wait {
  int64_t since;
  int64_t seen;
};

struct seat {
  _Atomic int state;
  _Atomic int64_t until;
  // Changes whenever the thread falls asleep or wakes.
  _Atomic uint32_t turn;
  _Atomic nfds_t count;
  struct parking parking;
  enum kind kind;
  // Which thread of the process it is, in the order in which they were made.
  uint32_t birth;
  // Whether it has its turn, for one that is held until then.
  _Atomic uint32_t has_turn;
  // How often a script has asked for the time since it woke.
  _Atomic uint32_t looks;
  // A thread's processor time can be asked for by others until it ends, and so can how the system has it.
  clockid_t processor;
  pid_t number;
  // The word of memory that the thread sleeps on, its place among all that sleep, and whether somebody has woken it.
  _Atomic(const void *) word;
  _Atomic uint64_t place;
  _Atomic int is_woken;
  // Only the thread that looks uses these: how long it has been found busy, and the processor time it had before.
  struct wait busy;
  int64_t worked_before;
  // The first `count` of them are used; what is never used takes no memory.
  struct pollfd files[CLOCK_MOST_FILES];
};

#define MOST_SEATS 256
static struct seat seats[MOST_SEATS];
// How many of them anybody has ever taken.
static _Atomic int known_seats;
// How many are taken by scripts' threads.
static _Atomic int scripts;
static _Thread_local struct seat *own_seat;
static _Thread_local enum kind own_kind;
// Whether the thread waits for a condition, which it does by the system's call as others sleep.
static _Thread_local int is_parked;
// The script's thread that has its turn.
static struct seat *_Atomic turn_holder;
static _Atomic uint32_t turns;
static _Atomic uint32_t given_up;
static _Atomic int counts_all;
static pthread_key_t ending;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Threads that have been made and about which nobody knows yet what they will do.
static _Atomic int unknown;
static _Thread_local int is_unknown;

void clock_thread_made(void) { unknown++; }
void clock_thread_not_made(void) { unknown--; }

static _Atomic uint32_t births;
static _Thread_local uint32_t own_birth;
static _Thread_local int is_of_script;

uint32_t clock_thread_birth(void) { return ++births; }

void clock_thread_is_new(uint32_t birth, int of_script) {
  is_unknown = 1;
  own_birth = birth;
  is_of_script = of_script;
}

void clock_thread_is_known(void) {
  if (!is_unknown) return;
  is_unknown = 0;
  unknown--;
}

// A thread that still waits for something on its way out isn't counted any more.
static void leave(void *seat) {
  struct seat *holder = seat;
  atomic_compare_exchange_strong(&turn_holder, &holder, NULL);
  own_seat = NULL;
  own_kind = kind_other;
  struct seat *left = seat;
  if (left->kind == kind_script) scripts--;
  left->state = state_free;
}

static void make_key(void) { pthread_key_create(&ending, leave); }

// Names as the system cuts them off.
static const struct {
  const char *name;
  enum kind kind;
} kinds[] = {
  {"EventDispatcher", kind_messages},
  {"ReceiveQueue", kind_messages},
  {"rruptDispatcher", kind_messages},
  // The compositor draws what the main thread has handed to it.
  {"eadedCompositor", kind_messages},
  {"WebCore: Worker", kind_script},
  {"ebCore: Worker", kind_script},
  {": ServiceWorker", kind_script},
  {"e: SharedWorker", kind_script},
  {"CryptoQueue", kind_work},
  {"DataURLDecoder", kind_work},
  {"ImageDecoder", kind_work},
  {"Audio Decoder", kind_work},
  // Compiles WebAssembly.
  {"t Helper Thread", kind_work},
  {"JITWorker", kind_help},
  {"HeapHelper", kind_help},
  {"ollector Thread", kind_help},
  {"AudioFileReader", kind_spell},
  {"ffline renderer", kind_spell},
};

static enum kind kind(void) {
  if (own_kind != kind_unknown) return own_kind;
  char name[32] = "";
  pthread_getname_np(pthread_self(), name, sizeof name);
  // A thread gets its name a moment after it was made, and until then has that of the program.
  if (!strncmp(name, "WebKit", 6) || !strcmp(name, "galley-worker")) return kind_other;
  for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++)
    if (!strcmp(name, kinds[i].name)) return own_kind = kinds[i].kind;
  return own_kind = counts_all ? kind_messages : kind_other;
}

void clock_threads_count_all(void) { counts_all = 1; }

static struct seat *seat(void) {
  if (own_seat || kind() == kind_other) return own_seat;
  pthread_once(&once, make_key);
  for (int i = 0; i < MOST_SEATS; i++) {
    int free = state_free;
    if (!atomic_compare_exchange_strong(&seats[i].state, &free, state_runs)) continue;
    own_seat = &seats[i];
    for (int known = known_seats; known <= i && !atomic_compare_exchange_weak(&known_seats, &known, i + 1);) {}
    own_seat->kind = kind();
    if (own_seat->kind == kind_script) scripts++;
    own_seat->birth = own_birth;
    if (pthread_getcpuclockid(pthread_self(), &own_seat->processor)) own_seat->processor = CLOCK_MONOTONIC;
    own_seat->number = gettid();
    pthread_setspecific(ending, own_seat);
    return own_seat;
  }
  return NULL;
}

// Whether it sleeps on a condition of which somebody tells while it has nothing to do.
static int waits_for_work(void) { return kind() == kind_script || kind() == kind_work || kind() == kind_help; }

int clock_thread_is_script(void) { return kind() == kind_script; }
int clock_thread_parks(void) {
  int parks = waits_for_work() && seat();
  clock_thread_is_known();
  return parks;
}

void clock_thread_begins(void) {
  if (waits_for_work() || kind() == kind_spell) seat();
  // Those that carry messages have a seat once they look for some, and a script that made another waits for its answer.
  if (kind() != kind_messages && !(is_of_script && kind() == kind_other)) clock_thread_is_known();
}

void clock_thread_answers(void) {
  if (is_of_script && kind() == kind_other) clock_thread_is_known();
}

void clock_thread_polls(const struct pollfd *files, nfds_t count, int timeout) {
  struct seat *own = seat();
  clock_thread_is_known();
  // Who only looks doesn't sleep, however long the machine keeps it from going on.
  if (!own || kind() == kind_spell || timeout == 0) return;
  own->turn++;
  memcpy(own->files, files, count * sizeof *files);
  own->count = count;
  own->state = state_polls;
}

static void run(void) {
  turns++;
  own_seat->turn++;
  own_seat->until = INT64_MAX;
  own_seat->looks = 0;
  own_seat->state = state_runs;
}

// Scripts of several workers that have something to do at the same instant do it one after the other: in what order
// their threads come to run is the machine's affair, and a page sees whose message is first. So each of them is held
// until nothing else is left to do at that instant, and has its turn until all rest again. The first to have it is the
// one that was made first.
static int (*may_hold)(void);
void clock_threads_hold_scripts(int (*while_)(void)) { may_hold = while_; }

static void wait_for_turn(void) {
  if (own_seat->kind != kind_script || !may_hold || turn_holder == own_seat || !may_hold()) return;
  struct timespec moment = {.tv_nsec = 1000000};
  own_seat->has_turn = 0;
  own_seat->turn++;
  own_seat->state = state_held;
  int was_parked = is_parked;
  is_parked = 1;
  while (!own_seat->has_turn && may_hold())
    syscall(SYS_futex, &own_seat->has_turn, FUTEX_WAIT_PRIVATE, 0, &moment, NULL, 0);
  is_parked = was_parked;
}

static struct seat *first_held(void) {
  struct seat *found = NULL;
  for (int i = 0; i < known_seats; i++) {
    if (seats[i].state == state_held && (!found || seats[i].birth < found->birth)) found = &seats[i];
  }
  return found;
}

int clock_threads_hold_any(void) { return first_held() != NULL; }

int clock_threads_pass_turn(void) {
  struct seat *next = first_held();
  turn_holder = next;
  if (!next) return 0;
  int held = state_held;
  // It may have gone on by itself.
  if (!atomic_compare_exchange_strong(&next->state, &held, state_runs)) return 1;
  next->has_turn = 1;
  syscall(SYS_futex, &next->has_turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  return 1;
}

void clock_thread_runs(void) {
  if (own_seat) run();
}

void clock_thread_goes_on(void) {
  if (!own_seat) return;
  wait_for_turn();
  run();
}

void clock_thread_looks(void) {
  if (own_seat && own_seat->kind == kind_script) own_seat->looks++;
}

int clock_thread_waits(
    pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until, const struct timespec *longest,
    int (*is_over)(int64_t)) {
  own_seat->turn++;
  own_seat->until = until;
  is_parked = 1;
  uint32_t seen = parking_begin(&own_seat->parking, &own_seat->state, state_waits, condition, mutex);
  // Whoever noticed by himself that he has been woken would have a turn that nobody gave him.
  do parking_sleep(&own_seat->parking, seen, longest);
  while (is_over && own_seat->parking.wakes == seen && !is_over(until));
  wait_for_turn();
  int result = parking_end(&own_seat->parking, mutex);
  is_parked = 0;
  run();
  return result;
}

void clock_threads_wake(pthread_cond_t *condition) {
  for (int i = 0; i < known_seats; i++)
    parking_wake(&seats[i].parking, &seats[i].state, state_waits, state_runs, condition);
}

int clock_thread_sleeps(const void *word, uint32_t while_) {
  static _Atomic uint64_t places;
  if (!own_seat || is_parked) return 0;
  own_seat->turn++;
  own_seat->word = word;
  own_seat->place = ++places;
  own_seat->is_woken = 0;
  own_seat->state = state_sleeps;
  // Who changed the word before may have looked for sleepers before as well, and the system won't let this one sleep.
  if (*(const _Atomic uint32_t *)word != while_) own_seat->is_woken = 1;
  return 1;
}

// The system wakes first who has slept longest.
static struct seat *longest_asleep(const void *word) {
  struct seat *found = NULL;
  for (int i = 0; i < known_seats; i++) {
    struct seat *seat = &seats[i];
    if (seat->state != state_sleeps || seat->word != word || seat->is_woken) continue;
    if (!found || seat->place < found->place) found = seat;
  }
  return found;
}

void clock_threads_rouse(const void *word, int most) {
  struct seat *seat;
  while (most-- > 0 && (seat = longest_asleep(word))) seat->is_woken = 1;
}

uint32_t clock_threads_turns(void) { return turns; }
uint32_t clock_threads_given_up(void) { return given_up; }

static int rests(struct seat *seat, int64_t now, int (*look)(struct pollfd *, nfds_t)) {
  if (seat->kind == kind_help && !scripts) return 1;
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
    case state_sleeps:
      return !seat->is_woken;
    case state_held:
      return 1;
    default:
      // A script that waits by asking for the time over and over sleeps as others do.
      return seat->looks >= CLOCK_MOST_LOOKS;
  }
}

static int64_t milliseconds(clockid_t clock) {
  struct timespec time;
  // A thread that has just ended has no clock any more.
  if (syscall(SYS_clock_gettime, clock, &time)) return 0;
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

// Milliseconds within which the system runs a thread that was woken, unless the machine is very busy.
static const int64_t longest_waking = 50;

// How long it has waited. Between two looks at most `longest_pause` passes, unless the looking thread did something
// else, in which case it waited for nobody.
static int64_t waited(struct wait *wait, int64_t now) {
  static const int64_t longest_pause = 100;
  if (wait->since == 0) wait->since = now;
  else if (now - wait->seen > longest_pause) wait->since += now - wait->seen - longest_pause;
  wait->seen = now;
  return now - wait->since;
}

// Whether the system has a thread of this process asleep, rather than waiting for a processor; true where nobody can say.
static int is_asleep(pid_t number) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", number);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  if (length <= 0) return 1;
  text[length] = 0;
  // Before it stands the thread's name, which may be anything.
  const char *state = strrchr(text, ')');
  return !state || strncmp(state, ") S", 3) == 0;
}

// Whether a thread found busy has used up what it is waited for in one stretch, in milliseconds. One that computes is
// measured by its processor time, since on a loaded machine time passes without it; one that doesn't, by the machine's.
static int tries_patience(struct seat *seat) {
  // A script that computes on and on is its author's wish; the others come to an end, and are kept from it by others.
  int64_t patience = seat->kind == kind_script ? 1000 : 5000;
  int64_t worked = milliseconds(seat->processor);
  if (seat->busy.since == 0) seat->worked_before = worked;
  int64_t passed = waited(&seat->busy, milliseconds(CLOCK_MONOTONIC));
  // Another may have been woken in its place, or nobody: then it sleeps on, and takes no processor.
  if (seat->state == state_sleeps && passed >= longest_waking && worked == seat->worked_before &&
      is_asleep(seat->number)) {
    seat->is_woken = 0;
    return 1;
  }
  if (passed < patience) return 0;
  int64_t works = worked - seat->worked_before;
  int computes = works * 20 >= passed || !is_asleep(seat->number);
  return !computes || works >= patience;
}

// Whether threads have been made that may be about to do something. The system may be slow to run one; but one that
// has neither a name nor anything that is seen to wait for isn't waited for long, and then never again.
static int awaits_unknown(void) {
  static const int64_t patience = 1000;
  static struct wait wait;
  static int given_up_on;
  int count = unknown;
  if (count < given_up_on) given_up_on = count;
  if (count == given_up_on) {
    wait.since = 0;
    return 0;
  }
  if (waited(&wait, milliseconds(CLOCK_MONOTONIC)) < patience) return 1;
  given_up_on = count;
  // Every pause of such a thread has to be known; one that isn't costs each render that second, so it is told.
  given_up++;
  return 0;
}

int clock_threads_rest(int64_t now, int (*look)(struct pollfd *, nfds_t)) {
  if (awaits_unknown()) return 0;
  for (int i = 0; i < known_seats; i++) {
    struct seat *seat = &seats[i];
    if (rests(seat, now, look)) {
      seat->busy.since = 0;
      continue;
    }
    if (!tries_patience(seat)) return 0;
    if (seat->kind != kind_script && seat->state != state_sleeps) given_up++;
  }
  return 1;
}

void clock_threads_wake_due(int64_t now) {
  for (int i = 0; i < known_seats; i++)
    if (seats[i].state == state_waits && seats[i].until <= now) parking_look(&seats[i].parking);
}

int64_t clock_threads_next_timer(void) {
  int64_t next = INT64_MAX;
  for (int i = 0; i < known_seats; i++) {
    if (seats[i].state == state_waits && seats[i].until < next) next = seats[i].until;
  }
  return next;
}
