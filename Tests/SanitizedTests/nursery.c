// Orders for copies of a program, and messages that are none.
#include "../../Sources/CNursery/nursery.c"

#include "check.h"

#include <fcntl.h>

static void send_files(int socket, int count) {
  char word = 'c';
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(4 * sizeof(int))];
  } own;
  struct iovec words = {.iov_base = &word, .iov_len = 1};
  struct msghdr message = {.msg_iov = &words, .msg_iovlen = 1};
  int files[4] = {0, 0, 0, 0};
  if (count > 0) {
    memset(&own, 0, sizeof own);
    message.msg_control = own.bytes;
    message.msg_controllen = CMSG_SPACE((size_t)count * sizeof(int));
    own.header = (struct cmsghdr){
      .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN((size_t)count * sizeof(int))};
    memcpy(CMSG_DATA(&own.header), files, (size_t)count * sizeof(int));
  }
  CHECK(sendmsg(socket, &message, 0) == 1);
}

int main(void) {
  int ends[2], files[2] = {-1, -1}, given[2] = {open("/dev/null", O_RDONLY), open("/dev/zero", O_RDONLY)};
  CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
  CHECK(nursery_order(ends[0], given) == 0 && nursery_wait(ends[1], files) == 1);
  char byte = 1;
  CHECK(read(files[0], &byte, 1) == 0 && read(files[1], &byte, 1) == 1 && byte == 0);
  for (int count = 0; count < 5; count++) {
    if (count == 2) continue;
    send_files(ends[0], count);
    CHECK(nursery_wait(ends[1], files) == -1 && errno == EBADMSG);
  }
  close(ends[0]);
  CHECK(nursery_wait(ends[1], files) == 0);
  CHECK(nursery_order(-1, given) == EBADF && nursery_wait(-1, files) == -1);
  return 0;
}
