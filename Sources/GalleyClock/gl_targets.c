#include "gl_targets.h"

#include <stddef.h>
#include <string.h>

// Frames after which a page is taken to draw each; and frames between two of them, since a page may draw each third,
// and on two textures in turn.
static const unsigned least_run = 8;
static const int64_t longest_gap = 6;

static struct gl_target targets[MOST_GL_TARGETS];
static unsigned stale;

struct gl_target *gl_target_find(uint64_t name) {
  for (int i = 0; name && i < MOST_GL_TARGETS; i++)
    if (targets[i].name == name) return &targets[i];
  return NULL;
}

struct gl_target *gl_target_of(uint64_t name) {
  struct gl_target *target = gl_target_find(name);
  for (int i = 0; name && !target && i < MOST_GL_TARGETS; i++) {
    if (targets[i].name != 0) continue;
    target = &targets[i];
    *target = (struct gl_target){.name = name, .frame = -1};
  }
  return target;
}

void gl_target_remove(uint64_t name) {
  struct gl_target *target = gl_target_find(name);
  if (!target) return;
  gl_target_set_stale(target, 0);
  target->name = 0;
}

void gl_targets_forget(void) {
  memset(targets, 0, sizeof targets);
  stale = 0;
}

unsigned gl_targets_stale(void) { return stale; }

int gl_target_skips(struct gl_target *target, int overwrites, int is_unwatched, int64_t frame, const int box[4]) {
  if (!target) return 0;
  if (box[0] + box[2] > target->width) target->width = box[0] + box[2];
  if (box[1] + box[3] > target->height) target->height = box[1] + box[3];
  if (target->frame != frame) {
    int follows = target->run > 0 && frame > target->frame && frame - target->frame <= longest_gap;
    target->run = overwrites ? (follows ? target->run + 1 : 1) : 0;
    target->frame = frame;
    target->is_skipped = is_unwatched && target->run > least_run;
    if (overwrites && !target->is_skipped) gl_target_set_stale(target, 0);
  }
  if (target->is_skipped) gl_target_set_stale(target, 1);
  return target->is_skipped;
}

void gl_target_set_stale(struct gl_target *target, int is_stale) {
  if (!target || target->is_stale == is_stale) return;
  target->is_stale = is_stale;
  stale += is_stale ? 1u : -1u;
}

int gl_target_is_within(const struct gl_target *target, const int box[4]) {
  return target && target->width > 0 && box[0] <= 0 && box[1] <= 0 && box[0] + box[2] >= target->width
      && box[1] + box[3] >= target->height;
}
