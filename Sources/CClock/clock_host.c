#define _GNU_SOURCE
#include "clock_host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Puts a file's path together; false, with errno, where it is too long.
static int join_path(char path[512], const char *folder, const char *name) {
  if (snprintf(path, 512, "%s/%s", folder, name) < 512) return 1;
  errno = ENAMETOOLONG;
  return 0;
}

static int open_pipe(const char *folder, const char *name) {
  char path[512];
  if (!join_path(path, folder, name)) return -1;
  if (mkfifo(path, 0600) != 0) return -1;
  // Opened for both directions, so that neither side waits for the other to open it.
  return open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

static struct clock_region *make_region(const char *folder) {
  char path[512];
  if (!join_path(path, folder, CLOCK_REGION_FILE)) return NULL;
  int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return NULL;
  void *memory = MAP_FAILED;
  if (ftruncate(file, sizeof(struct clock_region)) == 0)
    memory = mmap(NULL, sizeof(struct clock_region), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  int problem = errno;
  close(file);
  errno = problem;
  return memory == MAP_FAILED ? NULL : memory;
}

int clock_host_open(struct clock_host *host, const char *folder) {
  host->kick = host->rest = -1;
  host->region = make_region(folder);
  if (!host->region) return errno;
  host->kick = open_pipe(folder, CLOCK_KICK_FILE);
  host->rest = host->kick < 0 ? -1 : open_pipe(folder, CLOCK_REST_FILE);
  if (host->rest >= 0) return 0;
  int problem = errno;
  clock_host_close(host);
  return problem;
}

void clock_host_close(struct clock_host *host) {
  if (host->region) munmap(host->region, sizeof(struct clock_region));
  if (host->kick >= 0) close(host->kick);
  if (host->rest >= 0) close(host->rest);
  host->region = NULL;
  host->kick = host->rest = -1;
}

void clock_host_freeze(struct clock_host *host, int64_t now, int64_t wall) {
  host->region->wall = wall - now;
  host->region->now = now;
  host->region->target = now;
  host->region->began = now;
  host->region->has_document = 0;
  host->region->is_unwatched = 0;
  host->region->has_stale_pixels = 0;
  host->region->used_stale = 0;
  host->region->mode = clock_stepped;
}

void clock_host_pass(struct clock_host *host, int64_t now) {
  if (now > host->region->target) host->region->target = now;
  if (now > host->region->now) host->region->now = now;
}

void clock_host_stay(struct clock_host *host) { host->region->target = host->region->now; }

void clock_host_set_many_connections(struct clock_host *host, int has_many) {
  host->region->has_many_connections = has_many;
}

void clock_host_set_unseen(struct clock_host *host, int is_unseen) { host->region->is_unseen = is_unseen; }

void clock_host_set_unwatched(struct clock_host *host, int is_unwatched) {
  host->region->is_unwatched = is_unwatched;
}

int clock_host_shows_older_frame(const struct clock_host *host) { return host->region->has_stale_pixels != 0; }
int clock_host_used_older_frame(const struct clock_host *host) { return host->region->used_stale != 0; }

void clock_host_request(struct clock_host *host, int64_t target) {
  if (target > host->region->target) host->region->target = target;
  host->region->request++;
  // A full pipe wakes the process as well.
  (void)!write(host->kick, "k", 1);
}

int clock_host_rests(struct clock_host *host) {
  char drain[64];
  (void)!read(host->rest, drain, sizeof drain);
  return host->region->answer == host->region->request;
}

int64_t clock_host_now(const struct clock_host *host) { return host->region->now; }
int64_t clock_host_due(const struct clock_host *host) { return host->region->due; }
uint32_t clock_host_wake_ups(const struct clock_host *host) { return host->region->wake_ups; }
uint32_t clock_host_given_up(const struct clock_host *host) { return host->region->given_up; }
void clock_host_allow(struct clock_host *host) { host->region->allowed++; }
int clock_host_holds(const struct clock_host *host) { return host->region->holds != 0; }
uint32_t clock_host_others(const struct clock_host *host) { return host->region->joined - host->region->generation; }
int clock_host_is_attached(const struct clock_host *host) { return host->region->generation > 0; }
