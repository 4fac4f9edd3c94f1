#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Bytes of libFuzzer's, taken one by one, and the end of a program that does wrong with them.

struct input {
  const uint8_t *next, *end;
};

// Takes one byte; 0 after the last.
static inline uint8_t take(struct input *input) { return input->next < input->end ? *input->next++ : 0; }

// Takes a text up to its NUL or to the end, in memory of its own.
static inline char *take_text(struct input *input) {
  size_t length = strnlen((const char *)input->next, (size_t)(input->end - input->next));
  char *text = calloc(length + 1, 1);
  memcpy(text, input->next, length);
  input->next += length + (input->next + length < input->end);
  return text;
}

// Ends the program with the place of what doesn't hold, as a crash that libFuzzer reports with its bytes.
#define HOLDS(holds) \
  ((holds) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #holds), abort()))
