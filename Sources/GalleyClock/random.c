// Random numbers in workers whose script comes from a file, where none of Galley's scripts can run first: the engine's
// generator gives a worker's thread numbers that follow from the render's seed.
#define _GNU_SOURCE
#include "clock_threads.h"
#include "process.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// C++ span, as the system's calling convention passes it.
struct bytes {
  uint8_t *start;
  size_t count;
};

// State of a worker's generators. `values`, for scripts, starts alike in all workers, as in frames. `names`, for names
// that the engine invents, such as those of blobs, must differ: it depends on the order in which the scripts begin.
struct generator {
  uint32_t number;
  uint32_t values;
  uint32_t names;
};
static _Thread_local struct generator generator;

static void begin(_Atomic uint32_t *count) {
  const char *text = getenv("JSC_forcedWeakRandomSeed");
  if (!text || !clock_thread_is_script()) return;
  uint32_t number = ++*count;
  uint32_t seed = (uint32_t)strtoul(text, NULL, 10);
  generator = (struct generator){.number = number, .values = seed, .names = seed + number * 0x9e3779b9u};
}

// Number of named threads, and number of scripts that have begun, in their turns, since the render's page began.
static _Atomic uint32_t named, begun;

void random_begins_in_named_thread(void) {
  if (!generator.number) begin(&named);
}

void random_begins_in_script(void) { begin(&begun); }
void random_begins_in_page(void) { begun = 0; }

// Mulberry32, as in Galley's script in pages.
static uint32_t bits(uint32_t *state) {
  uint32_t mixed = *state += 0x6d2b79f5;
  mixed = (mixed ^ mixed >> 15) * (mixed | 1);
  mixed ^= mixed + (mixed ^ mixed >> 7) * (mixed | 61);
  return mixed ^ mixed >> 14;
}

// Tells if the numbers are for a script. Then the caller is the engine's library; for names it is that of JavaScript.
static int is_for_script(const void *caller) {
  Dl_info info;
  return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libwebkit2gtk");
}

// WTF::cryptographicallyRandomValues(std::span<uint8_t>). An engine with another name for it keeps its own numbers.
#define RANDOM_VALUES "_ZN3WTF29cryptographicallyRandomValuesESt4spanIhLm18446744073709551615EE"
void random_values(struct bytes) __asm__(RANDOM_VALUES);

void random_values(struct bytes bytes) {
  static void (*next)(struct bytes);
  if (!generator.number) {
    if (!next) next = (void (*)(struct bytes))dlsym(RTLD_NEXT, RANDOM_VALUES);
    next(bytes);
    return;
  }
  uint32_t *state = is_for_script(__builtin_return_address(0)) ? &generator.values : &generator.names;
  for (size_t i = 0; i < bytes.count; i++) bytes.start[i] = bits(state) >> 24;
}
