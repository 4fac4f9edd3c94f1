// Table of the clock's threads: they begin, sleep, are woken, take turns and end. There are more of them than slots.
#include "../../Sources/CClock/thread_slots.c"
#include "../../Sources/CClock/thread_turns.c"
#include "../../Sources/CClock/thread_rest.c"
// Replaces `syscall`, as in a web process.
#include "../../Sources/GalleyClock/futexes.c"

#include "check.h"

enum { more_than_slots = MOST_SLOTS + 44, sleepers = 3, scripts = 3, rounds = 200, churners = 6 };

int process_is_watched(void) { return 1; }

static int poll_now(struct pollfd *files, nfds_t count) { return poll(files, count, 0); }
static int all_rest(void) { return clock_threads_rest(0, poll_now); }

// Waits for something that other threads do soon.
#define SOON(holds) \
  do \
    for (int times = 0; !(holds); times++, usleep(1000)) CHECK(times < 20000); \
  while (0)

static void be(const char *name) {
  pthread_setname_np(pthread_self(), name);
  clock_thread_begins();
}

static void start(pthread_t *thread, void *(*main)(void *), void *argument) {
  CHECK(pthread_create(thread, NULL, main, argument) == 0);
}

static void end_all(pthread_t *threads, int count) {
  for (int i = 0; i < count; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

static int slots_in(int state) {
  int found = 0;
  for (int i = 0; i < MOST_SLOTS; i++) found += thread_slots[i].state == state;
  return found;
}

static _Atomic uint32_t words[more_than_slots];
static _Atomic int begun;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void wake(_Atomic uint32_t *word, int most) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, most, NULL, NULL, 0);
}

