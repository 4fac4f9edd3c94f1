#pragma once
#include <stdint.h>

#pragma GCC visibility push(hidden)

// Textures and renderbuffers on which WebGL draws: which of them a page draws anew in each frame, and which are of an
// older frame.
//
// Software draws WebGL, which is most of a game's cost. What has been overwritten as a whole in each of the last frames
// will be in the next, so nothing is lost if a frame that nobody looks at isn't drawn. Until it is drawn again it is
// stale, and so is everything on which something stale was drawn.

struct gl_target {
  // Name of the texture or renderbuffer; 0 for a free place.
  uint64_t name;
  // Number of the last frame in which something was drawn on it; -1 before the first.
  int64_t frame;
  // Number of frames, one after the other, that began with an overwrite of all of it.
  unsigned run;
  int is_skipped, is_stale;
  // Right and upper edge of all that was drawn, in pixels from the left and lower one.
  int width, height;
};

// More than a game draws on again and again; what is drawn on others is always done.
#define MOST_GL_TARGETS 128

// Finds an entry; NULL if there is none.
struct gl_target *gl_target_find(uint64_t name);
// Returns the entry of this name, a new one for a new name; NULL for 0 and where no place is left.
struct gl_target *gl_target_of(uint64_t name);
void gl_target_remove(uint64_t name);
void gl_targets_forget(void);
// Returns the number of stale ones.
unsigned gl_targets_stale(void);

// Called before something is drawn on it; tells if that can be left out.
//
// `overwrites`: it replaces all colours. `is_unwatched`: nobody looks at this frame. `box`: where it draws, as x, y,
// width and height.
int gl_target_skips(struct gl_target *target, int overwrites, int is_unwatched, int64_t frame, const int box[4]);
void gl_target_set_stale(struct gl_target *target, int is_stale);
// Tells if the box covers everything that was drawn so far.
int gl_target_is_within(const struct gl_target *target, const int box[4]);

#pragma GCC visibility pop
