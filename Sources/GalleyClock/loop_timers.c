// Times of the main loop's timers, to the microsecond. The loop itself polls for whole milliseconds from the time of
// the poll, so that any event before, even another page's, would delay the next timer by a part of a millisecond.

#include "loop_timers.h"

#include <stdlib.h>

struct timer {
  const void *key;
  int64_t due;
};

static struct timer *timers;
static size_t count, capacity;

static struct timer *find(const void *key) {
  for (size_t index = 0; index < count; index++)
    if (timers[index].key == key) return &timers[index];
  return NULL;
}

static struct timer *add(const void *key) {
  if (count == capacity) {
    size_t more = capacity ? 2 * capacity : 64;
    struct timer *room = realloc(timers, more * sizeof *room);
    if (!room) return NULL;
    timers = room;
    capacity = more;
  }
  timers[count].key = key;
  return &timers[count++];
}

void loop_timers_set(const void *key, int64_t due) {
  struct timer *timer = find(key);
  if (due == INT64_MAX) {
    if (timer) *timer = timers[--count];
    return;
  }
  if (!timer) timer = add(key);
  if (timer) timer->due = due;
}

int64_t loop_timers_next(int64_t now) {
  int64_t next = INT64_MAX;
  for (size_t index = count; index-- > 0;) {
    if (timers[index].due <= now) {
      timers[index] = timers[--count];
    } else if (timers[index].due < next) {
      next = timers[index].due;
    }
  }
  return next;
}
