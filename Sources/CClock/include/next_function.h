#pragma once

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

// Finds a condition function of the C library. On x86-64 each has two versions, and a plain look-up may give the old
// one, whose conditions have another layout. Newer platforms, such as arm64, have a single version with another name.
static inline void *next_condition_function(const char *name) {
  void *found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
  if (!found) found = dlsym(RTLD_NEXT, name);
  if (found) return found;
  fprintf(stderr, "galley: the C library has no %s\n", name);
  abort();
}
