#pragma once
#include <pthread.h>

#pragma GCC visibility push(hidden)

// Watched waits for conditions. conditions.c replaces the C library's functions; the worker (frame_gate.c) and the
// engine's processes (waiting.c in GalleyClock) each define what follows.

// Tells if the calling thread's waits are watched.
int condition_is_watched(void);
// Waits in place of the C library; returns 0 or its error.
int condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
// Wakes all threads in a watched wait for the condition.
void condition_wakes(pthread_cond_t *condition);
// Called when the calling thread has set its name.
void thread_is_named(const char *name);

#pragma GCC visibility pop
