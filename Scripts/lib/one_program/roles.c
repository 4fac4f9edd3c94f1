// The beginning of the one program: by the name it was started by, it is one of Galley's programs.
//
// What only some of them take of libraries, the others shall not load. So the program isn't linked with these, and its
// references to them are weak. Who takes some is started anew with them in LD_PRELOAD, where such references are met,
// and then has that variable as it was.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct role {
  const char *name;
  int (*begin)(int, char **);
  // Names of libraries, each before the next in the order of search; ends with NULL.
  const char *const *lent;
};

// `roles`, of which the first is that of any other name, and `most_lent`: no list of names is longer with a colon for each.
#include "roles.h"

// Has what LD_PRELOAD was before, once the libraries are lent.
static const char variable[] = "GALLEY_LENT_AFTER";

static const struct role *role_of(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
    if (!strcmp(name, roles[i].name)) return &roles[i];
  return &roles[0];
}

static int fail(const struct role *role, const char *what, const char *why) {
  fprintf(stderr, "%s: %s: %s\n", role->name, what, why);
  return 127;
}

// The loader goes on without a library that it doesn't find.
static const char *missing_of(const struct role *role) {
  for (const char *const *lent = role->lent; *lent; lent++)
    if (!dlopen(*lent, RTLD_LAZY | RTLD_NOLOAD)) return *lent;
  return NULL;
}

static int begin(const struct role *role, int count, char **words, const char *before) {
  const char *missing = missing_of(role);
  if (missing) return fail(role, missing, "the library isn't installed, or can't be loaded");
  if (*before)
    setenv("LD_PRELOAD", before, 1);
  else
    unsetenv("LD_PRELOAD");
  unsetenv(variable);
  return role->begin(count, words);
}

static void lend(const struct role *role) {
  const char *before = getenv("LD_PRELOAD");
  if (!before) before = "";
  setenv(variable, before, 1);
  char *all = malloc(strlen(before) + most_lent + 2);
  if (!all) return;
  char *end = stpcpy(all, before);
  for (const char *const *lent = role->lent; *lent; lent++) {
    if (end > all) end = stpcpy(end, ":");
    end = stpcpy(end, *lent);
  }
  setenv("LD_PRELOAD", all, 1);
  free(all);
}

int main(int count, char **words) {
  const struct role *role = role_of(count ? words[0] : "");
  if (!*role->lent) return role->begin(count, words);
  const char *before = getenv(variable);
  if (before) return begin(role, count, words, strdupa(before));
  char path[PATH_MAX + NAME_MAX];
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
  if (length <= 0) return fail(role, "/proc/self/exe", "can't be read");
  path[length] = 0;
  // By its own name, which processes are listed by.
  strcpy(strrchr(path, '/') + 1, role->name);
  lend(role);
  execv(path, words);
  return fail(role, path, "can't be started");
}
