// What a client says to the fork server, of any bytes: the server reads nothing beyond them, each text is among them,
// and a child shows its arguments in the room that there is.
#define _GNU_SOURCE
#include <sanitizer/asan_interface.h>

#include "GalleyForkServer/arguments.c"
#include "GalleyForkServer/request.c"

#include "input.h"

static int is_among(const char *found, size_t length) {
  return found >= text && found < text + length && memchr(found, 0, (size_t)(text + length - found)) != NULL;
}

// In three pieces of memory that lie one behind the other and end where the sanitizer says.
static void is_shown(const struct request *request, size_t room) {
  char *memory = malloc(3 * room);
  memset(memory, '0', 3 * room);
  for (size_t i = 1; i <= 3; i++) memory[i * room - 1] = 0;
  char *arguments[] = {"program", memory, memory + room, memory + 2 * room, NULL};
  struct web_process process = {.count = 4, .arguments = arguments};
  name_arguments(request, &process);
  HOLDS(strcmp(process.arguments[1], request->arguments[0]) == 0);
  HOLDS(strcmp(process.arguments[2], "3") == 0 && strcmp(process.arguments[3], "4") == 0);
  free(memory);
}

// The first byte tells how many empty texts follow what the others say.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct input input = {bytes, bytes + size};
  size_t more = (size_t)take(&input) * 16, said = (size_t)(input.end - input.next), length = said + more;
  if (length > sizeof text) return 0;
  memcpy(text, input.next, said);
  memset(text + said, 0, more);
  ASAN_POISON_MEMORY_REGION(text + length, sizeof text - length);
  struct request request;
  if (understand(&request, length) == 0) {
    HOLDS(is_among(request.folder, length));
    for (int i = 0; i < 3; i++) HOLDS(is_among(request.arguments[i], length));
    size_t count = 0;
    while (request.variables[count]) HOLDS(is_among(request.variables[count++], length));
    struct fork_request head;
    memcpy(&head, text, sizeof head);
    HOLDS(count == head.variables && request.ignored == head.ignored && request.blocked == head.blocked);
    is_shown(&request, 1 + length % 24);
  }
  ASAN_UNPOISON_MEMORY_REGION(text, sizeof text);
  return 0;
}
