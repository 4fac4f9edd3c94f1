// WebGL in frames that nobody looks at. The engine's WebGL calls functions of the system's library by pointers that it
// asks for by name; it gets those of this file for functions that draw, copy or read. They leave out what gl_targets
// says, and have the worker know what is stale before it takes a picture.
#define _GNU_SOURCE
#include "gl_targets.h"
#include "process.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

// Values of the OpenGL ES 3.2 specification.
enum {
  GL_COLOR_BUFFER_BIT = 0x4000, GL_COLOR = 0x1800, GL_SCISSOR_TEST = 0x0c11, GL_SCISSOR_BOX = 0x0c10, GL_COLOR_WRITEMASK = 0x0c23,
  GL_FRAMEBUFFER = 0x8d40, GL_READ_FRAMEBUFFER = 0x8ca8, GL_DRAW_FRAMEBUFFER = 0x8ca9, GL_COLOR_ATTACHMENT0 = 0x8ce0,
  GL_LAST_COLOR_ATTACHMENT = 0x8cef, GL_TEXTURE_2D = 0x0de1,
  GL_ACTIVE_TEXTURE = 0x84e0, GL_TEXTURE0 = 0x84c0, GL_TEXTURE_BINDING_2D = 0x8069,
};
// Texture units that are looked at: as many as a fragment shader has at least.
#define UNITS 16

static struct {
  void (*BindFramebuffer)(uint32_t, uint32_t);
  void (*DeleteFramebuffers)(int, const uint32_t *);
  void (*DeleteTextures)(int, const uint32_t *);
  void (*DeleteRenderbuffers)(int, const uint32_t *);
  void (*FramebufferTexture2D)(uint32_t, uint32_t, uint32_t, uint32_t, int);
  void (*FramebufferTextureLayer)(uint32_t, uint32_t, uint32_t, int, int);
  void (*FramebufferRenderbuffer)(uint32_t, uint32_t, uint32_t, uint32_t);
  void (*Viewport)(int, int, int, int);
  void (*Clear)(uint32_t);
  void (*ClearBufferfv)(uint32_t, int, const float *);
  void (*ClearBufferiv)(uint32_t, int, const int *);
  void (*ClearBufferuiv)(uint32_t, int, const uint32_t *);
  void (*ClearBufferfi)(uint32_t, int, float, int);
  void (*DrawArrays)(uint32_t, int, int);
  void (*DrawElements)(uint32_t, int, uint32_t, const void *);
  void (*DrawArraysInstanced)(uint32_t, int, int, int);
  void (*DrawElementsInstanced)(uint32_t, int, uint32_t, const void *, int);
  void (*DrawRangeElements)(uint32_t, uint32_t, uint32_t, int, uint32_t, const void *);
  void (*BlitFramebuffer)(int, int, int, int, int, int, int, int, uint32_t, uint32_t);
  void (*ReadPixels)(int, int, int, int, uint32_t, uint32_t, void *);
  void (*CopyTexImage2D)(uint32_t, int, uint32_t, int, int, int, int, int);
  void (*CopyTexSubImage2D)(uint32_t, int, int, int, int, int, int, int);
  void (*CopyTexSubImage3D)(uint32_t, int, int, int, int, int, int, int, int);
  void (*BeginQuery)(uint32_t, uint32_t);
  void (*BeginTransformFeedback)(uint32_t);
  // Functions that are only called from here.
  void (*ActiveTexture)(uint32_t);
  void (*GetBooleanv)(uint32_t, uint8_t *);
  void (*GetIntegerv)(uint32_t, int *);
  uint8_t (*IsEnabled)(uint32_t);
} real;

// Framebuffers with the texture or renderbuffer of their colours; more than a game has, and others aren't followed.
#define MOST_FRAMEBUFFERS 256
static struct framebuffer {
  uint32_t name;
  uint64_t colours;
  // Set once it has drawn on more than these colours: on several textures, on a part of one, on a depth texture.
  int has_more;
} framebuffers[MOST_FRAMEBUFFERS];
// Framebuffers that are bound for drawing and for reading; NULL for those that aren't followed.
static struct framebuffer *drawing, *reading;

