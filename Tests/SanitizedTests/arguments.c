// The arguments that a web process is shown with, whatever the length of those that it is given.
#include "../../Sources/GalleyForkServer/arguments.c"

#include "check.h"

enum { ROOM = 24 };

// As the system lays them out: one behind the other.
static void name(const char *text) {
  char *room = malloc(3 * ROOM), *variables[] = {NULL};
  memset(room, '0', 3 * ROOM);
  for (int i = 1; i <= 3; i++) room[i * ROOM - 1] = 0;
  char *arguments[] = {"program", room, room + ROOM, room + 2 * ROOM, NULL};
  struct web_process process = {.count = 4, .arguments = arguments};
  char *given = strdup(text);
  struct request request = {.arguments = {given, "17", "19"}, .variables = variables};
  name_arguments(&request, &process);
  CHECK(strcmp(process.arguments[1], text) == 0);
  CHECK(strcmp(process.arguments[2], "3") == 0 && strcmp(process.arguments[3], "4") == 0);
  CHECK(process.variables == variables);
  free(given);
  free(room);
}

int main(void) {
  char text[4096];
  name("");
  name("7");
  for (size_t length = 1; length < sizeof text; length = length < 200 ? length + 1 : length * 2) {
    memset(text, 'a', length);
    text[length] = 0;
    name(text);
  }
  return 0;
}
