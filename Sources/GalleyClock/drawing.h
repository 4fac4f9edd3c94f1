#pragma once
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct _GSource;

// When a timer of the main loop comes that was set so, in microseconds, at once at 0, or never at -1: one by which the
// engine draws comes with the display's next frame rather than at once.
int64_t drawing_timer_set(struct _GSource *timer, int64_t ready);

// What is drawn now has nowhere to go.
void drawing_is_refused(void);

#pragma GCC visibility pop
