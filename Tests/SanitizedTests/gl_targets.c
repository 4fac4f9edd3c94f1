// Table of what WebGL draws on: what is left out, and what is stale by that.
#include "../../Sources/GalleyClock/gl_targets.c"

#include "check.h"

enum { screen = 2, texture = 4, shadow = 7 };
static const int all[4] = {0, 0, 100, 80};

static int draws(uint64_t name, int overwrites, int is_unwatched, int64_t frame) {
  return !gl_target_skips(gl_target_of(name), overwrites, is_unwatched, frame, all);
}

// Draws a frame: an overwrite, then two things on it; returns how many of them were done.
static int draw_frame(uint64_t name, int is_unwatched, int64_t frame) {
  return draws(name, 1, is_unwatched, frame) + draws(name, 0, is_unwatched, frame) + draws(name, 0, is_unwatched, frame);
}

static void what_is_drawn_in_each_frame_is_left_out_and_drawn_again(void) {
  gl_targets_forget();
  for (int frame = 0; frame < 8; frame++) CHECK(draw_frame(screen, 1, frame) == 3);
  CHECK(gl_targets_stale() == 0);
  for (int frame = 8; frame < 20; frame++) CHECK(draw_frame(screen, 1, frame) == 0);
  CHECK(gl_targets_stale() == 1 && gl_target_find(screen)->is_stale);
  CHECK(draw_frame(screen, 0, 20) == 3);
  CHECK(gl_targets_stale() == 0);
  CHECK(draw_frame(screen, 1, 21) == 0);
}

static void a_frame_is_left_out_as_a_whole_or_not_at_all(void) {
  gl_targets_forget();
  for (int frame = 0; frame < 10; frame++) draw_frame(screen, 0, frame);
  CHECK(draws(screen, 1, 0, 10) && draws(screen, 0, 1, 10));
  CHECK(!draws(screen, 1, 1, 11) && !draws(screen, 0, 0, 11) && gl_targets_stale() == 1);
}

static void what_adds_to_earlier_frames_is_always_drawn(void) {
  gl_targets_forget();
  for (int frame = 0; frame < 40; frame++) CHECK(draws(texture, 0, 1, frame));
  // An overwrite in the middle of a frame comes too late: what was drawn before it may have been used.
  for (int frame = 40; frame < 80; frame++) CHECK(draws(texture, 0, 1, frame) && draws(texture, 1, 1, frame));
  CHECK(gl_targets_stale() == 0);
}

static void what_is_drawn_now_and_then_is_always_drawn(void) {
  gl_targets_forget();
  for (int frame = 0; frame < 400; frame += 7) CHECK(draw_frame(texture, 1, frame) == 3);
  // Each third frame, on two textures in turn.
  for (int frame = 400; frame < 448; frame += 6) CHECK(draw_frame(screen, 1, frame) == 3);
  CHECK(draw_frame(screen, 1, 448) == 0);
}

static void what_stops_being_drawn_stays_stale(void) {
  gl_targets_forget();
  for (int frame = 0; frame < 12; frame++) draw_frame(screen, 1, frame);
  for (int frame = 12; frame < 50; frame++) draw_frame(shadow, 0, frame);
  CHECK(gl_targets_stale() == 1);
  // Something drawn on top doesn't bring back what is below it.
  CHECK(draws(screen, 0, 0, 50) && gl_targets_stale() == 1);
  gl_target_remove(screen);
  CHECK(gl_targets_stale() == 0 && !gl_target_find(screen));
}

static void a_box_has_to_cover_all_that_was_drawn(void) {
  gl_targets_forget();
  struct gl_target *target = gl_target_of(screen);
  CHECK(!gl_target_is_within(target, all));
  draws(screen, 1, 0, 0);
  CHECK(gl_target_is_within(target, all) && gl_target_is_within(target, (int[4]){-5, 0, 200, 80}));
  CHECK(!gl_target_is_within(target, (int[4]){0, 0, 99, 80}) && !gl_target_is_within(target, (int[4]){1, 0, 100, 80}));
}

static void there_are_more_than_places(void) {
  gl_targets_forget();
  for (uint64_t name = 1; name <= MOST_GL_TARGETS; name++) CHECK(gl_target_of(name));
  CHECK(!gl_target_of(MOST_GL_TARGETS + 1) && !gl_target_of(0));
  for (int frame = 0; frame < 40; frame++) CHECK(draw_frame(MOST_GL_TARGETS + 1, 1, frame) == 3);
  gl_target_set_stale(NULL, 1);
  gl_target_remove(MOST_GL_TARGETS + 1);
  gl_target_remove(1);
  CHECK(gl_target_of(MOST_GL_TARGETS + 1));
}

int main(void) {
  what_is_drawn_in_each_frame_is_left_out_and_drawn_again();
  a_frame_is_left_out_as_a_whole_or_not_at_all();
  what_adds_to_earlier_frames_is_always_drawn();
  what_is_drawn_now_and_then_is_always_drawn();
  what_stops_being_drawn_stays_stale();
  a_box_has_to_cover_all_that_was_drawn();
  there_are_more_than_places();
  return 0;
}
