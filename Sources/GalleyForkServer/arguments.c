// What /proc shows of a web process.
#define _GNU_SOURCE
#include "server.h"

#include <stdio.h>

enum { STANDARD_FILES = 3 };

void name_arguments(const struct request *request, struct web_process *process) {
  // They stay where they are when there is no room for them.
  static char numbers[2][12];
  char *place = process->arguments[1];
  char *end = process->arguments[3] + strlen(process->arguments[3]) + 1;
  for (int i = 0; i < 2; i++) snprintf(numbers[i], sizeof numbers[i], "%d", STANDARD_FILES + i);
  char *texts[3] = {request->arguments[0], numbers[0], numbers[1]};
  memset(place, 0, (size_t)(end - place));
  for (int i = 0; i < 3; i++) {
    size_t size = strlen(texts[i]) + 1;
    int fits = size <= (size_t)(end - place);
    process->arguments[i + 1] = fits ? memcpy(place, texts[i], size) : texts[i];
    if (fits) place += size;
  }
  process->variables = request->variables;
}
