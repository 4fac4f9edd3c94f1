#pragma once
#include <stdatomic.h>
#include <stdint.h>

// Memory that a worker shares with one of the engine's processes, in a file that both map.
//
// The worker owns the time: it raises `target` and then `request`. The process lets its time pass up to `target`, timer
// by timer, and sets `answer` to `request` once it has nothing left to do at that instant.
struct clock_region {
  // Kind of time: an enum clock_mode.
  _Atomic uint32_t mode;
  // Number of processes with pages that have joined; the last of them answers.
  _Atomic uint32_t generation;
  // The same, including processes that only run workers shared by pages.
  _Atomic uint32_t joined;
  _Atomic uint32_t request;
  _Atomic uint32_t answer;
  // Number of times that a thread of the process woke with work to do.
  _Atomic uint32_t wake_ups;
  // Number of times that its time passed although a thread was still at work after the longest wait.
  _Atomic uint32_t given_up;
  // Set once a page of this render has begun; earlier work belongs to the previous render.
  _Atomic uint32_t has_document;
  // Nanoseconds of the monotonic clock as the process sees it.
  _Atomic int64_t now;
  _Atomic int64_t target;
  // Start of the render. The display's frames come from then on, 60 a second, and the first at CLOCK_FIRST_FRAME.
  _Atomic int64_t began;
  // Time at which the process would wake by itself, as of its last answer; INT64_MAX for never.
  _Atomic int64_t due;
  // Nanoseconds from the monotonic clock to the wall clock.
  _Atomic int64_t wall;
  // Set while the output of pages is unseen.
  _Atomic uint32_t is_unseen;
  // Set while no picture is taken of the frames that come: WebGL needn't draw them.
  _Atomic uint32_t is_unwatched;
  // Set while WebGL shows pixels of an older frame than pages drew last.
  _Atomic uint32_t has_stale_pixels;
  // Set once a page has used such pixels, so that pictures may be wrong from then on.
  _Atomic uint32_t used_stale;
  // Set if sessions that begin now may have any number of connections; for the network process only.
  _Atomic uint32_t has_many_connections;
  // Set if a script's thread waited for its turn at the last answer.
  _Atomic uint32_t holds;
  // Number of times that the worker has let such a thread continue at the target.
  _Atomic uint32_t allowed;
};

// Nanoseconds from the beginning to the first frame, which include the time to load.
#define CLOCK_FIRST_FRAME 2500000

enum clock_mode {
  // Machine time, without answers.
  clock_off,
  // Machine time; the process reports when it has nothing to do.
  clock_watched,
  // The worker's time.
  clock_stepped,
};

// Files in the folder of a region.
#define CLOCK_REGION_FILE "region"
// Pipe by which the worker makes the process look at the region.
#define CLOCK_KICK_FILE "kick"
// Pipe by which the process reports its answer.
#define CLOCK_REST_FILE "rest"

// Environment variable with the folder for the engine's network process.
#define CLOCK_NETWORK_VARIABLE "GALLEY_CLOCK_NETWORK"
