// Number of connections of a session in the network process. With the engine's limit of six for each host, requests
// wait for each other in a random order. Where answers come in a fixed order, all requests are therefore sent at once.
#define _GNU_SOURCE
#include "process.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

static const int most = 1000;

// Tells if these are the options that the engine gives a session, and no others; finds its timeout among them.
static int are_known(const char *name, va_list values, unsigned *timeout) {
  for (; name; name = va_arg(values, const char *)) {
    int value = va_arg(values, int);
    if (!strcmp(name, "timeout")) *timeout = (unsigned)value;
    else if (strcmp(name, "max-conns") && strcmp(name, "max-conns-per-host")) return 0;
  }
  return 1;
}

void *soup_session_new_with_options(const char *name, ...) {
  unsigned long (*type)(void) = (unsigned long (*)(void))dlsym(RTLD_DEFAULT, "soup_session_get_type");
  void *(*make)(unsigned long, const char *, va_list) =
      (void *(*)(unsigned long, const char *, va_list))dlsym(RTLD_DEFAULT, "g_object_new_valist");
  void *(*make_of)(unsigned long, const char *, ...) =
      (void *(*)(unsigned long, const char *, ...))dlsym(RTLD_DEFAULT, "g_object_new");
  va_list values, looked_at;
  va_start(values, name);
  va_copy(looked_at, values);
  unsigned timeout = 0;
  int is_widened = process.region && process.region->has_many_connections && are_known(name, looked_at, &timeout);
  va_end(looked_at);
  void *session = is_widened
      ? make_of(type(), "max-conns", most, "max-conns-per-host", most, "timeout", timeout, NULL)
      : make(type(), name, values);
  va_end(values);
  return session;
}
