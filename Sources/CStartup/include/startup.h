#pragma once
#include <sys/types.h>

// Starts a program, looked up on the PATH, that the kernel ends with the calling thread. It has the null device as its
// standard streams, `file` as descriptor 3 unless that is -1, and no other. Its number, or a negative errno.
pid_t startup_spawn(char *const *arguments, int file);
