#pragma once

// The worker's side of a fork server: starts it, and has the engine's web processes forked by it instead of started.

// Looks for the engine's program for web processes beside its library; 0 where there is none.
int fork_host_find_program(void);

// Begins a fork server, once per process: that program with a library loaded into it ahead of all others, and the
// client that is given to the engine. 0, or an errno.
int fork_host_start(const char *library, const char *client);

// Notes a web process that is started as ever; or that all are, where there is no server.
void fork_host_refuse(const char *reason);

// What chance begins with in processes that the engine starts from now on, where it is theirs: in workers that come from
// files. A web process's realms all begin with the same. Without a seed it is the engine's.
void fork_host_seed(int is_seeded, unsigned seed);

// The time zone of web processes that the engine starts from now on, by its IANA name of less than 64 bytes.
void fork_host_set_zone(const char *name);

// What came of it so far.
struct fork_host_state {
  // Whether the engine's web processes are asked of a server, from now on.
  int is_on;
  // How many the server has forked, and how many it or this process left to the ordinary start.
  unsigned forked, refused;
  // Why the last of these was; empty for none.
  char reason[124];
};

// Takes in what the server has said.
struct fork_host_state fork_host_look(void);
