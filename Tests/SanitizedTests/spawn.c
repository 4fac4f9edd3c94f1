// What the engine starts, and which of it becomes a client of the fork server.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>

#include "../../Sources/CForkServer/spawn.c"

#include "check.h"

static char program[] = "/engine/WebKitWebProcess";
static int has_server = 1;

const char *fork_host_program(void) { return program; }
const char *fork_host_client(void) { return "/galley/client"; }
int fork_host_order(int filter) { return has_server && filter >= -1 ? 42 : -1; }
void fork_host_refuse(const char *reason) { (void)reason; }
void g_subprocess_launcher_take_fd(GSubprocessLauncher *launcher, int source, int target) {
  (void)launcher, (void)source, (void)target;
}
void g_subprocess_launcher_setenv(GSubprocessLauncher *launcher, const char *name, const char *value, int overwrites) {
  (void)launcher, (void)overwrites;
  CHECK(name && value && strlen(value) < 64);
}
void g_subprocess_launcher_set_stderr_file_path(GSubprocessLauncher *launcher, const char *path) {
  (void)launcher, (void)path;
}

static int rules(const void *bytes, size_t length) {
  int file = memfd_create("rules", MFD_CLOEXEC);
  CHECK(file >= 0 && write(file, bytes, length) == (ssize_t)length);
  return file;
}

static int filter_in(const void *bytes, size_t length) {
  int file = rules(bytes, length), filter = find_filter(file);
  close(file);
  return filter;
}

static void finds_programs(void) {
  const char *plain[] = {program, "1", "2", "3", NULL}, *none[] = {NULL}, *other[] = {"/bin/true", NULL};
  const char *sandboxed[] = {"/usr/bin/bwrap", "--args", "9", "--", program, "1", "2", "3", NULL};
  const char *cut[] = {"bwrap", "--args", "9", "--", NULL}, *more[] = {program, "1", "2", "3", "4", NULL};
  CHECK(find_program(plain) == 0 && find_program(sandboxed) == 4);
  CHECK(find_program(none) == -1 && find_program(other) == -1 && find_program(cut) == -1 && find_program(more) == -1);
  CHECK(is_web_process(plain) && is_web_process(sandboxed) && !is_web_process(other) && !is_web_process(none));
}

static void finds_filters(void) {
  static const char whole[] = "--unshare-pid\0--seccomp\0" "11\0--proc\0/proc";
  static char large[70 << 10];
  CHECK(filter_in(whole, sizeof whole) == 11);
  CHECK(filter_in("", 0) == -1 && find_filter(-1) == -1 && filter_in(large, sizeof large) == -1);
  // Cut anywhere, it is read no further than it goes.
  for (size_t length = 1; length < sizeof whole; length++) filter_in(whole, length);
  unsigned chance = 1;
  for (int i = 0; i < 5000; i++) {
    char text[sizeof whole];
    memcpy(text, whole, sizeof whole);
    for (int change = 0; change < 3; change++) text[next_number(&chance) % sizeof text] = (char)next_number(&chance);
    filter_in(text, 1 + next_number(&chance) % sizeof text);
  }
}

static void replaces(void) {
  static const char filtered[] = "--seccomp\0" "11", bare[] = "--proc\0/proc";
  char number[12];
  const char *replaced[MOST_ARGUMENTS], *sandboxed[] = {"bwrap", "--args", number, "--", program, "1", "2", "3", NULL};
  int file = rules(filtered, sizeof filtered);
  snprintf(number, sizeof number, "%d", file);
  CHECK(replace(NULL, sandboxed, 4, replaced) == 1);
  CHECK(strcmp(replaced[4], "/galley/client") == 0 && strcmp(replaced[5], "42") == 0 && !replaced[10]);
  has_server = 0;
  CHECK(replace(NULL, sandboxed, 4, replaced) == 0);
  close(file);
  file = rules(bare, sizeof bare);
  snprintf(number, sizeof number, "%d", file);
  has_server = 1;
  CHECK(replace(NULL, sandboxed, 4, replaced) == 0);
  close(file);
}

int main(void) {
  char name[200];
  finds_programs();
  finds_filters();
  replaces();
  memset(name, 'a', sizeof name - 1);
  name[sizeof name - 1] = 0;
  fork_host_set_zone(name);
  CHECK(strlen(zone) == sizeof zone - 1);
  return 0;
}