static struct framebuffer *framebuffer_of(uint32_t name) {
  struct framebuffer *vacant = NULL;
  for (int i = 0; name && i < MOST_FRAMEBUFFERS; i++) {
    if (framebuffers[i].name == name) return &framebuffers[i];
    if (framebuffers[i].name == 0 && !vacant) vacant = &framebuffers[i];
  }
  if (vacant) *vacant = (struct framebuffer){.name = name};
  return vacant;
}

static struct gl_target *target_of(const struct framebuffer *buffer) {
  return buffer && !buffer->has_more ? gl_target_of(buffer->colours) : NULL;
}

static int is_stale(const struct framebuffer *buffer) {
  const struct gl_target *target = buffer ? gl_target_find(buffer->colours) : NULL;
  return target && target->is_stale;
}

// Where the page draws, as last set: x, y, width, height.
static int viewport[4];
// Set once the page has asked what was drawn, which has to be drawn then.
static int draws_all;

static int is_followed(void) { return process_is_stepped() && process_is_main_thread() && real.GetIntegerv != NULL; }

static int is_unwatched(void) { return process.region->is_unwatched && !draws_all; }

// Returns the number of the frame; the worker's frames come at whole microseconds, up to one before their time.
static int64_t frame(void) { return (process.region->now - process.region->began + microsecond) * 60 / second; }

static void tell(void) { process.region->has_stale_pixels = gl_targets_stale() > 0; }

static uint64_t texture(uint32_t name) { return (uint64_t)name << 1; }
static uint64_t renderbuffer(uint32_t name) { return name ? (uint64_t)name << 1 | 1 : 0; }

// Tells if a shader may read what is stale: one of the bound textures is.
static int samples_stale(void) {
  if (gl_targets_stale() == 0) return 0;
  int active = 0, found = 0;
  real.GetIntegerv(GL_ACTIVE_TEXTURE, &active);
  for (uint32_t unit = 0; unit < UNITS && !found; unit++) {
    int bound = 0;
    real.ActiveTexture(GL_TEXTURE0 + unit);
    real.GetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
    const struct gl_target *source = gl_target_find(texture((uint32_t)bound));
    found = source && source->is_stale && (!drawing || source->name != drawing->colours);
  }
  real.ActiveTexture((uint32_t)active);
  return found;
}

static int skips(int overwrites) {
  int is_skipped = gl_target_skips(target_of(drawing), overwrites, is_unwatched(), frame(), viewport);
  tell();
  return is_skipped;
}

// What has just been made of something stale is stale; nobody would know it of what isn't followed.
static void taint(void) {
  struct gl_target *target = target_of(drawing);
  if (!target) process.region->used_stale = draws_all = 1;
  gl_target_set_stale(target, 1);
  tell();
}

static int skips_draw(void) {
  if (!is_followed()) return 0;
  if (skips(0)) return 1;
  if (samples_stale()) taint();
  return 0;
}

static int overwrites_all(int has_colour) {
  uint8_t mask[4] = {0};
  int box[4] = {0};
  if (real.IsEnabled(GL_SCISSOR_TEST)) {
    real.GetIntegerv(GL_SCISSOR_BOX, box);
    has_colour = has_colour && gl_target_is_within(target_of(drawing), box);
  }
  if (!has_colour) return 0;
  real.GetBooleanv(GL_COLOR_WRITEMASK, mask);
  return mask[0] && mask[1] && mask[2] && mask[3];
}

static int skips_clear(int has_colour) { return is_followed() && skips(overwrites_all(has_colour)); }

