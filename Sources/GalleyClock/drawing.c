// Between the display's frames the engine draws what a script has changed, at once. On every machine that comes a little
// later than the script did. At the very same instant animations that the script began wouldn't be ready yet, and pages
// would hear of them otherwise.
#define _GNU_SOURCE
#include "drawing.h"
#include "process.h"

#include <dlfcn.h>
#include <string.h>

// As fine as scripts and animations see the time.
static const int64_t moment = millisecond;

// A page's timer. Pages that find no room are drawn at once.
struct page {
  struct _GSource *timer;
  int is_set;
  // The frame of the display that was drawn last.
  int64_t drawn;
};
#define MOST_PAGES 16
static struct page pages[MOST_PAGES];
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
  for (int i = 0; i < MOST_PAGES; i++) {
    if (!pages[i].timer) pages[i] = (struct page){.timer = timer, .drawn = -1};
    if (pages[i].timer == timer) return &pages[i];
  }
  return NULL;
}

// In whole microseconds, as the worker reckons it.
static int64_t instant_of(int64_t frame) {
  return process.region->began + frame * (second / microsecond) / 60 * microsecond;
}

// The first frame of the display that comes at this instant or later.
static int64_t frame_from(int64_t now) {
  int64_t frame = (now - process.region->began) * 60 / second;
  while (instant_of(frame) < now) frame++;
  return frame;
}

static int64_t drawing_after(struct page *page, int64_t now) {
  int64_t frame = frame_from(now);
  // The display's frame itself is drawn as it comes; what its scripts change is drawn after it.
  if (instant_of(frame) == now) {
    if (page->drawn != now) return page->drawn = now;
    frame++;
  }
  // With the next frame all is drawn that was to be drawn by then.
  return now + moment < instant_of(frame) ? now + moment : instant_of(frame);
}

int64_t drawing_timer_set(struct _GSource *timer, int64_t ready) {
  struct page *page = page_of(timer);
  if (!page) return ready;
  page->is_set = ready >= 0;
  if (ready < 0) at_work = page;
  if (ready != 0) return ready;
  int64_t now = process.region->now, due = drawing_after(page, now);
  return due > now ? due / microsecond : 0;
}

// A page that has been drawn stops its timer, which its own layout may have set. One that couldn't be drawn would come
// again at this very instant.
void drawing_is_refused(void) {
  static void (*set)(struct _GSource *, int64_t);
  if (!set) set = dlsym(RTLD_DEFAULT, "g_source_set_ready_time");
  if (at_work && at_work->is_set) set(at_work->timer, -1);
}
