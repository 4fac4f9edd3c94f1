#pragma once
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

#pragma GCC visibility push(hidden)

// The threads whose work can lead to more work elsewhere: those that carry messages, scripts' workers, and those to which
// the engine gives what a page may wait for, such as to decode and to compile.

// Files that a watched thread polls at most. The network process has one for each connection, and with a recorder as many
// of those as a page has requests.
#define CLOCK_MOST_FILES 4096
// A script that asks for the time so often without sleeping waits for it to pass.
#define CLOCK_MOST_LOOKS 50000

// From now on every thread that polls counts as one that carries messages.
void clock_threads_count_all(void);

// Whether the calling thread runs a worker's script.
int clock_thread_is_script(void);

// Somebody makes a thread, which counts as at work until it is known what it does: until it has a name, waits or ends.
// Whoever made it goes on at once, and may well rest before the system runs it.
void clock_thread_made(void);
// It couldn't be made after all.
void clock_thread_not_made(void);
// The number of a thread that is about to be made.
uint32_t clock_thread_birth(void);
// The calling thread is one of those, with its number, and whether a script's thread made it.
void clock_thread_is_new(uint32_t birth, int of_script);
// The calling thread has woken who waits for a condition, as a new one does who made it.
void clock_thread_answers(void);
void clock_thread_is_known(void);

// What the calling thread is about to do, that has its name; nothing for threads of other kinds.
void clock_thread_begins(void);
void clock_thread_polls(const struct pollfd *files, nfds_t count, int timeout);
void clock_thread_runs(void);
// The same for one that may have to wait for its turn.
void clock_thread_goes_on(void);
// The calling thread has asked for the time.
void clock_thread_looks(void);

// From now on threads of workers' scripts do what they are woken for one after the other, in turns, while a function that
// says so is true.
void clock_threads_hold_scripts(int (*while_)(void));
// Whether one of them waits for its turn; such count as asleep.
int clock_threads_hold_any(void);
// All rest: gives the turn to the next of them; 0 where none waits for it.
int clock_threads_pass_turn(void);

// The calling thread is about to sleep until somebody wakes who sleeps on a word of memory, unless that isn't `while_` any
// more; 0 where it has no seat.
int clock_thread_sleeps(const void *word, uint32_t while_);
// So many of those that sleep on a word are woken now.
void clock_threads_rouse(const void *word, int most);

// Whether the calling thread counts as asleep while it waits for a condition.
int clock_thread_parks(void);
// Waits for one, for `longest` of the machine's time, or again and again for so long until `is_over`; counts as asleep up
// to the instant `until` of the clock. Wakes without a reason at times. 0, or the C library's error.
int clock_thread_waits(
    pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until, const struct timespec *longest,
    int (*is_over)(int64_t until));
// Wakes all that wait for a condition so.
void clock_threads_wake(pthread_cond_t *condition);

// Whether all of them sleep with nothing to do at this instant; `look` says how many of some files are ready, at once.
// A thread that computes is waited for, but not for ever.
int clock_threads_rest(int64_t now, int (*look)(struct pollfd *, nfds_t));
// The instant at which the next of them wants to be woken; INT64_MAX for none.
int64_t clock_threads_next_timer(void);
// It has come: they look at the time now rather than in a while.
void clock_threads_wake_due(int64_t now);
// How often any of them woke.
uint32_t clock_threads_turns(void);
// How often time passed though one of them, a script's aside, had more to do than it was waited for.
uint32_t clock_threads_given_up(void);

#pragma GCC visibility pop
