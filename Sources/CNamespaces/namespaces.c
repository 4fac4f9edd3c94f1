// Namespaces and mounts, by the kernel's calls: what a process needs to give up the machine's files.

#define _GNU_SOURCE
#include "namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Of <linux/mount.h>, which doesn't go together with <sys/mount.h> everywhere.
enum {
  TREE_CLONE = 1,
  TREE_RECURSIVE = 0x8000,
  MOVE_FROM_DESCRIPTOR = 4,
  MOUNT_READABLE = 1,
  MOUNT_NO_SUID = 2,
};
struct mount_attributes {
  uint64_t set, clear, propagation, users;
};

pid_t namespaces_fork(const char *name) {
  pid_t parent = getpid();
  pid_t child = fork();
  if (child) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have ended before that was said.
  if (getppid() != parent) _exit(3);
  prctl(PR_SET_NAME, name);
  return 0;
}

static int write_file(pid_t process, const char *name, const char *text) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", process, name);
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno;
  ssize_t length = (ssize_t)strlen(text);
  int problem = write(file, text, (size_t)length) == length ? 0 : errno;
  close(file);
  return problem;
}

// Every number as itself, as far as this process knows numbers.
static int write_all(pid_t process, const char *name) {
  char path[64], text[4096];
  size_t length = 0;
  snprintf(path, sizeof path, "/proc/self/%s", name);
  FILE *file = fopen(path, "re");
  if (!file) return errno;
  unsigned long first, outside, count;
  while (length + 64 < sizeof text && fscanf(file, "%lu %lu %lu", &first, &outside, &count) == 3)
    length += (size_t)snprintf(text + length, sizeof text - length, "%lu %lu %lu\n", first, first, count);
  fclose(file);
  return length ? write_file(process, name, text) : EINVAL;
}

static int write_one(pid_t process, const char *name, unsigned id) {
  char text[64];
  snprintf(text, sizeof text, "%u %u 1", id, id);
  return write_file(process, name, text);
}

// By a process outside: who has entered may only say who it is itself.
static int map_users(pid_t process) {
  uid_t user = geteuid();
  gid_t group = getegid();
  if (user == 0 && write_all(process, "uid_map") == 0) return write_all(process, "gid_map");
  int problem = write_one(process, "uid_map", user);
  if (problem) return problem;
  // Without rights, groups may be named only by who can't leave any; inside others this is said already.
  write_file(process, "setgroups", "deny");
  return write_one(process, "gid_map", group);
}

static int wait_for(pid_t child) {
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return errno;
  return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

// Shared memory and messages of System V belong to the machine as well; a kernel may do without such namespaces.
static int leave_shared(void) {
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC) == 0) return 0;
  return errno == EINVAL ? unshare(CLONE_NEWUSER | CLONE_NEWNS) : -1;
}

int namespaces_enter(void) {
  int entered[2];
  if (pipe2(entered, O_CLOEXEC) < 0) return errno;
  pid_t self = getpid();
  pid_t mapper = fork();
  if (mapper == 0) {
    char byte;
    close(entered[1]);
    _exit(read(entered[0], &byte, 1) == 1 ? map_users(self) : 0);
  }
  close(entered[0]);
  int problem = mapper < 0 || leave_shared() < 0 ? errno : 0;
  if (!problem && write(entered[1], "", 1) != 1) problem = errno;
  close(entered[1]);
  int mapping = mapper < 0 ? 0 : wait_for(mapper);
  if (problem || mapping) return problem ? problem : mapping;
  // Nothing that is mounted here is seen elsewhere.
  return mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) < 0 ? errno : 0;
}

int namespaces_allow_proc(void) {
  pid_t child = fork();
  if (child < 0) return errno;
  if (child > 0) return wait_for(child);
  int problem = namespaces_enter();
  if (problem || unshare(CLONE_NEWPID) < 0) _exit(problem ? problem : errno);
  pid_t inner = fork();
  if (inner < 0) _exit(errno);
  if (inner > 0) _exit(wait_for(inner));
  _exit(mount("proc", "/proc", "proc", MS_NOSUID | MS_NOEXEC | MS_NODEV, NULL) < 0 ? errno : 0);
}

int namespaces_mount_memory(const char *target, const char *options) {
  return mount("galley", target, "tmpfs", MS_NOSUID | MS_NODEV, options) < 0 ? errno : 0;
}

// Detached until it is as it is to be: who shares the target gets it so.
static int attach(int tree, const char *target, enum namespaces_use use) {
  struct mount_attributes attributes = {.set = MOUNT_NO_SUID | (use == NAMESPACES_READABLE ? MOUNT_READABLE : 0)};
  if (use != NAMESPACES_AS_IS &&
      syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | TREE_RECURSIVE, &attributes, sizeof attributes) < 0)
    return errno;
  return syscall(SYS_move_mount, tree, "", AT_FDCWD, target, MOVE_FROM_DESCRIPTOR) < 0 ? errno : 0;
}

int namespaces_bind(const char *source, const char *target, enum namespaces_use use) {
  int tree = (int)syscall(SYS_open_tree, AT_FDCWD, source, TREE_CLONE | TREE_RECURSIVE | O_CLOEXEC);
  if (tree < 0) return errno;
  int problem = attach(tree, target, use);
  close(tree);
  return problem;
}

int namespaces_share(const char *target) { return mount(NULL, target, NULL, MS_SHARED, NULL) < 0 ? errno : 0; }

int namespaces_unbind(const char *target) { return umount2(target, MNT_DETACH) < 0 ? errno : 0; }

int namespaces_pivot(const char *root) {
  struct mount_attributes attributes = {.set = MOUNT_READABLE};
  // The copy isn't locked where it is, as all mounts are that came with the namespace.
  if (mount(root, root, NULL, MS_BIND | MS_REC, NULL) < 0 || chdir(root) < 0) return errno;
  if (syscall(SYS_pivot_root, ".", ".") < 0) return errno;
  // The old root lies over the new one now.
  if (umount2(".", MNT_DETACH) < 0 || chdir("/") < 0) return errno;
  return syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, &attributes, sizeof attributes) < 0 ? errno : 0;
}
