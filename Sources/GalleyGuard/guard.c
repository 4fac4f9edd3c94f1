// Shuts the engine's network process off from the machine's files. Web processes run in the engine's sandbox; the
// network process has none, and opens whatever file it is asked for. Landlock leaves it what it needs: programs and
// libraries, certificates, names, devices.
//
// Loaded ahead of the C library into every process that a worker starts, it does something in that one only, before any
// thread of it runs. Where the kernel has no Landlock everything stays as it is.

#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const __u64 reading = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const __u64 writing = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
    LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
    LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
    LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
// What a rule for a file, rather than a folder, may name.
static const __u64 of_files = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;

static void allow(int rules, const char *path, __u64 access) {
  struct landlock_path_beneath_attr rule = {.allowed_access = access};
  struct stat status;
  if (!path || !*path || (rule.parent_fd = open(path, O_PATH | O_CLOEXEC)) < 0) return;
  if (fstat(rule.parent_fd, &status) == 0 && !S_ISDIR(status.st_mode)) rule.allowed_access &= of_files;
  syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(rule.parent_fd);
}

static int is_network_process(void) {
  char program[512];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length < 0) return 0;
  program[length] = 0;
  const char *name = strrchr(program, '/');
  return name && strcmp(name + 1, "WebKitNetworkProcess") == 0;
}

__attribute__((constructor)) static void shut_off(void) {
  // Links of these lead to others of these; /run is where resolvers keep their configuration.
  static const char *const readable[] = {
      "/usr", "/lib", "/lib32", "/lib64", "/bin", "/opt", "/nix/store", "/gnu/store", "/proc", "/sys",
      "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager", "/run/nscd", "/var/lib/ca-certificates",
      "/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/etc/ca-certificates.conf", "/etc/gnutls",
      "/etc/crypto-policies",
      "/etc/pkcs11", "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf",
      "/etc/services", "/etc/protocols", "/etc/localtime", "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/ld.so.conf",
      "/etc/ld.so.conf.d", NULL};
  // Where certificates are said to be by whoever runs this.
  static const char *const variables[] = {"SSL_CERT_FILE", "SSL_CERT_DIR", NULL};
  if (!is_network_process()) return;
  struct landlock_ruleset_attr handled = {.handled_access_fs = reading | writing};
  int rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
  if (rules < 0) return;
  for (int i = 0; readable[i]; i++) allow(rules, readable[i], reading);
  for (int i = 0; variables[i]; i++) allow(rules, getenv(variables[i]), reading);
  allow(rules, "/dev", reading | writing);
  // Memory shared with a worker that steps the time.
  allow(rules, getenv("GALLEY_CLOCK_NETWORK"), reading | writing);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
}
