// Comes before the C library's own: a web process's program that is started as a fork server stands still right before
// its main, with everything linked.
#define _GNU_SOURCE
#include "server.h"
#include "fork_messages.h"

#include <dlfcn.h>
#include <stdlib.h>

typedef int program_main(int, char **, char **);
typedef int start_main(program_main *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

static program_main *web_process_main;

static int stand_before_main(int count, char **arguments, char **variables) {
  const char *number = getenv(FORK_SERVER_VARIABLE);
  if (!number) return web_process_main(count, arguments, variables);
  struct web_process process = {.count = count, .arguments = arguments};
  serve(atoi(number), &process);
  // Only children come here.
  return web_process_main(process.count, process.arguments, process.variables);
}

int __libc_start_main(
    program_main *main, int count, char **arguments, void (*init)(void), void (*fini)(void), void (*linker_fini)(void),
    void *stack_end) {
  start_main *next = (start_main *)dlsym(RTLD_NEXT, "__libc_start_main");
  web_process_main = main;
  return next(stand_before_main, count, arguments, init, fini, linker_fini, stack_end);
}
