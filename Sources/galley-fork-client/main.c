// Stands for a forked web process towards the engine, which started it in that process's place: says what it was
// started with, lives as long as that process does, and ends as it does. Where the fork server doesn't take it, it goes
// on as the engine's own program.
//
// Arguments: the socket to the server, then the engine's program and what the engine told it.

#define _GNU_SOURCE
#include "fork_messages.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

// What is to be said, and how much of it there is.
static char message[FORK_LONGEST_MESSAGE];
static size_t length = sizeof(struct fork_request);

static int add(const char *text) {
  size_t count = strlen(text) + 1;
  if (count > sizeof message - length) return 0;
  memcpy(message + length, text, count);
  length += count;
  return 1;
}

static int add_all(char **texts, uint32_t *count) {
  for (*count = 0; texts[*count]; ++*count)
    if (!add(texts[*count])) return 0;
  return 1;
}

static void add_signals(struct fork_request *request) {
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, NULL, &blocked);
  for (int number = 1; number <= FORK_SIGNALS; number++) {
    struct sigaction action;
    uint32_t bit = 1U << (number - 1);
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN) request->ignored |= bit;
    if (sigismember(&blocked, number)) request->blocked |= bit;
  }
}

static int request(int server, char **arguments) {
  static char folder[4096];
  struct fork_request request = {0};
  add_signals(&request);
  if (!getcwd(folder, sizeof folder) || !add(folder)) return 0;
  if (!add_all(arguments, &request.arguments) || !add_all(environ, &request.variables)) return 0;
  if (request.arguments != 4) return 0;
  memcpy(message, &request, sizeof request);
  int files[FORK_REQUEST_FILES] = {0, 1, 2, atoi(arguments[2]), atoi(arguments[3])};
  return fork_send(server, message, length, files, FORK_REQUEST_FILES) == 0;
}

// False when the server is gone.
static int hear(int server, struct fork_answer *answer) {
  ssize_t count;
  while ((count = read(server, answer, sizeof *answer)) < 0 && errno == EINTR) {}
  return count == sizeof *answer;
}

int main(int count, char **arguments) {
  struct fork_answer answer;
  if (count < 3) return 2;
  int server = atoi(arguments[1]);
  if (!request(server, arguments + 2) || !hear(server, &answer) || answer.kind != FORK_STARTED) {
    close(server);
    execv(arguments[2], arguments + 2);
    return 127;
  }
  // The child has them now, and the engine waits for their last owner.
  for (int i = 4; i < count; i++) close(atoi(arguments[i]));
  if (!hear(server, &answer)) return 128 + 9;
  return WIFEXITED(answer.status) ? WEXITSTATUS(answer.status) : 128 + WTERMSIG(answer.status);
}
