#define _GNU_SOURCE
#include "sockets.h"

#include <sys/syscall.h>
#include <unistd.h>

// SwiftNIO makes its sockets without SOCK_CLOEXEC, and WebKit starts its processes with all that isn't closed by itself.
// Such a process would have this one's connections: a client would never hear that one was closed, and the web process
// of a creative could speak in them.

int socket(int domain, int type, int protocol) {
  return (int)syscall(SYS_socket, domain, type | SOCK_CLOEXEC, protocol);
}

int accept4(int socket, struct sockaddr *restrict address, socklen_t *restrict length, int flags) {
  return (int)syscall(SYS_accept4, socket, address, length, flags | SOCK_CLOEXEC);
}

int accept(int socket, struct sockaddr *restrict address, socklen_t *restrict length) {
  return accept4(socket, address, length, 0);
}
