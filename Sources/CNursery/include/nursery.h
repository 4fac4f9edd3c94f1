#pragma once
#include <sys/types.h>

// A program that has begun once and goes on as a copy of itself for each that is wanted, with two files of its own.

// Asks the program at the other end of the socket for a copy that has these files; 0, or an errno.
int nursery_order(int nursery, const int files[2]);

// The files of the next copy that is wanted; 1, 0 once nobody wants more, or -1 with errno.
int nursery_wait(int nursery, int files[2]);

// The copy: its id in the program, 0 in itself, -1 with errno where there is none. Wants a process of one thread.
pid_t nursery_copy(void);
