// What is done once for all children, as long as it leaves nothing that they would share: no thread, file or memory.
#define _GNU_SOURCE
#include "server.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>

// What web processes open by themselves; a version that isn't here is opened by each child as ever.
static const char *const drivers[] = {
    "libEGL_mesa.so.0", "libGLX_mesa.so.0", "libGL.so.1", "libEGL.so.1", "libGLESv2.so.2",
    "/usr/lib/x86_64-linux-gnu/dri/swrast_dri.so",
};

// A library in the folder of what this process has at an address.
static void open_beside(void *address, const char *name, int how) {
  Dl_info place;
  char path[PATH_MAX];
  if (!address || !dladdr(address, &place)) return;
  const char *slash = strrchr(place.dli_fname, '/');
  int folder = slash ? (int)(slash - place.dli_fname) : 0;
  if (snprintf(path, sizeof path, "%.*s/%s", folder, place.dli_fname, name) < (int)sizeof path) dlopen(path, how);
}

void open_ahead(void) {
  for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) dlopen(drivers[i], RTLD_NOW | RTLD_GLOBAL);
  // The engine's own library for web processes, and Galley's; as the engine opens them, which calls into them then.
  void *engine = dlsym(RTLD_DEFAULT, "webkit_get_major_version");
  open_beside(engine, "webkit2gtk-4.1/injected-bundle/libwebkit2gtkinjectedbundle.so", RTLD_LAZY);
  open_beside((void *)open_ahead, "libGalleyWebExtension.so", RTLD_LAZY);
  int (*read_fonts)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "FcInit");
  if (read_fonts) read_fonts();
}

// Entries of a folder in /proc; -1 where it can't be read.
static int count_entries(const char *path) {
  DIR *folder = opendir(path);
  if (!folder) return -1;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(folder));) count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}

// Memory that children could write to and all others would see.
static int shares_memory(void) {
  FILE *maps = fopen("/proc/self/maps", "re");
  if (!maps) return 1;
  char line[512];
  int is_shared = 0;
  while (fgets(line, sizeof line, maps)) {
    char rights[8] = "";
    if (sscanf(line, "%*s %7s", rights) == 1 && rights[1] == 'w' && rights[3] == 's') is_shared = 1;
  }
  fclose(maps);
  return is_shared;
}

const char *unfit_to_fork(void) {
  if (count_entries("/proc/self/task") != 1 || !late_threads_are_detached()) return "a library has begun a thread";
  // The standard three, the worker's, and the folder that is being counted.
  if (count_entries("/proc/self/fd") != 5) return "a library keeps a file open";
  if (shares_memory()) return "a library shares memory";
  return NULL;
}
