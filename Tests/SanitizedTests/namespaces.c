// What a process gives up by namespaces, as far as this machine lets it.
#include "../../Sources/CNamespaces/namespaces.c"

#include "check.h"

// In a child: a process that has entered doesn't come back.
static int enters(void) {
  char before[64] = "", after[64] = "";
  if (readlink("/proc/self/ns/ipc", before, sizeof before - 1) < 0) return 0;
  if (namespaces_enter() != 0) return 0;
  if (readlink("/proc/self/ns/ipc", after, sizeof after - 1) < 0) return 2;
  return strcmp(before, after) == 0 ? 3 : 0;
}

int main(void) {
  pid_t child = namespaces_fork("a name that is longer than the kernel takes");
  if (child == 0) _exit(enters());
  int status;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(namespaces_bind("/nowhere", "/nowhere either", NAMESPACES_READABLE) == ENOENT);
  CHECK(namespaces_unbind("/nowhere") != 0 && namespaces_mount_memory("/nowhere", "size=1m") != 0);
  CHECK(namespaces_pivot("/nowhere") != 0 && namespaces_share("/nowhere") != 0);
  CHECK(write_file(getpid(), "nothing", "text") == ENOENT && write_all(getpid(), "nothing") != 0);
  return 0;
}
