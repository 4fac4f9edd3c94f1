// The engine's way to start its processes, which comes before GLib's own: what is to become a web process, be it in the
// sandbox, becomes a client of the fork server. Anything that isn't as expected is started as ever.
#define _GNU_SOURCE
#include "fork_host.h"
#include "orders.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Of GLib; what they point to is the engine's business.
typedef struct _GSubprocess GSubprocess;
typedef struct _GSubprocessLauncher GSubprocessLauncher;
typedef struct _GError GError;
typedef GSubprocess *spawn_function(GSubprocessLauncher *, const char *const *, GError **);
void g_subprocess_launcher_take_fd(GSubprocessLauncher *launcher, int source, int target);
void g_subprocess_launcher_set_stderr_file_path(GSubprocessLauncher *launcher, const char *path);
void g_subprocess_launcher_setenv(GSubprocessLauncher *launcher, const char *name, const char *value, int overwrites);

enum { WEB_PROCESS_ARGUMENTS = 3, BUBBLEWRAP_ARGUMENTS = 4, MOST_ARGUMENTS = 16 };

static int is_same_file(const char *one, const char *other) {
  struct stat first, second;
  return strcmp(one, other) == 0 ||
      (stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev &&
       first.st_ino == second.st_ino);
}

static size_t count_arguments(const char *const *arguments) {
  size_t count = 0;
  while (arguments[count]) count++;
  return count;
}

static int is_named(const char *path, const char *name) {
  const char *slash = strrchr(path, '/');
  return strcmp(slash ? slash + 1 : path, name) == 0;
}

// Which argument is the program that a fork server stands for: 0, or after bwrap --args FILE --; -1 for another.
static int find_program(const char *const *arguments) {
  size_t count = count_arguments(arguments);
  int at = 0;
  if (count == 0) return -1;
  if (is_named(arguments[0], "bwrap")) {
    if (count <= BUBBLEWRAP_ARGUMENTS || strcmp(arguments[1], "--args") != 0 || strcmp(arguments[3], "--") != 0)
      return -1;
    at = BUBBLEWRAP_ARGUMENTS;
  }
  if (!is_same_file(arguments[at], fork_host_program())) return -1;
  if (count == (size_t)at + 1 + WEB_PROCESS_ARGUMENTS) return at;
  fork_host_refuse("the engine gives its web processes other arguments");
  return -1;
}

// The file that has the sandbox's system call filter, from bubblewrap's own arguments in a file; -1 for none.
static int find_filter(int file) {
  static char rules[64 << 10];
  ssize_t length = pread(file, rules, sizeof rules - 1, 0);
  if (length <= 0 || length == sizeof rules - 1) return -1;
  rules[length] = 0;
  for (char *next = rules; next < rules + length; next += strlen(next) + 1) {
    if (strcmp(next, "--seccomp") != 0) continue;
    const char *number = next + sizeof "--seccomp";
    return number < rules + length && *number >= '0' && *number <= '9' ? atoi(number) : -1;
  }
  return -1;
}

// Puts the client in the program's place; false where no server takes it.
static int replace(GSubprocessLauncher *launcher, const char *const *arguments, int at, const char **replaced) {
  static char number[12];
  int filter = at > 0 ? find_filter(atoi(arguments[2])) : -1;
  if (at > 0 && filter < 0) {
    fork_host_refuse("the engine's sandbox has no system call filter");
    return 0;
  }
  int socket = fork_host_order(filter);
  if (socket < 0) {
    fork_host_refuse("the fork server ended");
    return 0;
  }
  // It keeps its number, which is nobody else's here and so none of those that the engine hands on.
  g_subprocess_launcher_take_fd(launcher, socket, socket);
  size_t used = 0;
  for (int i = 0; i < at; i++) replaced[used++] = arguments[i];
  snprintf(number, sizeof number, "%d", socket);
  replaced[used++] = fork_host_client();
  replaced[used++] = number;
  for (int i = at; arguments[i]; i++) replaced[used++] = arguments[i];
  replaced[used] = NULL;
  return 1;
}

static struct { int is_seeded; unsigned seed; } chance;

void fork_host_seed(int is_seeded, unsigned seed) {
  chance.is_seeded = is_seeded;
  chance.seed = seed;
}

// The engine's generator shows a small seed in its first numbers, so its bits are spread.
static void set_chance(GSubprocessLauncher *launcher) {
  static char number[12];
  if (!chance.is_seeded) return;
  snprintf(number, sizeof number, "%u", (chance.seed + 1) * 0x9e3779b1u);
  g_subprocess_launcher_setenv(launcher, "JSC_forceWeakRandomSeed", "1", 1);
  g_subprocess_launcher_setenv(launcher, "JSC_forcedWeakRandomSeed", number, 1);
}

static char zone[64] = "UTC";

void fork_host_set_zone(const char *name) { snprintf(zone, sizeof zone, "%s", name); }

// Started or forked, in the sandbox or not.
static int is_web_process(const char *const *arguments) {
  for (size_t i = 0; arguments[i]; i++)
    if (is_named(arguments[i], "WebKitWebProcess")) return 1;
  return 0;
}

GSubprocess *g_subprocess_launcher_spawnv(GSubprocessLauncher *launcher, const char *const *arguments, GError **error) {
  static spawn_function *next;
  const char *replaced[MOST_ARGUMENTS];
  if (!next) next = (spawn_function *)dlsym(RTLD_NEXT, "g_subprocess_launcher_spawnv");
  set_chance(launcher);
  if (is_web_process(arguments)) g_subprocess_launcher_setenv(launcher, "TZ", zone, 1);
  // What these processes print is nobody's: a worker's last words are quoted, and a creative is to have none of them.
  g_subprocess_launcher_set_stderr_file_path(launcher, "/dev/null");
  int at = fork_host_program() ? find_program(arguments) : -1;
  return next(launcher, at >= 0 && replace(launcher, arguments, at, replaced) ? replaced : arguments, error);
}
