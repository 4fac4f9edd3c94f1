// What a client says it was started with.
#define _GNU_SOURCE
#include "server.h"

#include <errno.h>
#include <stdlib.h>

// Where the texts stay, also for the child that goes on with them.
static char text[FORK_LONGEST_MESSAGE];
static char *variables[2048];

// Takes one text of those that are left; NULL where there is none.
static char *next_text(char **next, const char *end) {
  char *found = *next;
  char *last = found < end ? memchr(found, 0, (size_t)(end - found)) : NULL;
  if (!last) return NULL;
  *next = last + 1;
  return found;
}

static int understand(struct request *request, size_t length) {
  struct fork_request head;
  if (length < sizeof head) return -1;
  memcpy(&head, text, sizeof head);
  char *next = text + sizeof head;
  if (head.arguments != 4 || head.variables >= sizeof variables / sizeof *variables) return -1;
  request->folder = next_text(&next, text + length);
  // The program's own path, which is this one's.
  if (!request->folder || !next_text(&next, text + length)) return -1;
  for (int i = 0; i < 3; i++)
    if (!(request->arguments[i] = next_text(&next, text + length))) return -1;
  for (uint32_t i = 0; i < head.variables; i++)
    if (!(variables[i] = next_text(&next, text + length))) return -1;
  variables[head.variables] = NULL;
  request->variables = variables;
  request->ignored = head.ignored;
  request->blocked = head.blocked;
  return 0;
}

// A client that sends more or fewer files than a request has isn't understood; this process keeps none of them.
static void take_files(struct request *request, const struct cmsghdr *header) {
  int files[FORK_MOST_FILES];
  size_t size = header->cmsg_len - CMSG_LEN(0), count = size / sizeof *files;
  if (size == sizeof request->files) {
    memcpy(request->files, CMSG_DATA(header), size);
    return;
  }
  if (size > sizeof files) return;
  memcpy(files, CMSG_DATA(header), size);
  for (size_t i = 0; i < count; i++) close(files[i]);
}

static void take_control(struct request *request, struct msghdr *message) {
  for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header; header = CMSG_NXTHDR(message, header)) {
    if (header->cmsg_level != SOL_SOCKET) continue;
    if (header->cmsg_type == SCM_RIGHTS) take_files(request, header);
    if (header->cmsg_type == SCM_CREDENTIALS) {
      struct ucred sender;
      memcpy(&sender, CMSG_DATA(header), sizeof sender);
      request->client = sender.pid;
    }
  }
}

int receive_request(int connection, struct request *request) {
  union {
    char bytes[CMSG_SPACE(FORK_MOST_FILES * sizeof(int)) + CMSG_SPACE(sizeof(struct ucred))];
    struct cmsghdr header;
  } control;
  struct iovec vector = {text, sizeof text};
  struct msghdr message = {
      .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  *request = (struct request){.client = 0};
  for (int i = 0; i < FORK_REQUEST_FILES; i++) request->files[i] = -1;
  ssize_t length;
  while ((length = recvmsg(connection, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {}
  if (length < 0) return -1;
  take_control(request, &message);
  int is_whole = !(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) && request->files[0] >= 0 && request->client > 0;
  return is_whole ? understand(request, (size_t)length) : -1;
}

void close_request(struct request *request) {
  for (int i = 0; i < FORK_REQUEST_FILES; i++)
    if (request->files[i] >= 0) close(request->files[i]);
}
