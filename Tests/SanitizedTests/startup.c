// The pipes that a worker takes off its standard streams, and what a program that it starts has open.
#include "../../Sources/CStartup/spawn.c"

#include "check.h"

#include <sys/stat.h>
#include <sys/wait.h>

static int is_null(int file) {
  struct stat one, other;
  return fstat(file, &one) == 0 && stat("/dev/null", &other) == 0 && one.st_rdev == other.st_rdev;
}

// In a process of its own, which has other streams afterwards.
static int takes_pipes(void) {
  int input[2], output[2], stray[2], pipes[2];
  char bytes[4];
  if (pipe(input) || pipe(output) || pipe(stray)) return 2;
  if (dup2(input[0], STDIN_FILENO) < 0 || dup2(output[1], STDOUT_FILENO) < 0) return 3;
  if (startup_take_pipes(pipes) != 0 || pipes[0] < 10 || pipes[1] < 10) return 4;
  if (!is_null(STDIN_FILENO) || !is_null(STDOUT_FILENO)) return 5;
  if (write(input[1], "in", 2) != 2 || read(pipes[0], bytes, 4) != 2) return 6;
  if (write(pipes[1], "out", 3) != 3 || read(output[0], bytes, 4) != 3) return 7;
  for (int i = 3; i < 64; i++)
    if (fcntl(i, F_GETFD) >= 0 && !(fcntl(i, F_GETFD) & FD_CLOEXEC)) return 8;
  // A program that is started without any care has the standard three and no more.
  pid_t child = fork();
  if (child == 0) {
    execlp("sh", "sh", "-c", "for f in 0 1 3 4 5 6 7 8 9 10 11 12 13 14; do [ -p /proc/$$/fd/$f ] && exit 1; done; exit 0", NULL);
    _exit(127);
  }
  int status;
  return waitpid(child, &status, 0) == child && status == 0 ? 0 : 9;
}

static int in_child(int (*check)(void)) {
  int status;
  pid_t child = fork();
  if (child == 0) _exit(check());
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Without streams there is nothing to take.
static int refuses_closed(void) {
  int pipes[2];
  close(STDIN_FILENO);
  return startup_take_pipes(pipes) == EBADF ? 0 : 1;
}

int main(void) {
  CHECK(in_child(takes_pipes) == 0);
  CHECK(in_child(refuses_closed) == 0);
  char *missing[] = {"/nowhere/program", NULL}, *there[] = {"true", NULL};
  int status;
  CHECK(startup_spawn(missing, -1) < 0);
  pid_t child = startup_spawn(there, -1);
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
  CHECK(startup_spawn(there, 9999) == -EBADF);
  return 0;
}
