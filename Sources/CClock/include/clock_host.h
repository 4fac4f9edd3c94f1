#pragma once
#include "clock_region.h"

// The worker's side of a stepped clock, of what the engine's processes do, and of the display's frames.

struct clock_host {
  struct clock_region *region;
  int kick;
  int rest;
};

// Makes the region and its pipes in an empty folder; 0, or an errno.
int clock_host_open(struct clock_host *host, const char *folder);
void clock_host_close(struct clock_host *host);

// Stops the web process's time at `now`, with the wall clock at `wall` nanoseconds since 1970.
void clock_host_freeze(struct clock_host *host, int64_t now, int64_t wall);

// Lets the time of a process that rests pass to `now`, before which nothing in it is due.
void clock_host_pass(struct clock_host *host, int64_t now);

// Lets the time of a process that has answered pass no further than it has come.
void clock_host_stay(struct clock_host *host);

// Says whether anybody looks at what pages draw; while nobody does they needn't paint it.
void clock_host_set_unseen(struct clock_host *host, int is_unseen);
void clock_host_set_many_connections(struct clock_host *host, int has_many);

// Asks the process to come to rest, a web process at `target`.
void clock_host_request(struct clock_host *host, int64_t target);
// Whether it has; empties the pipe that told so.
int clock_host_rests(struct clock_host *host);
int64_t clock_host_now(const struct clock_host *host);
// When it would wake by itself, as of its last answer; INT64_MAX for never.
int64_t clock_host_due(const struct clock_host *host);
uint32_t clock_host_turns(const struct clock_host *host);
// How often its time passed though another of its threads had more to do than it was waited for.
uint32_t clock_host_given_up(const struct clock_host *host);
// Whether a script in it waits until everybody rests, as of its last answer.
int clock_host_holds(const struct clock_host *host);
// Lets it go on, once the process is asked again.
void clock_host_allow(struct clock_host *host);
// How many processes without a page have come.
uint32_t clock_host_others(const struct clock_host *host);
// Whether a web process has come that knows of the region.
int clock_host_is_attached(const struct clock_host *host);

// Whether the engine's threads in this process sleep with nothing to do, and how often they woke.
int clock_own_threads_rest(void);
uint32_t clock_own_threads_turns(void);

// While the gate is shut, frames of the display come only when asked for.
void frame_gate_set(int shut);
// Whether the engine waits for a frame; the last one has been passed on by then.
int frame_gate_is_wanted(void);
// Lets one frame through.
void frame_gate_pass(void);
// Whether the calling thread is a display link, whose sleep the gate keeps.
int frame_gate_is_link(void);
