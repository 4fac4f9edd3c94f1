#pragma once
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

// Futexes of the clock itself, by raw system calls. In the engine's processes GalleyClock replaces the C library's
// `syscall` to see the sleeps of the engine's threads; the clock's own sleeps must not pass through it.

// Returns the kernel's result, which is a negative errno on failure. `errno` stays as it is.
static inline long futex_call(
    const _Atomic uint32_t *word, long operation, uint32_t value, const struct timespec *timeout) {
#if defined(__x86_64__)
  long result = SYS_futex;
  register const struct timespec *fourth __asm__("r10") = timeout;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(word), "S"(operation), "d"((unsigned long)value), "r"(fourth)
                   : "rcx", "r11", "memory", "cc");
  return result;
#elif defined(__aarch64__)
  register long first __asm__("x0") = (long)word;
  register long second __asm__("x1") = operation;
  register unsigned long third __asm__("x2") = value;
  register const struct timespec *fourth __asm__("x3") = timeout;
  register long number __asm__("x8") = SYS_futex;
  __asm__ volatile("svc #0" : "+r"(first) : "r"(second), "r"(third), "r"(fourth), "r"(number) : "memory", "cc");
  return first;
#else
#error "no raw system call for this processor"
#endif
}

// Sleeps while the word has this value, at most for `longest` of the machine's time; NULL sets no limit. May wake
// earlier without a reason.
static inline void futex_wait(const _Atomic uint32_t *word, uint32_t value, const struct timespec *longest) {
  futex_call(word, FUTEX_WAIT_PRIVATE, value, longest);
}

// Wakes at most `most` of the threads that sleep on the word.
static inline void futex_wake(const _Atomic uint32_t *word, int most) {
  futex_call(word, FUTEX_WAKE_PRIVATE, (uint32_t)most, NULL);
}
