// Chance in workers that come from files, where no script of ours runs before theirs: what the engine's generator says to
// a worker's thread follows from the render's seed.
#define _GNU_SOURCE
#include "clock_threads.h"
#include "process.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// A C++ span as the system's calling convention passes it.
struct bytes {
  uint8_t *start;
  size_t count;
};

// Each worker has the same numbers, as frames have. Names that the engine makes up, as those of blobs, must not be alike:
// they go by which worker it is, in the order in which their scripts begin.
struct chance {
  uint32_t number;
  uint32_t values;
  uint32_t names;
};
static _Thread_local struct chance chance;

static void begin(_Atomic uint32_t *count) {
  const char *text = getenv("JSC_forcedWeakRandomSeed");
  if (!text || !clock_thread_is_script()) return;
  uint32_t number = ++*count;
  uint32_t seed = (uint32_t)strtoul(text, NULL, 10);
  chance = (struct chance){.number = number, .values = seed, .names = seed + number * 0x9e3779b9u};
}

// Threads that have a name, and scripts that have begun in their turn since the render's page did.
static _Atomic uint32_t named, begun;

void chance_of_named_thread(void) {
  if (!chance.number) begin(&named);
}

void chance_of_script(void) { begin(&begun); }
void chance_of_page(void) { begun = 0; }

// Mulberry32, as in the page's own script.
static uint32_t bits(uint32_t *state) {
  uint32_t mixed = *state += 0x6d2b79f5;
  mixed = (mixed ^ mixed >> 15) * (mixed | 1);
  mixed ^= mixed + (mixed ^ mixed >> 7) * (mixed | 61);
  return mixed ^ mixed >> 14;
}

// Scripts are answered by the engine's library, which has names made by that of its language.
static int is_for_script(const void *caller) {
  Dl_info info;
  return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libwebkit2gtk");
}

// WTF::cryptographicallyRandomValues(std::span<uint8_t>); an engine that has it under another name keeps its own chance.
#define RANDOM_VALUES "_ZN3WTF29cryptographicallyRandomValuesESt4spanIhLm18446744073709551615EE"
void random_values(struct bytes) __asm__(RANDOM_VALUES);

void random_values(struct bytes bytes) {
  static void (*next)(struct bytes);
  if (!chance.number) {
    if (!next) next = (void (*)(struct bytes))dlsym(RTLD_NEXT, RANDOM_VALUES);
    next(bytes);
    return;
  }
  uint32_t *state = is_for_script(__builtin_return_address(0)) ? &chance.values : &chance.names;
  for (size_t i = 0; i < bytes.count; i++) bytes.start[i] = bits(state) >> 24;
}
