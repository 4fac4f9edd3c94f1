"""Goes on as a command for which a system's folder is the whole machine; started in namespaces of its own.

A changed root alone wouldn't do: the kernel gives nobody in one the namespaces that sandboxes are made of. What the
system itself needn't have for it, as `umount`, isn't asked of it.
"""

import ctypes
import os
import subprocess
import sys

MNT_DETACH = 2
MOUNTS = ("-t proc proc proc", "-t sysfs sysfs sys", "--rbind /dev dev", "-t tmpfs tmpfs tmp")


def main(root, command):
    libc = ctypes.CDLL(None, use_errno=True)
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    subprocess.run(["mount", "--bind", root, root], check=True)
    os.chdir(root)
    for words in MOUNTS:
        subprocess.run(["mount", *words.split()], check=True)
    # The old root comes to lie on the new one, and is taken off.
    if subprocess.run(["pivot_root", ".", "."]).returncode or libc.umount2(b".", MNT_DETACH):
        sys.exit("the system can't be entered: " + os.strerror(ctypes.get_errno()))
    os.chdir("/")
    os.execvp(command[0], command)


main(sys.argv[1], sys.argv[2:])
