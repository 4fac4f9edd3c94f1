#define _GNU_SOURCE
#include "drawing.h"
#include "process.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// Painting of unseen frames. In each frame the engine paints the changes into memory that it shares with the worker,
// which is most of a frame's cost. While the output is unseen, that memory is refused. The frame's scripts, styles and
// layout have been done by then, and the changes are kept for the next frame.

static int is_picture(int protection, int flags, int file) {
  // Other threads share long messages in such memory, and fonts are mapped for reading only.
  if (file < 0 || !(protection & PROT_WRITE) || !(flags & MAP_SHARED) || !process_is_main_thread()) return 0;
  char link[32], target[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, target, sizeof target);
  static const char name[] = "/memfd:WebKitSharedMemory";
  return length >= (ssize_t)sizeof name - 1 && strncmp(target, name, sizeof name - 1) == 0;
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
  if (process_is_stepped() && process.region->is_unseen && is_picture(protection, flags, file)) {
    drawing_is_refused();
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return (void *)syscall(SYS_mmap, address, length, protection, flags, file, offset);
}
