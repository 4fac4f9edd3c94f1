// Chance in workers that come from files, where no script of ours runs before theirs: what the engine's generator says to
// a worker's thread follows from the render's seed and from which of the process's workers it is.
#define _GNU_SOURCE
#include "clock_threads.h"
#include "process.h"

#include <dlfcn.h>
#include <stdlib.h>

// A C++ span as the system's calling convention passes it.
struct bytes {
  uint8_t *start;
  size_t count;
};

// Which of the process's workers this thread is, from 1; 0 for another thread.
static _Thread_local uint32_t worker;
static _Thread_local uint32_t state;

// The engine waits until a thread has its name before it makes the next, so that workers are counted in the order of
// their making.
void chance_of_named_thread(void) {
  static _Atomic uint32_t workers;
  const char *seed = getenv("JSC_forcedWeakRandomSeed");
  if (worker || !seed || !clock_thread_is_script()) return;
  worker = ++workers;
  state = (uint32_t)strtoul(seed, NULL, 10) + worker * 0x9e3779b9u;
}

// Mulberry32, as in the page's own script.
static uint32_t bits(void) {
  uint32_t mixed = state += 0x6d2b79f5;
  mixed = (mixed ^ mixed >> 15) * (mixed | 1);
  mixed ^= mixed + (mixed ^ mixed >> 7) * (mixed | 61);
  return mixed ^ mixed >> 14;
}

// WTF::cryptographicallyRandomValues(std::span<uint8_t>); an engine that has it under another name keeps its own chance.
#define RANDOM_VALUES "_ZN3WTF29cryptographicallyRandomValuesESt4spanIhLm18446744073709551615EE"
void random_values(struct bytes) __asm__(RANDOM_VALUES);

void random_values(struct bytes bytes) {
  static void (*next)(struct bytes);
  if (!worker) {
    if (!next) next = (void (*)(struct bytes))dlsym(RTLD_NEXT, RANDOM_VALUES);
    next(bytes);
    return;
  }
  for (size_t i = 0; i < bytes.count; i++) bytes.start[i] = bits() >> 24;
}
