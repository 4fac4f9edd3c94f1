// One process of one thread, linked and with libraries open, that runs no page: it forks a web process for each client
// that its worker ordered one for, tells the client how that one ended, and ends one whose client is gone.
#define _GNU_SOURCE
#include "server.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { MOST_CLIENTS = 64 };

static struct client clients[MOST_CLIENTS];
static int worker;

static void report(int kind, const char *reason) {
  struct fork_report report = {.kind = kind};
  snprintf(report.reason, sizeof report.reason, "%s", reason);
  // A worker that doesn't listen misses what it doesn't want to know.
  send(worker, &report, sizeof report, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void answer(const struct client *client, int kind, int status) {
  struct fork_answer answer = {.kind = kind, .status = status};
  send(client->connection, &answer, sizeof answer, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void clear(struct client *client) { *client = (struct client){.connection = -1, .filter = -1, .handle = -1}; }

static void close_client(struct client *client) {
  int files[] = {client->connection, client->filter, client->handle};
  for (int i = 0; i < 3; i++)
    if (files[i] >= 0) close(files[i]);
  clear(client);
}

// A worker that is gone takes all with it: the kernel ends the children, clients end by themselves.
static void take_order(void) {
  struct fork_order order;
  union {
    char bytes[CMSG_SPACE(FORK_MOST_FILES * sizeof(int))];
    struct cmsghdr header;
  } control;
  struct iovec vector = {&order, sizeof order};
  struct msghdr message = {
      .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  ssize_t length = recvmsg(worker, &message, MSG_CMSG_CLOEXEC);
  if (length < 0 && errno == EINTR) return;
  struct cmsghdr *header = length == sizeof order ? CMSG_FIRSTHDR(&message) : NULL;
  if (!header || header->cmsg_type != SCM_RIGHTS) _exit(0);
  int files[2] = {-1, -1};
  size_t size = header->cmsg_len - CMSG_LEN(0);
  memcpy(files, CMSG_DATA(header), size < sizeof files ? size : sizeof files);
  for (int i = 0; i < MOST_CLIENTS; i++) {
    if (clients[i].connection >= 0) continue;
    clients[i].connection = files[0];
    clients[i].filter = files[1];
    clients[i].is_sandboxed = order.is_sandboxed != 0;
    return;
  }
  for (int i = 0; i < 2; i++)
    if (files[i] >= 0) close(files[i]);
}

// Returns 0 in the child, whose turn it is to leave.
static int start(struct client *client, struct web_process *process) {
  struct request request;
  const char *reason = "a client can't be understood";
  pid_t child = receive_request(client->connection, &request) == 0
      ? start_child(client, &request, process, &reason) : -1;
  if (child == 0) return 0;
  close_request(&request);
  client->process = child;
  client->handle = child < 0 ? -1 : (int)syscall(SYS_pidfd_open, child, 0);
  if (client->handle >= 0) {
    answer(client, FORK_STARTED, 0);
    report(FORK_HAS_STARTED, "");
    return 1;
  }
  if (child > 0) kill(child, SIGKILL);
  answer(client, FORK_REFUSED, 0);
  report(FORK_HAS_REFUSED, reason);
  close_client(client);
  return 1;
}

// Also of children that came from web processes outside a sandbox, and of those that didn't come up.
static void reap(void) {
  int status;
  pid_t ended;
  while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
    for (int i = 0; i < MOST_CLIENTS; i++) {
      if (clients[i].handle < 0 || clients[i].process != ended) continue;
      answer(&clients[i], FORK_ENDED, status);
      close_client(&clients[i]);
    }
  }
}

// A client that speaks once more than it has to say, or not at all, is gone.
static int attend(struct client *client, struct web_process *process) {
  if (client->handle < 0) return start(client, process);
  kill(client->process, SIGKILL);
  int status;
  while (waitpid(client->process, &status, 0) < 0 && errno == EINTR) {}
  close_client(client);
  return 1;
}

static void stand_up(void) {
  prctl(PR_SET_NAME, "galley-forks");
  // What is started between here and a child becomes this process's own; and nobody looks into it.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_DUMPABLE, 0);
  open_ahead();
  find_main_stack();
  const char *reason = unfit_to_fork();
  report(reason ? FORK_HAS_REFUSED : FORK_IS_READY, reason ? reason : "");
  if (reason) _exit(0);
}

void serve(int socket, struct web_process *process) {
  worker = socket;
  for (int i = 0; i < MOST_CLIENTS; i++) clear(&clients[i]);
  stand_up();
  for (;;) {
    struct pollfd files[1 + 2 * MOST_CLIENTS];
    files[0] = (struct pollfd){.fd = worker, .events = POLLIN};
    for (int i = 0; i < MOST_CLIENTS; i++) {
      files[1 + 2 * i] = (struct pollfd){.fd = clients[i].connection, .events = POLLIN};
      files[2 + 2 * i] = (struct pollfd){.fd = clients[i].handle, .events = POLLIN};
    }
    if (poll(files, 1 + 2 * MOST_CLIENTS, -1) < 0) continue;
    reap();
    for (int i = 0; i < MOST_CLIENTS; i++) {
      int speaks = files[1 + 2 * i].revents && clients[i].connection == files[1 + 2 * i].fd;
      if (speaks && !attend(&clients[i], process)) return;
    }
    if (files[0].revents) take_order();
  }
}
