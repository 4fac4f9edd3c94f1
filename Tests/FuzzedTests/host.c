// What a worker reads of others in C: reports of its fork server, and the engine's rules and arguments for a sandbox.
#define _GNU_SOURCE
#include <sys/mman.h>

#include "CForkServer/fork_host.c"
#include "CForkServer/spawn.c"

#include "input.h"

void g_subprocess_launcher_take_fd(GSubprocessLauncher *launcher, int source, int target) {
  (void)launcher, (void)source, (void)target;
}
void g_subprocess_launcher_setenv(GSubprocessLauncher *launcher, const char *name, const char *value, int overwrites) {
  (void)launcher, (void)name, (void)value, (void)overwrites;
}
void g_subprocess_launcher_set_stderr_file_path(GSubprocessLauncher *launcher, const char *path) {
  (void)launcher, (void)path;
}

// A message of the server's, of any length and mostly a report's; gives back what a worker can take of it.
static size_t say(struct input *input, int server, struct fork_report *report) {
  size_t length = take(input) % 8 ? sizeof *report : take(input);
  char *message = calloc(length + sizeof *report, 1);
  for (size_t i = 0; i < length; i++) message[i] = (char)take(input);
  memcpy(report, message, sizeof *report);
  report->kind = (unsigned)message[0] % 3;
  memcpy(message, report, length < sizeof report->kind ? 0 : sizeof report->kind);
  HOLDS(send(server, message, length, 0) == (ssize_t)length);
  free(message);
  return length;
}

// A worker takes whole reports, and of each as much of a reason as there is; after anything else the server is gone.
static void looks(struct input *input) {
  int ends[2];
  struct fork_report report;
  HOLDS(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
  server.socket = ends[0];
  while (server.socket >= 0 && input->next < input->end) {
    unsigned forked = state.forked, refused = state.refused;
    size_t length = say(input, ends[1], &report);
    fork_host_look();
    int is_whole = length >= sizeof report;
    HOLDS(is_whole == (server.socket >= 0) && memchr(state.reason, 0, sizeof state.reason));
    HOLDS(state.forked - forked == (is_whole && report.kind == FORK_HAS_STARTED));
    HOLDS(state.refused - refused == (is_whole && report.kind == FORK_HAS_REFUSED));
    if (state.refused != refused) HOLDS(strncmp(report.reason, state.reason, sizeof state.reason - 1) == 0);
  }
  if (server.socket >= 0) close(server.socket);
  server.socket = -1;
  close(ends[1]);
}

// The number after the first --seccomp among texts, each with a NUL behind it; -1 where there is none.
static int filter_of(const char *rules, size_t length) {
  for (size_t at = 0; at < length; at += strlen(rules + at) + 1) {
    if (strcmp(rules + at, "--seccomp") != 0) continue;
    at += sizeof "--seccomp";
    return at < length && rules[at] >= '0' && rules[at] <= '9' ? atoi(rules + at) : -1;
  }
  return -1;
}

static void finds_filter(struct input *input) {
  static int file = -1;
  if (file < 0) file = memfd_create("rules", MFD_CLOEXEC);
  size_t length = (size_t)(input->end - input->next);
  char *whole = calloc(length + 1, 1);
  memcpy(whole, input->next, length);
  HOLDS(ftruncate(file, 0) == 0 && pwrite(file, whole, length, 0) == (ssize_t)length);
  HOLDS(find_filter(file) == filter_of(whole, length));
  free(whole);
}

// Whatever the engine starts, what replaces it has room for.
static void finds_program(struct input *input) {
  const char *arguments[MOST_ARGUMENTS + 8];
  size_t count = take(input) % (MOST_ARGUMENTS + 7);
  for (size_t i = 0; i < count; i++) {
    static const char *const usual[] = {"/bwrap", "--args", "--", server.program};
    uint8_t kind = take(input) % 8;
    arguments[i] = kind < 4 ? strdup(usual[kind]) : take_text(input);
  }
  arguments[count] = NULL;
  int at = find_program(arguments);
  HOLDS(at == -1 || (count == (size_t)at + 1 + WEB_PROCESS_ARGUMENTS && (at == 0 || is_named(arguments[0], "bwrap"))));
  HOLDS(at == -1 || (is_same_file(arguments[at], server.program) && count + 3 < MOST_ARGUMENTS));
  for (size_t i = 0; i < count; i++) free((void *)arguments[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct input input = {bytes, bytes + size};
  snprintf(server.program, sizeof server.program, "/engine/WebKitWebProcess");
  server.starts = 1;
  // No child of this one: there is nobody to wait for.
  server.process = getpid();
  switch (take(&input) % 3) {
    case 0: looks(&input); break;
    case 1: finds_filter(&input); break;
    default: finds_program(&input);
  }
  return 0;
}