// Sleeps as GLib's threads do while the word is 0.
static void sleep_on(_Atomic uint32_t *word) {
  while (!*word) syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

static void *sleep_on_own_word(void *word) {
  be("CryptoQueue");
  begun++;
  sleep_on(word);
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return NULL;
}

static void more_threads_than_slots(void) {
  static pthread_t threads[more_than_slots];
  begun = 0;
  pthread_mutex_lock(&gate);
  for (int i = 0; i < more_than_slots; i++) {
    words[i] = 0;
    start(&threads[i], sleep_on_own_word, &words[i]);
  }
  SOON(begun == more_than_slots && slots_in(state_sleeps) == MOST_SLOTS && all_rest());
  CHECK(known_slots == MOST_SLOTS);
  uint32_t before = clock_threads_wake_ups();
  // Counts as awake from its wake on, whether the system has started it by then or not.
  int woken = 0;
  while (&words[woken] != thread_slots[7].word) woken++;
  words[woken] = 1;
  wake(&words[woken], 1);
  CHECK(!all_rest());
  SOON(thread_slots[7].state == state_runs);
  CHECK(!all_rest() && clock_threads_wake_ups() == before + 1);
  pthread_mutex_unlock(&gate);
  for (int i = 0; i < more_than_slots; i++) {
    words[i] = 1;
    wake(&words[i], 1);
  }
  end_all(threads, more_than_slots);
  CHECK(slots_in(state_free) == MOST_SLOTS && all_rest());
}

static _Atomic uint32_t shared;

static void *sleep_on_shared_word(void *nothing) {
  be("CryptoQueue");
  sleep_on(&shared);
  return nothing;
}

static void longest_sleeper_is_woken_first(void) {
  pthread_t threads[sleepers];
  for (int i = 0; i < sleepers; i++) {
    start(&threads[i], sleep_on_shared_word, NULL);
    SOON(slots_in(state_sleeps) == i + 1);
  }
  for (int i = 0; i < sleepers; i++) CHECK(thread_slots[i].word == &shared && !thread_slots[i].is_woken);
  clock_threads_wake_sleepers(&words, sleepers);
  CHECK(all_rest());
  clock_threads_wake_sleepers(&shared, 1);
  CHECK(thread_slots[0].is_woken && !thread_slots[1].is_woken && !thread_slots[2].is_woken);
  clock_threads_wake_sleepers(&shared, 1);
  CHECK(thread_slots[1].is_woken && !thread_slots[2].is_woken && !all_rest());
  // Nobody has woken them really: they still sleep, and count as asleep again after a while.
  SOON(all_rest());
  CHECK(!thread_slots[0].is_woken && !thread_slots[1].is_woken);
  shared = 1;
  wake(&shared, sleepers);
  end_all(threads, sleepers);
}

static _Atomic int has_noted, may_wake;

static void *sleep_on_changed_word(void *nothing) {
  be("CryptoQueue");
  CHECK(clock_thread_sleeps(&shared, shared + 1));
  has_noted = 1;
  SOON(may_wake);
  clock_thread_runs();
  return nothing;
}

static void changed_word_is_no_sleep(void) {
  pthread_t thread;
  start(&thread, sleep_on_changed_word, NULL);
  SOON(has_noted);
  CHECK(!all_rest());
  may_wake = 1;
  end_all(&thread, 1);
}

static void *poll_file(void *file) {
  struct pollfd own = {.fd = *(int *)file, .events = POLLIN};
  be("ReceiveQueue");
  for (char byte = 0; byte != 'e';) {
    clock_thread_polls(&own, 1, -1);
    CHECK(poll(&own, 1, -1) == 1);
    clock_thread_runs_in_turn();
    pthread_mutex_lock(&gate);
    CHECK(read(own.fd, &byte, 1) == 1);
    pthread_mutex_unlock(&gate);
  }
  return NULL;
}

static void ready_file_is_work(void) {
  pthread_t thread;
  int ends[2];
  CHECK(pipe(ends) == 0);
  start(&thread, poll_file, &ends[0]);
  for (const char *byte = "mme"; *byte; byte++) {
    SOON(slots_in(state_polls) == 1);
    CHECK(all_rest());
    pthread_mutex_lock(&gate);
    CHECK(write(ends[1], byte, 1) == 1 && !all_rest());
    pthread_mutex_unlock(&gate);
    SOON(all_rest());
  }
  end_all(&thread, 1);
  CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
}

static _Atomic int64_t now;
static _Atomic int holds, ran;
static int order[scripts];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static int may_hold_scripts(void) { return holds; }
static int is_due(int64_t until) { return until <= now; }

// Waits for its timer as a worker's script does, and is held then. Threads with a lower number were created later.
static void *run_script(void *number) {
  static const struct timespec longest = {.tv_nsec = 1000000};
  int own = *(int *)number;
  clock_thread_is_new((uint32_t)(scripts - own), 0);
  be("WebCore: Worker");
  pthread_mutex_lock(&lock);
  CHECK(clock_thread_is_waiter());
  while (now < 1000 + own) clock_thread_waits(&condition, &lock, 1000 + own, &longest, is_due);
  order[ran++] = own;
  pthread_mutex_unlock(&lock);
  clock_thread_queries_time();
  return NULL;
}

static void scripts_run_in_order_of_creation(void) {
  pthread_t threads[scripts];
  int numbers[scripts];
  holds = 1;
  for (int i = 0; i < scripts; i++) {
    numbers[i] = i;
    clock_thread_made();
    start(&threads[i], run_script, &numbers[i]);
  }
  // The library's own sleeps don't count as sleeps on a word, so that timers stay known.
  for (int times = 0; times < 30; times++, usleep(1000)) {
    SOON(slots_in(state_waits) == scripts);
    CHECK(all_rest() && clock_threads_next_timer() == 1000 && !clock_threads_hold_any());
  }
  now = 1000 + scripts;
  clock_threads_wake_due(now);
  SOON(slots_in(state_held) == scripts);
  CHECK(all_rest() && clock_threads_next_timer() == INT64_MAX && ran == 0);
  for (int i = 0; i < scripts; i++) {
    CHECK(clock_threads_hold_any() && clock_threads_pass_turn());
    SOON(slots_in(state_held) == scripts - 1 - i && all_rest());
    CHECK(ran == i + 1);
  }
  CHECK(!clock_threads_pass_turn() && !clock_threads_hold_any());
  end_all(threads, scripts);
  for (int i = 0; i < scripts; i++) CHECK(order[i] == scripts - 1 - i);
  CHECK(script_threads == 0 && unknown_threads == 0);
}

static _Atomic int is_signalled, is_awake;

static void *wait_for_signal(void *nothing) {
  be("WebCore: Worker");
  pthread_mutex_lock(&lock);
  CHECK(clock_thread_is_waiter());
  while (!is_signalled) CHECK(clock_thread_waits(&condition, &lock, INT64_MAX, NULL, NULL) == 0);
  is_awake = 1;
  pthread_mutex_unlock(&lock);
  return nothing;
}

static void signalled_waiter_is_awake_at_once(void) {
  pthread_t thread;
  holds = 0;
  start(&thread, wait_for_signal, NULL);
  SOON(slots_in(state_waits) == 1 && all_rest());
  pthread_mutex_lock(&lock);
  is_signalled = 1;
  clock_threads_wake_waiters(&condition);
  CHECK(!all_rest() && !is_awake);
  pthread_mutex_unlock(&lock);
  end_all(&thread, 1);
  CHECK(all_rest());
}

static _Atomic uint32_t generation;
static _Atomic int is_over;

// Begins, does a little of everything, and ends, so that slots change hands while they are looked at.
static void *churn(void *number) {
  static const char *const names[] = {"CryptoQueue", "ReceiveQueue", "WebCore: Worker", "JITWorker", "AudioFileReader"};
  static const struct timespec moment = {.tv_nsec = 100000};
  clock_thread_is_new(clock_thread_creation_order(), 0);
  be(names[*(int *)number % 5]);
  struct pollfd none = {.fd = -1};
  clock_thread_polls(&none, 1, 1);
  poll(&none, 1, 0);
  clock_thread_runs_in_turn();
  syscall(SYS_futex, &generation, FUTEX_WAIT_PRIVATE, generation, &moment, NULL, 0);
  pthread_mutex_lock(&lock);
  if (clock_thread_is_waiter()) clock_thread_waits(&condition, &lock, now + 1, &moment, NULL);
  pthread_mutex_unlock(&lock);
  clock_thread_queries_time();
  clock_thread_is_known();
  return NULL;
}

static void *churn_often(void *number) {
  for (int i = 0; i < rounds; i++) {
    pthread_t thread;
    clock_thread_made();
    start(&thread, churn, number);
    end_all(&thread, 1);
  }
  is_over++;
  return NULL;
}

static void table_is_read_while_it_changes(void) {
  pthread_t threads[churners];
  int numbers[churners];
  holds = 1;
  for (int i = 0; i < churners; i++) {
    numbers[i] = i;
    start(&threads[i], churn_often, &numbers[i]);
  }
  while (is_over < churners) {
    generation++;
    wake(&generation, 1);
    clock_threads_wake_waiters(&condition);
    if (all_rest()) clock_threads_pass_turn();
    now++;
    if (clock_threads_next_timer() <= now) clock_threads_wake_due(now);
  }
  end_all(threads, churners);
  holds = 0;
  CHECK(slots_in(state_free) == MOST_SLOTS && all_rest());
  CHECK(script_threads == 0 && unknown_threads == 0 && !clock_threads_pass_turn());
}

int main(void) {
  clock_threads_hold_scripts(may_hold_scripts);
  longest_sleeper_is_woken_first();
  changed_word_is_no_sleep();
  ready_file_is_work();
  scripts_run_in_order_of_creation();
  signalled_waiter_is_awake_at_once();
  for (int i = 0; i < 2; i++) more_threads_than_slots();
  CHECK(clock_threads_given_up() == 0);
  table_is_read_while_it_changes();
  return 0;
}
