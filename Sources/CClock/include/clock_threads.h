#pragma once
#include <poll.h>
#include <stdint.h>

// The threads whose work can lead to more work elsewhere: those that carry messages, and scripts' workers.

#define CLOCK_MOST_FILES 32

// From now on every thread that polls counts as one that carries messages.
void clock_threads_count_all(void);

// Whether the calling thread runs a worker's script.
int clock_thread_is_script(void);

// What the calling thread is about to do; nothing for threads of other kinds.
void clock_thread_polls(const struct pollfd *files, nfds_t count);
void clock_thread_waits(int64_t until);
void clock_thread_runs(void);

// Whether all of them sleep with nothing to do at this instant; `look` says how many of some files are ready, at once.
// A thread that computes is waited for, but not for ever.
int clock_threads_rest(int64_t now, int (*look)(struct pollfd *, nfds_t));
// The instant at which the next of them wants to be woken; INT64_MAX for none.
int64_t clock_threads_next_timer(void);
// How often any of them woke.
uint32_t clock_threads_turns(void);
