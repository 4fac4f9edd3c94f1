// What the fork server's client says of any arguments and environment is what the server understands.
#define main client_main
#include "galley-fork-client/main.c"
#undef main

#include "GalleyForkServer/request.c"

#include "input.h"

enum { MOST_TEXTS = 2200 };
static char *texts[MOST_TEXTS + 1];

static void are_equal(char **said, char **understood) {
  for (; *said; said++, understood++) HOLDS(*understood && strcmp(*said, *understood) == 0);
  HOLDS(!*understood);
}

static void is_understood(char **arguments) {
  static const int yes = 1;
  int ends[2];
  HOLDS(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
  setsockopt(ends[1], SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
  length = sizeof(struct fork_request);
  struct request understood = {.files = {-1, -1, -1, -1, -1}};
  if (request(ends[0], arguments)) {
    size_t count = 0;
    while (environ[count]) count++;
    int result = receive_request(ends[1], &understood);
    HOLDS((result == 0) == (count < sizeof variables / sizeof *variables) && understood.client == getpid());
    for (int i = 0; i < 3 && result == 0; i++) HOLDS(strcmp(understood.arguments[i], arguments[i + 1]) == 0);
    if (result == 0) are_equal(environ, understood.variables);
  }
  close_request(&understood);
  close(ends[0]);
  close(ends[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct input input = {bytes, bytes + size};
  char *arguments[6] = {NULL}, **before = environ;
  size_t count = 3 + take(&input) % 3, repeats = 1 + (size_t)take(&input) * 9, used = 0;
  for (size_t i = 0; i < count; i++) arguments[i] = take_text(&input);
  // The files that the engine hands on.
  for (size_t i = 2; i < count && i < 4; i++) free(arguments[i]), arguments[i] = strdup("0");
  while (input.next < input.end && used < MOST_TEXTS) texts[used++] = take_text(&input);
  size_t own = used;
  // The same ones again, up to more than a message has room for.
  for (size_t i = own; own && i < own * repeats && i < MOST_TEXTS; i++) texts[used++] = texts[i % own];
  texts[used] = NULL;
  environ = texts;
  is_understood(arguments);
  environ = before;
  for (size_t i = 0; i < own; i++) free(texts[i]);
  for (size_t i = 0; i < count; i++) free(arguments[i]);
  return 0;
}
