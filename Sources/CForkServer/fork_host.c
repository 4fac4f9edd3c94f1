// The server is a child of this process that shares one socket with it and nothing else: no name in any file system or
// network leads to it. When this process ends, so does the server.
#define _GNU_SOURCE
#include "fork_host.h"
#include "fork_messages.h"
#include "orders.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

// Of the folder that the engine's library is in.
static const char program_beside[] = "/webkit2gtk-4.1/WebKitWebProcess";

// A server that ended, by whatever hand, is followed by another; so many in all.
enum { MOST_SERVERS = 8 };

static struct {
  char program[PATH_MAX], library[PATH_MAX], client[PATH_MAX];
  int socket;
  pid_t process;
  int starts;
  int is_ready;
} server = {.socket = -1};
static struct fork_host_state state;

const char *fork_host_program(void) { return server.starts > 0 ? server.program : NULL; }
const char *fork_host_client(void) { return server.client; }

void fork_host_refuse(const char *reason) {
  state.refused++;
  snprintf(state.reason, sizeof state.reason, "%s", reason);
}

static int is_inherited(const char *variable) {
  return strncmp(variable, "LD_PRELOAD=", strlen("LD_PRELOAD=")) != 0 &&
      strncmp(variable, "LD_BIND_NOW=", strlen("LD_BIND_NOW=")) != 0;
}

// This process's environment, with the library ahead of those that web processes have anyway, and all symbols looked up
// once for all children. They get the environment that the engine means them to have.
static char **server_variables(void) {
  static char preload[2 * PATH_MAX];
  static char socket[] = FORK_SERVER_VARIABLE "=3", bind[] = "LD_BIND_NOW=1";
  size_t count = 0;
  while (environ[count]) count++;
  char **variables = calloc(count + 4, sizeof *variables);
  if (!variables) return NULL;
  size_t used = 0;
  for (size_t i = 0; i < count; i++)
    if (is_inherited(environ[i])) variables[used++] = environ[i];
  const char *others = getenv("LD_PRELOAD");
  snprintf(preload, sizeof preload, "LD_PRELOAD=%s%s%s", server.library, others ? ":" : "", others ? others : "");
  variables[used++] = preload;
  variables[used++] = bind;
  variables[used++] = socket;
  return variables;
}

static int spawn_server(int end) {
  // Room for a child's own arguments, which are shown where these are.
  static char room[3][24] = {"00000000000000000000000", "00000000000000000000000", "00000000000000000000000"};
  char *arguments[] = {server.program, room[0], room[1], room[2], NULL};
  char **variables = server_variables();
  if (!variables) return ENOMEM;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none;
  sigemptyset(&none);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, 0, 1);
  posix_spawn_file_actions_adddup2(&actions, 0, 2);
  posix_spawn_file_actions_adddup2(&actions, end, 3);
  posix_spawn_file_actions_addclosefrom_np(&actions, 4);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  int problem = posix_spawn(&server.process, server.program, &actions, &attributes, arguments, variables);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  free(variables);
  return problem;
}

static int start(void) {
  int ends[2];
  if (server.starts >= MOST_SERVERS) return EAGAIN;
  server.starts++;
  server.is_ready = 0;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
  // The descriptor has to be another than the one it becomes, which would stay closed on exec.
  int end = fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
  close(ends[1]);
  int problem = end < 0 ? errno : spawn_server(end);
  if (end >= 0) close(end);
  if (problem) close(ends[0]);
  else server.socket = ends[0];
  state.is_on = !problem;
  return problem;
}

int fork_host_find_program(void) {
  Dl_info place;
  char library[PATH_MAX];
  void *engine = dlsym(RTLD_DEFAULT, "webkit_get_major_version");
  if (!engine || !dladdr(engine, &place) || !realpath(place.dli_fname, library)) return 0;
  char *slash = strrchr(library, '/');
  size_t length = slash ? (size_t)(slash - library) : sizeof server.program;
  if (length + sizeof program_beside > sizeof server.program) return 0;
  memcpy(server.program, library, length);
  memcpy(server.program + length, program_beside, sizeof program_beside);
  return access(server.program, X_OK) == 0;
}

int fork_host_start(const char *library, const char *client) {
  snprintf(server.library, sizeof server.library, "%s", library);
  snprintf(server.client, sizeof server.client, "%s", client);
  return start();
}

static void forget_server(void) {
  close(server.socket);
  server.socket = -1;
  state.is_on = 0;
  while (waitpid(server.process, NULL, 0) < 0 && errno == EINTR) {}
}

struct fork_host_state fork_host_look(void) {
  struct fork_report report;
  while (server.socket >= 0) {
    ssize_t length = recv(server.socket, &report, sizeof report, MSG_DONTWAIT);
    if (length < 0 && errno == EINTR) continue;
    if (length < 0 && errno == EAGAIN) break;
    if (length != sizeof report) {
      forget_server();
      break;
    }
    report.reason[sizeof report.reason - 1] = 0;
    if (report.kind == FORK_IS_READY) server.is_ready = 1;
    // One that found itself unfit is followed by no other, which would find the same.
    if (report.kind == FORK_HAS_REFUSED && !server.is_ready) server.starts = MOST_SERVERS;
    if (report.kind == FORK_HAS_STARTED) state.forked++;
    if (report.kind == FORK_HAS_REFUSED) fork_host_refuse(report.reason);
  }
  return state;
}

static int send_order(int connection, int filter) {
  struct fork_order order = {.is_sandboxed = filter >= 0};
  int files[2] = {connection, filter};
  return fork_send(server.socket, &order, sizeof order, files, filter >= 0 ? 2 : 1);
}

int fork_host_order(int filter) {
  int ends[2], yes = 1;
  fork_host_look();
  if (server.socket < 0 && start() != 0) return -1;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  // So the kernel names the client to the server, from its first word on.
  int problem = setsockopt(ends[1], SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) != 0 || send_order(ends[1], filter) != 0;
  close(ends[1]);
  if (!problem) return ends[0];
  close(ends[0]);
  return -1;
}
