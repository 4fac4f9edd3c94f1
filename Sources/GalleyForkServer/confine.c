// What the engine's sandbox does to a process beside its namespaces, and a look at whether it came about.
#define _GNU_SOURCE
#include "server.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

// All of them, also where the engine runs as root and leaves its processes some.
static int give_up_rights(void) {
  // Who has no rights needn't give up any here: what is left over shows in the comparison.
  for (int right = 0; right < 64; right++) prctl(PR_CAPBSET_DROP, right, 0, 0, 0);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[2] = {{0}};
  return syscall(SYS_capset, &head, none) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

const char *confine(const void *filter, size_t length) {
  if (!give_up_rights()) return "rights can't be given up";
  struct sock_fprog program = {
      .len = (unsigned short)(length / sizeof(struct sock_filter)), .filter = (struct sock_filter *)filter};
  if (program.len == 0 || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
    return "the engine's system call filter can't be loaded";
  return NULL;
}

static int read_status(pid_t process, char status[4096]) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/status", process);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, status, 4095);
  if (file >= 0) close(file);
  status[length < 0 ? 0 : length] = 0;
  return length > 0;
}

// What follows a line's name; an empty text where there is no such line.
static const char *line(const char *status, const char *name) {
  const char *found = strstr(status, name);
  return found ? found + strlen(name) : "";
}

static int lines_are_equal(const char *one, const char *other, const char *name) {
  const char *first = line(one, name), *second = line(other, name);
  size_t length = strcspn(first, "\n");
  return length > 0 && length == strcspn(second, "\n") && memcmp(first, second, length) == 0;
}

static int are_among(const char *rights, const char *others, const char *name) {
  unsigned long long own = strtoull(line(rights, name), NULL, 16), theirs = strtoull(line(others, name), NULL, 16);
  return (own & ~theirs) == 0;
}

static int roots_are_equal(pid_t one, pid_t other) {
  struct stat status[2];
  pid_t processes[2] = {one, other};
  for (int i = 0; i < 2; i++) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/root", processes[i]);
    if (stat(path, &status[i]) != 0) return 0;
  }
  return status[0].st_dev == status[1].st_dev && status[0].st_ino == status[1].st_ino;
}

const char *unlike_client(pid_t child, pid_t client) {
  static const char *const same[] = {
      "\nUid:", "\nGid:", "\nGroups:", "\nNoNewPrivs:", "\nSeccomp:", "\nSeccomp_filters:",
  };
  static const char *const fewer[] = {"\nCapInh:", "\nCapPrm:", "\nCapEff:", "\nCapBnd:", "\nCapAmb:"};
  static char own[4096], theirs[4096];
  if (!share_namespaces(child, client)) return "a child isn't in all namespaces of its sandbox";
  if (!roots_are_equal(child, client)) return "a child sees other files than its sandbox has";
  if (!read_status(child, own) || !read_status(client, theirs)) return "a child's state can't be seen";
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    if (!lines_are_equal(own, theirs, same[i])) return same[i] + 1;
  for (size_t i = 0; i < sizeof fewer / sizeof *fewer; i++)
    if (!are_among(own, theirs, fewer[i])) return fewer[i] + 1;
  return NULL;
}
