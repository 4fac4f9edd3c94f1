// The client's sandbox was made by the engine's rules. A child that is in all of its namespaces is in that sandbox.
#define _GNU_SOURCE
#include "server.h"

#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>

static const struct {
  const char *name;
  int flag;
} kinds[] = {
    {"user", CLONE_NEWUSER}, {"mnt", CLONE_NEWNS}, {"pid", CLONE_NEWPID},       {"net", CLONE_NEWNET},
    {"uts", CLONE_NEWUTS},   {"ipc", CLONE_NEWIPC}, {"cgroup", CLONE_NEWCGROUP},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// The kernel's name of a process's namespace, like mnt:[4026531841].
static int name_of(pid_t process, const char *kind, char name[64]) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/ns/%s", process, kind);
  ssize_t length = readlink(path, name, 63);
  name[length < 0 ? 0 : length] = 0;
  return length > 0;
}

// In which namespaces two processes aren't together; -1 where that can't be told.
static int differences(pid_t one, pid_t other) {
  int flags = 0;
  for (int i = 0; i < KINDS; i++) {
    char first[64], second[64];
    if (!name_of(one, kinds[i].name, first) || !name_of(other, kinds[i].name, second)) return -1;
    if (strcmp(first, second) != 0) flags |= kinds[i].flag;
  }
  return flags;
}

const char *enter_namespaces(pid_t client) {
  int flags = differences(getpid(), client);
  if (flags < 0) return "the sandbox's namespaces can't be seen";
  if (!(flags & CLONE_NEWNS) || !(flags & CLONE_NEWPID)) return "the sandbox has no files and processes of its own";
  int handle = (int)syscall(SYS_pidfd_open, client, 0);
  if (handle < 0) return "the kernel has no handles of processes";
  int result = setns(handle, flags);
  close(handle);
  return result == 0 ? NULL : "the sandbox's namespaces can't be entered";
}

int share_namespaces(pid_t one, pid_t other) { return differences(one, other) == 0; }
