// Table of the watched threads: which threads get a slot, and what each does.
#define _GNU_SOURCE
#include "thread_slots.h"

#include <string.h>
#include <unistd.h>

struct thread_slot thread_slots[MOST_SLOTS];
_Atomic int known_slots;
_Atomic int script_threads;
_Thread_local struct thread_slot *own_slot;
static _Thread_local enum thread_kind own_kind;
static _Atomic uint32_t wake_ups;
static _Atomic int counts_all;
static pthread_key_t ending;
static pthread_once_t once = PTHREAD_ONCE_INIT;

_Atomic int unknown_threads;
static _Thread_local int is_unknown;

void clock_thread_made(void) { unknown_threads++; }
void clock_thread_not_made(void) { unknown_threads--; }

static _Atomic uint32_t created_threads;
static _Thread_local uint32_t own_creation_order;
static _Thread_local int is_made_by_script;

uint32_t clock_thread_creation_order(void) { return ++created_threads; }

void clock_thread_is_new(uint32_t creation_order, int by_script) {
  is_unknown = 1;
  own_creation_order = creation_order;
  is_made_by_script = by_script;
}

void clock_thread_is_known(void) {
  if (!is_unknown) return;
  is_unknown = 0;
  unknown_threads--;
}

// Frees the slot of a thread that ends. Its waits from here on, in later destructors, are not watched.
static void leave(void *slot) {
  thread_drops_turn(slot);
  own_slot = NULL;
  own_kind = kind_other;
  struct thread_slot *left = slot;
  if (left->kind == kind_script) script_threads--;
  left->state = state_free;
}

static void make_key(void) { pthread_key_create(&ending, leave); }

// Names of threads as the system truncates them.
static const struct {
  const char *name;
  enum thread_kind kind;
} kinds[] = {
  {"EventDispatcher", kind_messages},
  {"ReceiveQueue", kind_messages},
  {"rruptDispatcher", kind_messages},
  // Draws the layers that the main thread has handed over.
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
  {"JITWorker", kind_helper},
  {"HeapHelper", kind_helper},
  {"ollector Thread", kind_helper},
  {"AudioFileReader", kind_short_lived},
  {"ffline renderer", kind_short_lived},
};

static enum thread_kind find_kind(void) {
  if (own_kind != kind_unknown) return own_kind;
  char name[32] = "";
  pthread_getname_np(pthread_self(), name, sizeof name);
  // A new thread has the program's name until it sets its own.
  if (!strncmp(name, "WebKit", 6) || !strcmp(name, "galley-worker")) return kind_other;
  for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++)
    if (!strcmp(name, kinds[i].name)) return own_kind = kinds[i].kind;
  return own_kind = counts_all ? kind_messages : kind_other;
}

void clock_threads_count_all(void) { counts_all = 1; }

static struct thread_slot *take_slot(void) {
  if (own_slot || find_kind() == kind_other) return own_slot;
  pthread_once(&once, make_key);
  for (int i = 0; i < MOST_SLOTS; i++) {
    int free = state_free;
    if (!atomic_compare_exchange_strong(&thread_slots[i].state, &free, state_runs)) continue;
    own_slot = &thread_slots[i];
    for (int known = known_slots; known <= i && !atomic_compare_exchange_weak(&known_slots, &known, i + 1);) {}
    own_slot->kind = find_kind();
    if (own_slot->kind == kind_script) script_threads++;
    own_slot->creation_order = own_creation_order;
    clockid_t clock;
    own_slot->processor_clock = pthread_getcpuclockid(pthread_self(), &clock) ? CLOCK_MONOTONIC : clock;
    own_slot->tid = gettid();
    pthread_setspecific(ending, own_slot);
    return own_slot;
  }
  return NULL;
}

// Tells if the calling thread waits for a condition while it has nothing to do.
static int waits_for_work(void) {
  return find_kind() == kind_script || find_kind() == kind_work || find_kind() == kind_helper;
}

int clock_thread_is_script(void) { return find_kind() == kind_script; }
int clock_thread_is_waiter(void) {
  int is_waiter = waits_for_work() && take_slot();
  clock_thread_is_known();
  return is_waiter;
}

void clock_thread_begins(void) {
  if (waits_for_work() || find_kind() == kind_short_lived) take_slot();
  // Message threads take their slot when they first poll. A thread that a script created is known once it answers.
  if (find_kind() != kind_messages && !(is_made_by_script && find_kind() == kind_other)) clock_thread_is_known();
}

void clock_thread_answers(void) {
  if (is_made_by_script && find_kind() == kind_other) clock_thread_is_known();
}

void clock_thread_polls(const struct pollfd *files, nfds_t count, int timeout) {
  struct thread_slot *own = take_slot();
  clock_thread_is_known();
  // A poll without a timeout never counts as sleep, however long the system suspends the thread in it.
  if (!own || find_kind() == kind_short_lived || timeout == 0) return;
  own->changes++;
  memcpy(own->files, files, count * sizeof *files);
  own->file_count = count;
  own->state = state_polls;
}

static void run(void) {
  wake_ups++;
  own_slot->changes++;
  own_slot->until = INT64_MAX;
  own_slot->time_queries = 0;
  own_slot->state = state_runs;
}

void clock_thread_runs(void) {
  if (own_slot) run();
}

void clock_thread_runs_in_turn(void) {
  if (!own_slot) return;
  thread_waits_for_turn();
  run();
}

void clock_thread_queries_time(void) {
  if (own_slot && own_slot->kind == kind_script) own_slot->time_queries++;
}

int clock_thread_waits(
    pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until, const struct timespec *longest,
    int (*is_over)(int64_t)) {
  own_slot->changes++;
  own_slot->until = until;
  uint32_t seen = waiter_begin(&own_slot->waiter, &own_slot->state, state_waits, condition, mutex);
  // Only a wake or the end of the time ends the wait: after any other return the script would run without a turn.
  do waiter_sleep(&own_slot->waiter, seen, longest);
  while (is_over && own_slot->waiter.wakes == seen && !is_over(until));
  thread_waits_for_turn();
  int result = waiter_end(&own_slot->waiter, mutex);
  run();
  return result;
}

void clock_threads_wake_waiters(pthread_cond_t *condition) {
  for (int i = 0; i < known_slots; i++)
    waiter_wake(&thread_slots[i].waiter, &thread_slots[i].state, state_waits, state_runs, condition);
}

int clock_thread_sleeps(const void *word, uint32_t while_) {
  static _Atomic uint64_t sleeps;
  if (!own_slot) return 0;
  own_slot->changes++;
  own_slot->word = word;
  own_slot->sleep_order = ++sleeps;
  own_slot->is_woken = 0;
  own_slot->state = state_sleeps;
  // A thread that changed the word already may have looked for sleepers before this one; the kernel won't let it sleep.
  if (*(const _Atomic uint32_t *)word != while_) own_slot->is_woken = 1;
  return 1;
}

// Finds the thread that the kernel wakes first: the one that has slept longest.
static struct thread_slot *longest_asleep(const void *word) {
  struct thread_slot *found = NULL;
  for (int i = 0; i < known_slots; i++) {
    struct thread_slot *slot = &thread_slots[i];
    if (slot->state != state_sleeps || slot->word != word || slot->is_woken) continue;
    if (!found || slot->sleep_order < found->sleep_order) found = slot;
  }
  return found;
}

void clock_threads_wake_sleepers(const void *word, int most) {
  struct thread_slot *slot;
  while (most-- > 0 && (slot = longest_asleep(word))) slot->is_woken = 1;
}

uint32_t clock_threads_wake_ups(void) { return wake_ups; }
