#pragma once
#include <stdint.h>

#pragma GCC visibility push(hidden)

// Returns the time at which the main loop's next timer is due after this instant, in nanoseconds; INT64_MAX for none.
// The timer may have been destroyed meanwhile.
int64_t loop_timers_next(int64_t now);

// Notes the time at which a timer is due, in nanoseconds; INT64_MAX for never.
void loop_timers_set(const void *timer, int64_t due);

#pragma GCC visibility pop
