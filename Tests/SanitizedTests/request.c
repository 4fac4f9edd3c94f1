// Requests as a client of the fork server sends them, whole, cut and changed byte by byte.
#include "../../Sources/GalleyForkServer/request.c"

#include "check.h"

#include <fcntl.h>

static char message[FORK_LONGEST_MESSAGE + 64];

static size_t write_request(uint32_t arguments, uint32_t variables, const char *texts, size_t length) {
  struct fork_request head = {.arguments = arguments, .variables = variables, .ignored = 1, .blocked = 2};
  memcpy(message, &head, sizeof head);
  memcpy(message + sizeof head, texts, length);
  return sizeof head + length;
}

static int open_files(void) {
  int count = 0;
  for (int file = 0; file < 256; file++) count += fcntl(file, F_GETFD) >= 0;
  return count;
}

// What became of it; whatever came along is closed in either case.
static int receive(size_t length, int count) {
  static const int yes = 1;
  int before = open_files();
  int ends[2], files[FORK_MOST_FILES];
  CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
  setsockopt(ends[1], SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes);
  for (int i = 0; i < count; i++) CHECK((files[i] = open("/dev/null", O_RDWR)) >= 0);
  CHECK(fork_send(ends[0], message, length, files, (size_t)count) == 0);
  struct request request;
  int result = receive_request(ends[1], &request);
  if (result == 0) {
    CHECK(request.client == getpid() && request.folder && request.arguments[2]);
    for (char **each = request.variables; *each; each++) CHECK(strlen(*each) < sizeof message);
  }
  close_request(&request);
  for (int i = 0; i < count; i++) close(files[i]);
  close(ends[0]);
  close(ends[1]);
  CHECK(open_files() == before);
  return result;
}

int main(void) {
  static const char texts[] = "/folder\0/program\0" "7\0" "17\0" "19\0HOME=/\0LANG=C";
  static char many[8192];
  size_t whole = write_request(4, 2, texts, sizeof texts);
  CHECK(receive(whole, FORK_REQUEST_FILES) == 0);
  CHECK(receive(whole, 0) == -1 && receive(whole, 1) == -1 && receive(whole, FORK_MOST_FILES) == -1);
  for (size_t length = 1; length < whole; length++) CHECK(receive(length, FORK_REQUEST_FILES) == -1);
  CHECK(receive(write_request(3, 2, texts, sizeof texts), FORK_REQUEST_FILES) == -1);
  CHECK(receive(write_request(4, 3, texts, sizeof texts), FORK_REQUEST_FILES) == -1);
  CHECK(receive(write_request(4, 2048, many, sizeof many), FORK_REQUEST_FILES) == -1);
  CHECK(receive(write_request(4, 2047, many, sizeof many), FORK_REQUEST_FILES) == 0);
  CHECK(receive(write_request(4, ~0u, many, sizeof many), FORK_REQUEST_FILES) == -1);
  unsigned chance = 1;
  for (int i = 0; i < 5000; i++) {
    whole = write_request(4, 2, texts, sizeof texts);
    for (int change = 0; change < 3; change++) message[next_number(&chance) % whole] = (char)next_number(&chance);
    receive(next_number(&chance) % 4 ? whole : 1 + next_number(&chance) % whole, FORK_REQUEST_FILES);
  }
  return 0;
}
