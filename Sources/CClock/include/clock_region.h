#pragma once
#include <stdatomic.h>
#include <stdint.h>

// What a worker shares with one of the engine's processes, in a file that both map.
//
// The worker owns the time: it raises `target` and then `request`. The process lets its time pass up to `target`, timer
// by timer, and says `answer` = `request` once nothing in it is left to do at that instant.
struct clock_region {
  // What becomes of time: an enum clock_mode.
  _Atomic uint32_t mode;
  // How many processes with pages have come; the last is the one that answers.
  _Atomic uint32_t generation;
  // The same with those that run the workers that pages share.
  _Atomic uint32_t joined;
  _Atomic uint32_t request;
  _Atomic uint32_t answer;
  // How often a thread of the process woke because there was something to do.
  _Atomic uint32_t turns;
  // How often its time passed though another of its threads had more to do than it was waited for.
  _Atomic uint32_t given_up;
  // Whether a page of this render has begun; what the engine does before belongs to the one before it.
  _Atomic uint32_t has_document;
  // Nanoseconds of the monotonic clock as the process sees it.
  _Atomic int64_t now;
  _Atomic int64_t target;
  // When the render began: frames of the display come from then on, 60 a second, and the first as soon as what loads has
  // loaded.
  _Atomic int64_t began;
  // When the process would wake by itself, as of its last answer; INT64_MAX for never.
  _Atomic int64_t due;
  // Nanoseconds from the monotonic clock to the wall clock.
  _Atomic int64_t wall;
  // Whether nobody looks at what pages draw now.
  _Atomic uint32_t is_unseen;
  // Whether sessions that begin now may have any number of connections; of the network process alone.
  _Atomic uint32_t has_many_connections;
  // Whether a script's thread waits for its turn, as of the last answer.
  _Atomic uint32_t holds;
  // How often the worker has let such a thread go on at the target.
  _Atomic uint32_t allowed;
};

// Nanoseconds from the beginning to the first frame: to load takes a part of them.
#define CLOCK_FIRST_FRAME 2500000

enum clock_mode {
  // The machine's time, and no answers.
  clock_off,
  // The machine's time; the process says when it has nothing to do.
  clock_watched,
  // The worker's time.
  clock_stepped,
};

// The files in the folder of a region.
#define CLOCK_REGION_FILE "region"
// Written to by the worker, so that the process looks at the region.
#define CLOCK_KICK_FILE "kick"
// Written to by the process when it answers.
#define CLOCK_REST_FILE "rest"

// Names the folder for the engine's network process.
#define CLOCK_NETWORK_VARIABLE "GALLEY_CLOCK_NETWORK"
