#pragma once
#include <stdint.h>

#pragma GCC visibility push(hidden)

// When the earliest of the main loop's timers is due after this instant, in nanoseconds; INT64_MAX for none. One that is
// no more may be among them.
int64_t loop_timers_next(int64_t now);

// Notes when a timer is due, in nanoseconds; INT64_MAX for never.
void loop_timers_set(const void *timer, int64_t due);

#pragma GCC visibility pop
