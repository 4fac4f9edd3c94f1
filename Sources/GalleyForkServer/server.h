#pragma once
#include "fork_messages.h"

#pragma GCC visibility push(hidden)

// What a web process goes on with.
struct web_process {
  int count;
  char **arguments;
  char **variables;
};

// A client that waits for its web process, or for that process's end.
struct client {
  // To the client; -1 for a free place.
  int connection;
  int is_sandboxed;
  // The engine's system call filter; -1 for none.
  int filter;
  // The web process as the kernel's own handle; -1 while there is none.
  int handle;
  pid_t process;
};

// What a client said.
struct request {
  const char *folder;
  // The engine's arguments for the web process, from the first after the program.
  char *arguments[3];
  char **variables;
  uint32_t ignored, blocked;
  int files[FORK_REQUEST_FILES];
  // The client itself, as this process knows it.
  pid_t client;
};

// Serves until the worker is gone, which ends the process; returns in each child, which goes on as a web process.
void serve(int worker, struct web_process *process);

// Opens what web processes open by themselves at their start.
void open_ahead(void);

// Asks where this thread's stack is, so that no child has to.
void find_main_stack(void);

// What keeps this process from forking for strangers; NULL for nothing.
const char *unfit_to_fork(void);

// Whether nobody waits for the threads that were put off.
int late_threads_are_detached(void);
// Begins them, in a child.
void begin_late_threads(void);

// Gives a child the request's arguments and variables. The arguments are written where the server's own were, which is
// where /proc shows them from; one that doesn't fit there stays where the request has it, and isn't shown.
void name_arguments(const struct request *request, struct web_process *process);

// Takes what a client says; 0, or -1 where it isn't understood. It is valid until the next call.
int receive_request(int connection, struct request *request);
void close_request(struct request *request);

// Forks a child that goes on as the client's web process: returns 0 in it, and its number here; -1 with a reason.
pid_t start_child(
    const struct client *client, const struct request *request, struct web_process *process, const char **reason);

// In a child of the sandbox's namespaces: gives up all rights and loads the filter; NULL, or what can't be done.
const char *confine(const void *filter, size_t length);

// Enters the namespaces of a process that aren't this process's own; NULL, or what can't be done. Numbers of processes
// are those of its children only.
const char *enter_namespaces(pid_t client);

// Whether two processes are in the same namespaces.
int share_namespaces(pid_t one, pid_t other);

// Whether a child is as shut in as the client beside it; NULL, or in what it isn't.
const char *unlike_client(pid_t child, pid_t client);

#pragma GCC visibility pop
