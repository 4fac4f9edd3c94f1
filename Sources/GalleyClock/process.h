#pragma once
#include "clock_region.h"

#include <stdint.h>
#include <time.h>

#pragma GCC visibility push(hidden)

// State of this process and of the clock that it has joined.

static const int64_t second = 1000000000;
static const int64_t millisecond = 1000000;
static const int64_t microsecond = 1000;

struct clock_process {
  // Memory shared with the worker; NULL until the process joins.
  struct clock_region *region;
  // Number of this process among those with pages; 0 for a process without a page.
  uint32_t generation;
  int kick;
  int rest;
};
extern struct clock_process process;

// Tells if the worker sets this process's time.
int process_is_stepped(void);
// Tells if the worker is told when this process rests.
int process_is_watched(void);
int process_is_main_thread(void);

// Returns machine time, past the functions that this library replaces.
int64_t machine_time(clockid_t clock);
// Returns the monotonic time of this process.
int64_t process_time(void);
// Returns the time of any clock, if time is stepped.
int64_t stepped_time(clockid_t clock);
int is_wall_clock(clockid_t clock);
struct timespec timespec_of(int64_t time);

void pass_time(int64_t now);
// Returns the number of messages that this process has sent to the engine's other processes.
uint32_t messages_sent(void);
// Called when the calling thread has its name: seeds its random numbers, if it is a worker's and the render has a seed.
void random_begins_in_named_thread(void);
// Called when a worker's script begins, in its turn.
void random_begins_in_script(void);
// Called when the first page of a render begins.
void random_begins_in_page(void);
// Called when the first page of a render begins: forgets what pages of the render before have drawn.
void gl_begins_in_page(void);
// Called when the main thread sleeps: starts the count of time queries again.
void forget_time_queries(void);

#pragma GCC visibility pop
