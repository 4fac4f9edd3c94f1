// The engine draws what a script has changed at once, between the display's frames, and calls scripts then as for a frame.
// On every machine that comes a little later than the script did; at the very same instant animations that it began
// wouldn't be ready, and would be heard of otherwise. Phones draw with their display alone, and so does a stepped clock.
#define _GNU_SOURCE
#include "drawing.h"
#include "process.h"

#include <dlfcn.h>
#include <string.h>

// A page's timer.
struct page {
  struct _GSource *timer;
  int is_set;
  // When it was drawn last.
  int64_t drawn;
};
// More than a process has at a time; whose timer has been gone for longest makes room.
#define MOST_PAGES 16
static struct page pages[MOST_PAGES];
static unsigned known;
// Whose timer came last.
static struct page *at_work;

static int draws(struct _GSource *timer) {
  static const char *(*name_of)(struct _GSource *);
  if (!name_of) name_of = (const char *(*)(struct _GSource *))dlsym(RTLD_DEFAULT, "g_source_get_name");
  const char *name = name_of ? name_of(timer) : NULL;
  return name && strstr(name, "DrawingAreaCoordinatedGraphics::DisplayTimer");
}

static struct page *page_of(struct _GSource *timer) {
  if (!draws(timer)) return NULL;
  for (int i = 0; i < MOST_PAGES; i++)
    if (pages[i].timer == timer) return &pages[i];
  struct page *page = &pages[known++ % MOST_PAGES];
  *page = (struct page){.timer = timer, .drawn = -1};
  return page;
}

// In whole microseconds, as the worker reckons it.
static int64_t instant_of(int64_t frame) {
  int64_t passed = frame * (second / microsecond) / 60 * microsecond;
  return process.region->began + (frame == 0 ? CLOCK_FIRST_FRAME : passed);
}

// The first frame of the display that comes at this instant or later.
static int64_t frame_from(int64_t now) {
  int64_t frame = (now - process.region->began) * 60 / second;
  while (instant_of(frame) < now) frame++;
  return frame;
}

// A frame of the display is drawn as it comes, and once; what comes later belongs to the next.
static int64_t drawing_from(const struct page *page, int64_t now) {
  int64_t frame = frame_from(now);
  return instant_of(frame) == now && page->drawn == now ? instant_of(frame + 1) : instant_of(frame);
}

int64_t drawing_timer_set(struct _GSource *timer, int64_t ready) {
  struct page *page = page_of(timer);
  if (!page) return ready;
  int64_t now = process.region->now;
  page->is_set = ready >= 0;
  if (ready < 0) {
    at_work = page;
    page->drawn = now;
  }
  if (ready != 0) return ready;
  int64_t due = drawing_from(page, now);
  return due > now ? due / microsecond : 0;
}

// A page that has been drawn stops its timer, which its own layout may have set. One that couldn't be drawn would come
// again at this very instant.
void drawing_is_refused(void) {
  static void (*set)(struct _GSource *, int64_t);
  if (!set) set = dlsym(RTLD_DEFAULT, "g_source_set_ready_time");
  if (at_work && at_work->is_set) set(at_work->timer, -1);
}
