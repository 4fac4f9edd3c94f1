#pragma once
#include <pthread.h>

#pragma GCC visibility push(hidden)

// Threads that are watched while they wait for a condition, in the worker and in the engine's processes; each has its own.

// Whether the calling thread is.
int condition_is_watched(void);
// Waits for it in its place; 0, or the C library's error.
int condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
// Wakes all that wait for it so.
void condition_wakes(pthread_cond_t *condition);
// The calling thread has a name.
void thread_is_named(const char *name);

#pragma GCC visibility pop