// What leaves the framebuffers, to a script or a texture, can't be drawn later. Where the page paints it is the engine
// that reads.
static void leaves(void) {
  if (!is_followed() || !(process.region->is_unwatched || process.region->is_unseen)) return;
  struct gl_target *target = target_of(reading);
  if (target) target->run = 0;
  if (is_stale(reading)) process.region->used_stale = draws_all = 1;
}

static void bind(uint32_t point, uint32_t name) {
  if (!is_followed()) return;
  struct framebuffer *buffer = framebuffer_of(name);
  if (point == GL_FRAMEBUFFER || point == GL_DRAW_FRAMEBUFFER) drawing = buffer;
  if (point == GL_FRAMEBUFFER || point == GL_READ_FRAMEBUFFER) reading = buffer;
}

static void attach(uint32_t target, uint32_t point, uint64_t pixels, int is_whole) {
  struct framebuffer *buffer = target == GL_READ_FRAMEBUFFER ? reading : drawing;
  if (!is_followed() || !buffer || !pixels) return;
  if (point == GL_COLOR_ATTACHMENT0) buffer->colours = pixels;
  int is_texture = !(pixels & 1);
  int is_another = point > GL_COLOR_ATTACHMENT0 && point <= GL_LAST_COLOR_ATTACHMENT;
  if (!is_whole || is_another || (is_texture && point != GL_COLOR_ATTACHMENT0)) buffer->has_more = 1;
}

static void BindFramebuffer(uint32_t point, uint32_t name) {
  real.BindFramebuffer(point, name);
  bind(point, name);
}

static void DeleteFramebuffers(int count, const uint32_t *names) {
  real.DeleteFramebuffers(count, names);
  if (!is_followed()) return;
  for (int i = 0; i < count; i++) {
    struct framebuffer *buffer = framebuffer_of(names[i]);
    if (drawing == buffer) drawing = NULL;
    if (reading == buffer) reading = NULL;
    if (buffer) buffer->name = 0;
  }
}

static void remove_pixels(uint64_t name) {
  gl_target_remove(name);
  tell();
}

static void DeleteTextures(int count, const uint32_t *names) {
  real.DeleteTextures(count, names);
  for (int i = 0; is_followed() && i < count; i++) remove_pixels(texture(names[i]));
}

static void DeleteRenderbuffers(int count, const uint32_t *names) {
  real.DeleteRenderbuffers(count, names);
  for (int i = 0; is_followed() && i < count; i++) remove_pixels(renderbuffer(names[i]));
}

static void FramebufferTexture2D(uint32_t target, uint32_t point, uint32_t kind, uint32_t name, int level) {
  real.FramebufferTexture2D(target, point, kind, name, level);
  attach(target, point, texture(name), kind == GL_TEXTURE_2D && level == 0);
}

static void FramebufferTextureLayer(uint32_t target, uint32_t point, uint32_t name, int level, int layer) {
  real.FramebufferTextureLayer(target, point, name, level, layer);
  attach(target, point, texture(name), 0);
}

static void FramebufferRenderbuffer(uint32_t target, uint32_t point, uint32_t kind, uint32_t name) {
  real.FramebufferRenderbuffer(target, point, kind, name);
  attach(target, point, renderbuffer(name), 1);
}

static void Viewport(int x, int y, int width, int height) {
  real.Viewport(x, y, width, height);
  if (!is_followed()) return;
  const int box[4] = {x, y, width, height};
  memcpy(viewport, box, sizeof viewport);
}

static void Clear(uint32_t mask) {
  if (!skips_clear((mask & GL_COLOR_BUFFER_BIT) != 0)) real.Clear(mask);
}

static void ClearBufferfv(uint32_t buffer, int index, const float *value) {
  if (!skips_clear(buffer == GL_COLOR && index == 0)) real.ClearBufferfv(buffer, index, value);
}

static void ClearBufferiv(uint32_t buffer, int index, const int *value) {
  if (!skips_clear(buffer == GL_COLOR && index == 0)) real.ClearBufferiv(buffer, index, value);
}

