#define _GNU_SOURCE
#include "nursery.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(2 * sizeof(int))];
};

int nursery_order(int nursery, const int files[2]) {
  char word = 'c';
  struct iovec words = {.iov_base = &word, .iov_len = 1};
  union control control = {.header = {
    .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(2 * sizeof(int))}};
  memcpy(CMSG_DATA(&control.header), files, 2 * sizeof(int));
  struct msghdr message = {
    .msg_iov = &words, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  ssize_t sent;
  do sent = sendmsg(nursery, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == 1 ? 0 : errno;
}

int nursery_wait(int nursery, int files[2]) {
  char word;
  struct iovec words = {.iov_base = &word, .iov_len = 1};
  union control control;
  struct msghdr message = {
    .msg_iov = &words, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  ssize_t count;
  do count = recvmsg(nursery, &message, MSG_CMSG_CLOEXEC);
  while (count < 0 && errno == EINTR);
  if (count <= 0) return (int)count;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  int is_cut = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0;
  if (is_cut || !header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(2 * sizeof(int))) {
    errno = EBADMSG;
    return -1;
  }
  memcpy(files, CMSG_DATA(header), 2 * sizeof(int));
  return 1;
}

pid_t nursery_copy(void) { return fork(); }
