// Intervals of garbage collection, which the engine makes a multiple of the last collection's duration. In time that
// stands still a collection takes none, so one followed each piece of work, which cost more than everything else in a
// process with many pages.
#define _GNU_SOURCE
#include "process.h"

#include <dlfcn.h>

// Seconds that a collection takes on a phone, about.
static const double usual_length = 0.01;

typedef double gc_length(void *callback, void *heap);

static double length_of(void *callback, void *heap, const char *name, gc_length **next) {
  if (process_is_stepped()) return usual_length;
  if (!*next) *next = (gc_length *)dlsym(RTLD_NEXT, name);
  return *next ? (*next)(callback, heap) : usual_length;
}

// JSC::EdenGCActivityCallback::lastGCLength and JSC::FullGCActivityCallback::lastGCLength; WTF::Seconds is a double.
__attribute__((visibility("default"))) double _ZN3JSC22EdenGCActivityCallback12lastGCLengthERNS_4HeapE(void *callback, void *heap) {
  static gc_length *next;
  return length_of(callback, heap, "_ZN3JSC22EdenGCActivityCallback12lastGCLengthERNS_4HeapE", &next);
}

__attribute__((visibility("default"))) double _ZN3JSC22FullGCActivityCallback12lastGCLengthERNS_4HeapE(void *callback, void *heap) {
  static gc_length *next;
  return length_of(callback, heap, "_ZN3JSC22FullGCActivityCallback12lastGCLengthERNS_4HeapE", &next);
}
