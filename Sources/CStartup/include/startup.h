#pragma once
#include <sys/types.h>

// Moves standard input and output to descriptors of 10 and above that no started program inherits, given as `pipes`, and
// has the null device in their place; no other descriptor but the standard three is inherited from then on. 0, or an
// errno.
int startup_take_pipes(int pipes[2]);

// Starts a program, looked up on the PATH, that the kernel ends with the calling thread. It has the null device as its
// standard streams, `file` as descriptor 3 unless that is -1, and no other. Its number, or a negative errno.
pid_t startup_spawn(char *const *arguments, int file);
