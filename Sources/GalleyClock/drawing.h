#pragma once
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct _GSource;

// Returns the time for a main loop's timer that is set to `ready`, in microseconds (0: at once, -1: never). A timer by
// which the engine draws comes with the display's next frame rather than at once.
int64_t drawing_timer_set(struct _GSource *timer, int64_t ready);

// Called when memory for a painted picture has been refused.
void drawing_is_refused(void);

#pragma GCC visibility pop
