#pragma once
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

#pragma GCC visibility push(hidden)

// Watched threads, whose work can lead to more work elsewhere: threads that carry messages, threads of workers'
// scripts, and threads that do work that a page may wait for, such as decoding and compiling.

// Largest number of files that a watched thread polls. The network process has a file for each connection, and with a
// recorder a connection for each request of a page.
#define CLOCK_MOST_FILES 4096
// Number of time queries without a sleep after which a script counts as waiting for time to pass.
#define CLOCK_MOST_TIME_QUERIES 50000

// Makes every thread that polls from now on count as one that carries messages.
void clock_threads_count_all(void);

// Tells if the calling thread runs a worker's script.
int clock_thread_is_script(void);

// Notes that a thread is about to be created. It counts as at work until it is known what it does: until it has a name,
// waits or ends. Otherwise its creator could rest before the system has started it.
void clock_thread_made(void);
// Notes that the creation failed.
void clock_thread_not_made(void);
// Returns the position of a thread that is about to be created in the order of creation.
uint32_t clock_thread_creation_order(void);
// Marks the calling thread as new, with its position, and says if a script's thread created it.
void clock_thread_is_new(uint32_t creation_order, int by_script);
// Notes that the calling thread has signalled a condition, as a new thread does to answer its creator.
void clock_thread_answers(void);
// Notes that it is known what the calling thread does.
void clock_thread_is_known(void);

// Notes of what the calling thread is about to do; without effect for threads that aren't watched.

// The thread has its name.
void clock_thread_begins(void);
// The thread polls; it sleeps unless the timeout is 0.
void clock_thread_polls(const struct pollfd *files, nfds_t count, int timeout);
// The thread is awake after a sleep.
void clock_thread_runs(void);
// The same after waiting for its turn, if it runs a script.
void clock_thread_runs_in_turn(void);
// The thread has asked for the time.
void clock_thread_queries_time(void);

// Makes the threads of workers' scripts run in turns from now on, one after the other, whenever `while_` returns true.
void clock_threads_hold_scripts(int (*while_)(void));
// Tells if such a thread waits for its turn; it counts as asleep.
int clock_threads_hold_any(void);
// Gives the turn to the next thread, now that all rest; returns 0 if none waits for it.
int clock_threads_pass_turn(void);

// Notes that the calling thread is about to sleep on a word of memory, as a futex, while it is `while_`. Returns 0 if
// the thread has no slot.
int clock_thread_sleeps(const void *word, uint32_t while_);
// Notes that at most `most` of the threads that sleep on a word are woken.
void clock_threads_wake_sleepers(const void *word, int most);

// Tells if the calling thread counts as asleep while it waits for a condition.
int clock_thread_is_waiter(void);
// Waits for a condition, for `longest` of machine time; with `is_over`, repeatedly until it is woken or `is_over`. The
// thread counts as asleep up to the time `until` of the clock. Sometimes wakes without a reason. Returns 0 or the C
// library's error.
int clock_thread_waits(
    pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until, const struct timespec *longest,
    int (*is_over)(int64_t until));
// Wakes all threads that wait for a condition in this way.
void clock_threads_wake_waiters(pthread_cond_t *condition);

// Tells if all threads sleep with nothing to do at this instant. `poll_now` returns the number of files that are ready,
// without a wait. A thread that computes counts as at work, but not forever.
int clock_threads_rest(int64_t now, int (*poll_now)(struct pollfd *, nfds_t));
// Returns the time at which the next thread wants to be woken; INT64_MAX for none.
int64_t clock_threads_next_timer(void);
// Makes the threads that are due by `now` check the time at once rather than after their next short sleep.
void clock_threads_wake_due(int64_t now);
// Returns the number of times that any thread woke.
uint32_t clock_threads_wake_ups(void);
// Returns the number of times that time passed although a thread, other than a script's, was still at work after the
// longest wait.
uint32_t clock_threads_given_up(void);

#pragma GCC visibility pop
