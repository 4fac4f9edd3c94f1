// Lines of /proc, as the fork server compares a child's with its client's.
#include "../../Sources/GalleyForkServer/namespaces.c"

#include "../../Sources/GalleyForkServer/confine.c"

#include "check.h"

int main(void) {
  static const char one[] = "Name:\ta\nUid:\t0\t0\nCapEff:\t0000000000000003\nSeccomp:\t2\n";
  static const char other[] = "Name:\tb\nUid:\t0\t0\nCapEff:\t0000000000000001\nSeccomp:\t0\n";
  CHECK(lines_are_equal(one, other, "\nUid:") && !lines_are_equal(one, other, "\nSeccomp:"));
  CHECK(!lines_are_equal(one, other, "\nNowhere:") && !lines_are_equal("", "", "\nUid:"));
  CHECK(are_among(other, one, "\nCapEff:") && !are_among(one, other, "\nCapEff:"));
  char status[4096], name[64];
  CHECK(read_status(getpid(), status) && strstr(status, "\nUid:"));
  CHECK(!read_status(-1, status) && status[0] == 0);
  CHECK(name_of(getpid(), "mnt", name) && strncmp(name, "mnt:[", 5) == 0 && !name_of(getpid(), "none", name));
  CHECK(share_namespaces(getpid(), getpid()) && roots_are_equal(getpid(), getpid()));
  CHECK(!roots_are_equal(getpid(), -1) && differences(getpid(), -1) == -1);
  CHECK(enter_namespaces(getpid()) != NULL && enter_namespaces(-1) != NULL);
  CHECK(unlike_client(getpid(), getpid()) == NULL && unlike_client(getpid(), -1) != NULL);
  unsigned chance = 1;
  char text[200];
  for (int i = 0; i < 20000; i++) {
    memcpy(text, one, sizeof one);
    for (int change = 0; change < 4; change++) text[next_number(&chance) % sizeof one] = (char)next_number(&chance);
    text[next_number(&chance) % sizeof one] = 0;
    lines_are_equal(text, one, "\nUid:");
    lines_are_equal(one, text, "\nSeccomp:");
    are_among(text, one, "\nCapEff:");
  }
  return 0;
}
