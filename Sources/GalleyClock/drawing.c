// Drawing outside the display's frames. The engine draws a script's changes at once, between frames, and calls scripts
// as for a frame. On a real machine that happens a little later than the script; at the very same instant the
// animations that the script began wouldn't be ready, and their events would differ. Phones draw with their display
// only, and so does a stepped clock.
#define _GNU_SOURCE
#include "drawing.h"
#include "process.h"

#include <dlfcn.h>
#include <string.h>

// Timer by which the engine draws a page.
struct page {
  struct _GSource *timer;
  int is_set;
  // Time of the last drawing.
  int64_t drawn;
};
// More pages than a process has at a time; the oldest entry makes room.
#define MOST_PAGES 16
static struct page pages[MOST_PAGES];
static unsigned known;
// Page whose timer came last.
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

// Returns the time of a frame, which the worker computes in whole microseconds too.
static int64_t instant_of(int64_t frame) {
  int64_t passed = frame * (second / microsecond) / 60 * microsecond;
  return process.region->began + (frame == 0 ? CLOCK_FIRST_FRAME : passed);
}

// Returns the first frame of the display at this instant or later.
static int64_t frame_from(int64_t now) {
  int64_t frame = (now - process.region->began) * 60 / second;
  while (instant_of(frame) < now) frame++;
  return frame;
}

// Returns the time of the next drawing. A frame is drawn once, when it comes; later changes belong to the next frame.
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

// Stops the timer of the page. The engine does so after a drawing, because the page's layout may have set it; after a
// failed drawing the timer would come again at the same instant.
void drawing_is_refused(void) {
  static void (*set)(struct _GSource *, int64_t);
  if (!set) set = dlsym(RTLD_DEFAULT, "g_source_set_ready_time");
  if (at_work && at_work->is_set) set(at_work->timer, -1);
}
