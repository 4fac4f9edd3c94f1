// Programs that a worker starts for itself: none outlives it, and none keeps what it has open.
#define _GNU_SOURCE
#include "startup.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { FILE_OF_CHILD = 3, LOWEST_OF_PIPES = 10, INHERIT_NOTHING = 1 << 2 };

int startup_take_pipes(int pipes[2]) {
  for (int i = STDIN_FILENO; i <= STDOUT_FILENO; i++)
    if ((pipes[i] = fcntl(i, F_DUPFD_CLOEXEC, LOWEST_OF_PIPES)) < 0) return errno;
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return errno;
  for (int i = STDIN_FILENO; i <= STDOUT_FILENO; i++)
    if (dup2(nothing, i) < 0) return errno;
  return close_range(FILE_OF_CHILD, ~0U, INHERIT_NOTHING) == 0 ? 0 : errno;
}

// In the child, which shares this process's memory until it is another program.
static int keep_file(int file) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return 0;
  if (file >= 0 && dup2(file, FILE_OF_CHILD) < 0) return 0;
  for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
    if (dup2(nothing, i) < 0) return 0;
  return close_range(file < 0 ? FILE_OF_CHILD : FILE_OF_CHILD + 1, ~0U, 0) == 0;
}

pid_t startup_spawn(char *const *arguments, int file) {
  volatile int problem = 0;
  pid_t parent = getpid();
  // Above those that it becomes, or it would stay closed on exec.
  int high = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, 10);
  if (file >= 0 && high < 0) return -errno;
  // A copy of this process's memory would cost more than all else here. The child writes to one number of it.
  pid_t child = vfork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have ended before that was said.
    if (getppid() == parent && keep_file(high)) execvp(arguments[0], arguments);
    problem = errno ? errno : ECHILD;
    _exit(127);
  }
  int number = errno;
  if (high >= 0) close(high);
  if (child < 0) return -number;
  return problem ? -problem : child;
}
