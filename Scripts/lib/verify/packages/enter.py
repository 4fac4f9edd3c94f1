"""Goes on as a command for which a system's folder is the whole machine; started in namespaces of its own.

A changed root alone wouldn't do: the kernel gives nobody in one the namespaces that sandboxes are made of. What the
system itself needn't have for it, as `umount`, isn't asked of it.
"""

import ctypes
import os
import subprocess
import sys

MNT_DETACH = 2
MOUNTS = ("-t proc proc proc", "-t sysfs sysfs sys", "-t tmpfs tmpfs dev", "-t tmpfs tmpfs tmp")
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
LINKS = {"fd": "/proc/self/fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2", "ptmx": "pts/ptmx"}


def main(root, command):
    libc = ctypes.CDLL(None, use_errno=True)
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    subprocess.run(["mount", "--bind", root, root], check=True)
    os.chdir(root)
    for words in MOUNTS:
        subprocess.run(["mount", *words.split()], check=True)
    make_devices()
    # The old root comes to lie on the new one, and is taken off.
    if subprocess.run(["pivot_root", ".", "."]).returncode or libc.umount2(b".", MNT_DETACH):
        sys.exit("the system can't be entered: " + os.strerror(ctypes.get_errno()))
    os.chdir("/")
    os.execvp(command[0], command)


def make_devices():
    """Devices of the machine's, in a folder of the system's own: what is removed there stays on the machine."""
    for name in DEVICES:
        open(f"dev/{name}", "w").close()
        subprocess.run(["mount", "--bind", f"/dev/{name}", f"dev/{name}"], check=True)
    for name, target in LINKS.items():
        os.symlink(target, f"dev/{name}")
    for name, kind in (("shm", "tmpfs"), ("pts", "devpts")):
        os.mkdir(f"dev/{name}")
        subprocess.run(["mount", "-t", kind, kind, f"dev/{name}"], check=True)


main(sys.argv[1], sys.argv[2:])
