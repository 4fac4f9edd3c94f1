#pragma once
#include "clock_region.h"

// Worker's side of a stepped clock, of the activity of the engine's processes, and of the display's frames.

struct clock_host {
  struct clock_region *region;
  int kick;
  int rest;
};

// Creates the region and its pipes in an empty folder; returns 0 or an errno.
int clock_host_open(struct clock_host *host, const char *folder);
void clock_host_close(struct clock_host *host);

// Stops the web process's time at `now`, with the wall clock at `wall` nanoseconds since 1970.
void clock_host_freeze(struct clock_host *host, int64_t now, int64_t wall);

// Advances the time of a resting process to `now`, before which nothing in it is due.
void clock_host_pass(struct clock_host *host, int64_t now);

// Keeps a process that has answered at the time that it has reached.
void clock_host_stay(struct clock_host *host);

// Sets if the output of pages is unseen; they needn't paint while it is.
void clock_host_set_unseen(struct clock_host *host, int is_unseen);
// Sets if no picture is taken of the frames that come; WebGL needn't draw them.
void clock_host_set_unwatched(struct clock_host *host, int is_unwatched);
// Tells if pages show an older frame than they drew last.
int clock_host_shows_older_frame(const struct clock_host *host);
// Tells if a page has used what was drawn in an older frame.
int clock_host_used_older_frame(const struct clock_host *host);
// Sets if sessions that the network process begins from now on may have any number of connections.
void clock_host_set_many_connections(struct clock_host *host, int has_many);

// Asks the process to finish its work; a web process advances to `target`.
void clock_host_request(struct clock_host *host, int64_t target);
// Tells if the process has answered the latest request; empties the pipe of its answers.
int clock_host_rests(struct clock_host *host);
int64_t clock_host_now(const struct clock_host *host);
// Returns the time at which the process would wake by itself, as of its last answer; INT64_MAX for never.
int64_t clock_host_due(const struct clock_host *host);
// Returns the number of times that the process's threads woke, as of its last answer.
uint32_t clock_host_wake_ups(const struct clock_host *host);
// Returns the number of times that its time passed although a thread was still at work after the longest wait.
uint32_t clock_host_given_up(const struct clock_host *host);
// Tells if a worker's script in the process waited for its turn at its last answer.
int clock_host_holds(const struct clock_host *host);
// Lets that script continue, once the process is asked again.
void clock_host_allow(struct clock_host *host);
// Returns the number of processes without a page that have joined.
uint32_t clock_host_others(const struct clock_host *host);
// Tells if a web process has joined.
int clock_host_is_attached(const struct clock_host *host);

// Tells if the engine's threads in this process sleep with nothing to do.
int clock_own_threads_rest(void);
// Returns the number of times that they woke.
uint32_t clock_own_threads_wake_ups(void);

// Shuts or opens the gate; while it is shut, the display's frames come only on request.
void frame_gate_set(int shut);
// Tells if the engine waits for a frame, which means that the last one has been handled.
int frame_gate_is_wanted(void);
// Lets one frame through.
void frame_gate_pass(void);
// Tells if the calling thread is a display link, whose sleep the gate controls.
int frame_gate_is_link(void);
