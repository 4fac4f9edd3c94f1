// From the fork to a web process's main.
#define _GNU_SOURCE
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>

// What the server hears of a child, on the way of its own that each child has.
struct birth {
  enum { CHILD_HAS_NUMBER, CHILD_IS_SHUT_IN, CHILD_GOES_ON, CHILD_FAILED } kind;
  pid_t number;
  char reason[96];
};

enum { WAY = FORK_REQUEST_FILES };
// Milliseconds in which a child has to be there.
static const int patience = 10000;

static struct birth failure(const char *reason) {
  struct birth birth = {.kind = CHILD_FAILED};
  snprintf(birth.reason, sizeof birth.reason, "%s", reason);
  return birth;
}

static int say(int way, struct birth birth) { return send(way, &birth, sizeof birth, MSG_NOSIGNAL) == sizeof birth; }

// False when the other side is gone or silent.
static int hear(int way, struct birth *birth) {
  struct pollfd file = {.fd = way, .events = POLLIN};
  int ready;
  while ((ready = poll(&file, 1, patience)) < 0 && errno == EINTR) {}
  if (ready != 1 || recv(way, birth, sizeof *birth, 0) != sizeof *birth) return 0;
  birth->reason[sizeof birth->reason - 1] = 0;
  return 1;
}

// A child has what its client had and nothing of the server's: the files of the request as 0 to 4, its way as 5.
static int keep_own_files(const struct request *request, int way) {
  int files[WAY + 1];
  for (int i = 0; i <= WAY; i++)
    if ((files[i] = fcntl(i == WAY ? way : request->files[i], F_DUPFD, 2 * WAY)) < 0) return 0;
  for (int i = 0; i <= WAY; i++)
    if (dup2(files[i], i) < 0) return 0;
  return close_range(WAY + 1, ~0U, 0) == 0;
}

static void set_signals(const struct request *request) {
  sigset_t blocked;
  sigemptyset(&blocked);
  for (int number = 1; number <= FORK_SIGNALS; number++) {
    uint32_t bit = 1U << (number - 1);
    if (number != SIGKILL && number != SIGSTOP) signal(number, request->ignored & bit ? SIG_IGN : SIG_DFL);
    if (request->blocked & bit) sigaddset(&blocked, number);
  }
  sigprocmask(SIG_SETMASK, &blocked, NULL);
}

// Whatever server this child had may be gone: then so is the child.
static void end_with_server(void) {
  struct birth birth = {.kind = CHILD_GOES_ON};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (!say(WAY, birth)) _exit(1);
  close(WAY);
}

static void become(
    const struct client *client, const struct request *request, struct web_process *process, const void *filter,
    size_t length, int way) {
  struct birth birth = {.kind = CHILD_IS_SHUT_IN};
  // The kernel cuts it there, and the engine's own start has it so.
  prctl(PR_SET_NAME, "WebKitWebProces");
  name_arguments(request, process);
  environ = request->variables;
  set_signals(request);
  const char *problem = keep_own_files(request, way) ? NULL : "a child's files can't be put in order";
  if (!problem && chdir(request->folder) != 0) problem = "the client's folder isn't there";
  if (!problem && client->is_sandboxed) problem = confine(filter, length);
  prctl(PR_SET_DUMPABLE, 1);
  if (problem) birth = failure(problem);
  if (!say(WAY, birth) || problem || !hear(WAY, &birth)) _exit(1);
  end_with_server();
  begin_late_threads();
}

// Between server and child: who enters a namespace of processes isn't in it, who it forks is. It has the server's own
// memory, which it leaves as it is: a copy of that costs as much as all else here.
static void start_inside(
    const struct client *client, const struct request *request, struct web_process *process, const void *filter,
    size_t length, int way) {
  struct birth birth = {.kind = CHILD_HAS_NUMBER};
  const char *problem = client->is_sandboxed ? enter_namespaces(request->client) : NULL;
  pid_t child = problem ? -1 : fork();
  if (child == 0) return become(client, request, process, filter, length, way);
  birth.number = child;
  if (child < 0) birth = failure(problem ? problem : "no further process");
  say(way, birth);
  _exit(0);
}

// Waits until the child is shut in and says that it may go on; its number, or -1 with a reason.
static pid_t bring_up(
    const struct client *client, const struct request *request, int way, pid_t between, const char **reason) {
  static struct birth birth;
  pid_t child = -1;
  int is_shut_in = 0;
  *reason = "a child didn't come up";
  while ((child < 0 || !is_shut_in) && hear(way, &birth)) {
    if (birth.kind == CHILD_HAS_NUMBER) child = birth.number;
    if (birth.kind == CHILD_IS_SHUT_IN) is_shut_in = 1;
    if (birth.kind != CHILD_FAILED) continue;
    *reason = birth.reason;
    break;
  }
  // From its end on the child is this process's own.
  if (child < 0) kill(between, SIGKILL);
  while (waitpid(between, NULL, 0) < 0 && errno == EINTR) {}
  const char *unlike = is_shut_in && client->is_sandboxed ? unlike_client(child, request->client) : NULL;
  if (unlike) *reason = unlike;
  int may_go_on = child >= 0 && is_shut_in && !unlike;
  if (may_go_on && say(way, birth) && hear(way, &birth) && birth.kind == CHILD_GOES_ON) return child;
  if (child >= 0) kill(child, SIGKILL);
  return -1;
}

pid_t start_child(
    const struct client *client, const struct request *request, struct web_process *process, const char **reason) {
  static char filter[sizeof(uint64_t) * 4096];
  int ends[2];
  ssize_t length = client->filter < 0 ? 0 : pread(client->filter, filter, sizeof filter, 0);
  *reason = "the engine's system call filter can't be read";
  if (length < 0 || length == sizeof filter) return -1;
  *reason = "no further socket";
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  // The server goes on when it has ended. It shares this stack until then; who returns from here is a fork of it, which
  // has a copy.
  pid_t between = vfork();
  if (between == 0) {
    close(ends[0]);
    start_inside(client, request, process, filter, (size_t)length, ends[1]);
    return 0;
  }
  close(ends[1]);
  *reason = "no further process";
  pid_t child = between < 0 ? -1 : bring_up(client, request, ends[0], between, reason);
  close(ends[0]);
  return child;
}