static void ClearBufferuiv(uint32_t buffer, int index, const uint32_t *value) {
  if (!skips_clear(buffer == GL_COLOR && index == 0)) real.ClearBufferuiv(buffer, index, value);
}

static void ClearBufferfi(uint32_t buffer, int index, float depth, int stencil) {
  if (!skips_clear(0)) real.ClearBufferfi(buffer, index, depth, stencil);
}

static void DrawArrays(uint32_t mode, int first, int count) {
  if (!skips_draw()) real.DrawArrays(mode, first, count);
}

static void DrawElements(uint32_t mode, int count, uint32_t type, const void *indices) {
  if (!skips_draw()) real.DrawElements(mode, count, type, indices);
}

static void DrawArraysInstanced(uint32_t mode, int first, int count, int instances) {
  if (!skips_draw()) real.DrawArraysInstanced(mode, first, count, instances);
}

static void DrawElementsInstanced(uint32_t mode, int count, uint32_t type, const void *indices, int instances) {
  if (!skips_draw()) real.DrawElementsInstanced(mode, count, type, indices, instances);
}

static void DrawRangeElements(
    uint32_t mode, uint32_t start, uint32_t end, int count, uint32_t type, const void *indices) {
  if (!skips_draw()) real.DrawRangeElements(mode, start, end, count, type, indices);
}

static void BlitFramebuffer(
    int x0, int y0, int x1, int y1, int toX0, int toY0, int toX1, int toY1, uint32_t mask, uint32_t filter) {
  if (is_followed()) {
    if (skips((mask & GL_COLOR_BUFFER_BIT) != 0 && !real.IsEnabled(GL_SCISSOR_TEST))) return;
    if (is_stale(reading)) taint();
  }
  real.BlitFramebuffer(x0, y0, x1, y1, toX0, toY0, toX1, toY1, mask, filter);
}

static void ReadPixels(int x, int y, int width, int height, uint32_t format, uint32_t type, void *pixels) {
  leaves();
  real.ReadPixels(x, y, width, height, format, type, pixels);
}

static void CopyTexImage2D(
    uint32_t target, int level, uint32_t format, int x, int y, int width, int height, int border) {
  leaves();
  real.CopyTexImage2D(target, level, format, x, y, width, height, border);
}

static void CopyTexSubImage2D(uint32_t target, int level, int toX, int toY, int x, int y, int width, int height) {
  leaves();
  real.CopyTexSubImage2D(target, level, toX, toY, x, y, width, height);
}

static void CopyTexSubImage3D(
    uint32_t target, int level, int toX, int toY, int toZ, int x, int y, int width, int height) {
  leaves();
  real.CopyTexSubImage3D(target, level, toX, toY, toZ, x, y, width, height);
}

// The answer to a query is about what was drawn.
static void BeginQuery(uint32_t target, uint32_t query) {
  if (is_followed()) draws_all = 1;
  real.BeginQuery(target, query);
}

static void BeginTransformFeedback(uint32_t mode) {
  if (is_followed()) draws_all = 1;
  real.BeginTransformFeedback(mode);
}

typedef void (*function)(void);

// A function of the system's library, the one that is called instead (NULL: none) and where its address is kept.
struct named {
  const char *name;
  function own;
  function *place;
};

