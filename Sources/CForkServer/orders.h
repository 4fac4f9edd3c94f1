#pragma once

#pragma GCC visibility push(hidden)

// The program that the server forks, and the client that goes in its place; NULL while there is no server.
const char *fork_host_program(void);
const char *fork_host_client(void);

// Orders a web process; the socket for its client, or -1. `filter` is the sandbox's, -1 outside of one.
int fork_host_order(int filter);

#pragma GCC visibility pop
