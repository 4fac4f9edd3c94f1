#pragma once
#include "clock_region.h"

#include <stdint.h>
#include <time.h>

#pragma GCC visibility push(hidden)

// This process and the clock that it has joined.

static const int64_t second = 1000000000;
static const int64_t millisecond = 1000000;
static const int64_t microsecond = 1000;

struct clock_process {
  // What the worker shares with it; NULL until it joins.
  struct clock_region *region;
  // Which process of the region it is; 0 for one without a page.
  uint32_t generation;
  int kick;
  int rest;
};
extern struct clock_process process;

// Whether its time is the worker's.
int process_is_stepped(void);
// Whether the worker is told when it rests.
int process_is_watched(void);
int process_is_main_thread(void);

// The machine's time, past those functions that answer with another.
int64_t machine_time(clockid_t clock);
// The monotonic time that it lives in.
int64_t process_time(void);
// The same of another clock, where time is stepped.
int64_t stepped_time(clockid_t clock);
int is_wall_clock(clockid_t clock);
struct timespec timespec_of(int64_t time);

void pass_time(int64_t now);
// How many messages it has sent to the engine's other processes.
uint32_t messages_sent(void);
// The calling thread has its name: where it is a worker's and the render has a seed, its chance begins with it.
void chance_of_named_thread(void);
// Its script begins, in its turn.
void chance_of_script(void);
// The first page of a render begins.
void chance_of_page(void);
// The main thread has slept; who asks for the time from here on begins anew.
void forget_looks(void);

#pragma GCC visibility pop