#define FOLLOWED(name) {"gl" #name, (function)name, (function *)&real.name}
#define CALLED(name) {"gl" #name, NULL, (function *)&real.name}
static const struct named functions[] = {
    FOLLOWED(BindFramebuffer), FOLLOWED(DeleteFramebuffers), FOLLOWED(DeleteTextures),
    FOLLOWED(DeleteRenderbuffers), FOLLOWED(FramebufferTexture2D),
    FOLLOWED(FramebufferTextureLayer), FOLLOWED(FramebufferRenderbuffer), FOLLOWED(Viewport), FOLLOWED(Clear), FOLLOWED(ClearBufferfv),
    FOLLOWED(ClearBufferiv), FOLLOWED(ClearBufferuiv), FOLLOWED(ClearBufferfi), FOLLOWED(DrawArrays),
    FOLLOWED(DrawElements), FOLLOWED(DrawArraysInstanced), FOLLOWED(DrawElementsInstanced),
    FOLLOWED(DrawRangeElements), FOLLOWED(BlitFramebuffer), FOLLOWED(ReadPixels), FOLLOWED(CopyTexImage2D),
    FOLLOWED(CopyTexSubImage2D), FOLLOWED(CopyTexSubImage3D), FOLLOWED(BeginQuery), FOLLOWED(BeginTransformFeedback),
    CALLED(ActiveTexture), CALLED(GetBooleanv), CALLED(GetIntegerv), CALLED(IsEnabled),
};

// Functions by which the engine's compositor draws, on a thread of its own. It needn't show frames that WebGL left out:
// it draws again when WebGL does.
static struct {
  void (*DrawArrays)(uint32_t, int, int);
  void (*DrawElements)(uint32_t, int, uint32_t, const void *);
  void (*Clear)(uint32_t);
} composing;

static int composes(void) {
  return !process_is_stepped() || process_is_main_thread() || !process.region->is_unwatched
      || !process.region->has_stale_pixels;
}

static void compose_arrays(uint32_t mode, int first, int count) {
  if (composes()) composing.DrawArrays(mode, first, count);
}

static void compose_elements(uint32_t mode, int count, uint32_t type, const void *indices) {
  if (composes()) composing.DrawElements(mode, count, type, indices);
}

static void compose_clear(uint32_t mask) {
  if (composes()) composing.Clear(mask);
}

static const struct named compositor_functions[] = {
    {"glDrawArrays", (function)compose_arrays, (function *)&composing.DrawArrays},
    {"glDrawElements", (function)compose_elements, (function *)&composing.DrawElements},
    {"glClear", (function)compose_clear, (function *)&composing.Clear},
};

static function (*find_function)(const char *);

static function replaced(const struct named *table, size_t count, const char *name, function theirs) {
  for (size_t i = 0; theirs && i < count; i++) {
    if (strcmp(table[i].name, name) != 0) continue;
    *table[i].place = theirs;
    return table[i].own ? table[i].own : theirs;
  }
  return theirs;
}

#define COUNT(table) (sizeof(table) / sizeof *(table))

// Answers the engine's question for a function of the system's library.
static function found(const char *name) {
  return replaced(functions, COUNT(functions), name, find_function(name));
}

static int comes_from(const void *address, const char *library) {
  Dl_info caller;
  return dladdr(address, &caller) != 0 && caller.dli_fname != NULL && strstr(caller.dli_fname, library) != NULL;
}

void *dlsym(void *handle, const char *name) {
  static void *(*find)(void *, const char *);
  if (!find) find = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
  if (!find) find = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
  int is_drawing = strncmp(name, "gl", 2) == 0 || strcmp(name, "eglGetProcAddress") == 0;
  if (handle == RTLD_DEFAULT || handle == RTLD_NEXT || !is_drawing) {
    // The caller's library decides what comes next after it: this has to be its call.
    __attribute__((musttail)) return find(handle, name);
  }
  void *theirs = find(handle, name);
  const void *caller = __builtin_return_address(0);
  if (comes_from(caller, "libepoxy"))
    return (void *)replaced(compositor_functions, COUNT(compositor_functions), name, (function)theirs);
  if (!theirs || strcmp(name, "eglGetProcAddress") != 0 || !comes_from(caller, "libwebkit2gtk")) return theirs;
  find_function = (function (*)(const char *))theirs;
  return (void *)found;
}

void gl_begins_in_page(void) {
  gl_targets_forget();
  memset(framebuffers, 0, sizeof framebuffers);
  drawing = reading = NULL;
  draws_all = 0;
  process.region->used_stale = 0;
  tell();
}
