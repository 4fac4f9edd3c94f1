#pragma once
#include <sys/types.h>

// What a process needs to give up the machine's files. Each returns 0, or an errno; all of them want a process that has
// one thread.

// A child that ends with the calling thread and goes on as a copy of this process; -1 with errno when there is none.
pid_t namespaces_fork(const char *name);

// Users, mounts and System V's shared memory of this process's own, in which the same users have the same numbers, as far as it may say so.
int namespaces_enter(void);

// Whether users without rights could mount a /proc in namespaces of their own, as the engine's sandbox does.
int namespaces_allow_proc(void);

// An empty file system in memory.
int namespaces_mount_memory(const char *target, const char *options);

// How what is bound may be used.
enum namespaces_use { NAMESPACES_AS_IS, NAMESPACES_WRITABLE, NAMESPACES_READABLE };

// Makes what is at `source` appear at `target`, with all that is mounted below.
int namespaces_bind(const char *source, const char *target, enum namespaces_use use);

// What is mounted below `target` from now on appears in copies of it as well.
int namespaces_share(const char *target);

// Takes what `namespaces_bind` did back, also where files are in use.
int namespaces_unbind(const char *target);

// Makes a mounted folder all there is, for reading alone; what is mounted in it elsewhere comes, nothing goes.
int namespaces_pivot(const char *root);
