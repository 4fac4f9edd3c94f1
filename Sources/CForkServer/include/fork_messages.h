#pragma once
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

// What a worker, its fork server and the server's clients say to each other, with the descriptors that go along.
//
// A worker orders a web process of the server and gives the engine a client to start in that process's place. The
// client says what it was started with; the server forks a child that goes on with all that, and tells both.

// Names the server's socket by its number, in the server's own environment.
#define FORK_SERVER_VARIABLE "GALLEY_FORK_SOCKET"

// Worker to server; with the server's end of the client's socket, and the engine's system call filter if sandboxed.
struct fork_order {
  // Whether the client speaks from inside the engine's sandbox, which the child has to enter.
  uint32_t is_sandboxed;
};

// Client to server; the working folder, arguments and environment follow as texts that each end with a NUL.
struct fork_request {
  uint32_t arguments;
  uint32_t variables;
  // Signals that it ignores and that it has blocked, the first as the lowest bit.
  uint32_t ignored;
  uint32_t blocked;
};
enum { FORK_SIGNALS = 31 };

// The descriptors of a request: the standard three, then those that the engine's arguments name.
enum { FORK_REQUEST_FILES = 5 };

// Server to client: whether a child stands for it, and how that child ended.
struct fork_answer {
  enum { FORK_REFUSED, FORK_STARTED, FORK_ENDED } kind;
  int32_t status;
};

// Server to worker.
struct fork_report {
  enum { FORK_IS_READY, FORK_HAS_STARTED, FORK_HAS_REFUSED } kind;
  // Why not.
  char reason[124];
};

enum { FORK_LONGEST_MESSAGE = 128 << 10, FORK_MOST_FILES = 8 };

// Sends one message; 0, or -1 with errno.
static inline int fork_send(int socket, const void *text, size_t length, const int *files, size_t count) {
  union {
    char bytes[CMSG_SPACE(FORK_MOST_FILES * sizeof(int))];
    struct cmsghdr header;
  } control;
  struct iovec vector = {(void *)text, length};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  if (count > 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(count * sizeof(int));
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(&control.header), files, count * sizeof(int));
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)length ? 0 : -1;
}
