#pragma once
#include <stdio.h>
#include <stdlib.h>

// Ends the program with the place of what doesn't hold.
#define CHECK(holds) \
  ((holds) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #holds), exit(1)))

// Numbers that are the same in every run.
static inline unsigned next_number(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}
