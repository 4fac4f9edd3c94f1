// Count of the messages that this process sends to the engine's other processes. An answer may belong to the same
// instant, so time doesn't pass here until the worker has seen the others rest.
#define _GNU_SOURCE
#include "process.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <sys/socket.h>

static _Atomic uint32_t sent;

uint32_t messages_sent(void) { return sent; }

ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
  static ssize_t (*next)(int, const struct msghdr *, int);
  if (!next) next = dlsym(RTLD_NEXT, "sendmsg");
  sent++;
  return next(file, message, flags);
}
