"""The processes of one run of Galley, found by the marker in their environment."""

import os
import time
from pathlib import Path

WORKER = "galley-worker"
# As the kernel cuts it.
WEB_PROCESS = "WebKitWebProces"
FORK_SERVER = "galley-forks"


def marker_of(command):
    """The environment entry that all processes of a command carry; None until its first worker runs."""
    for pid in children(command):
        for entry in read(pid, "environ").split(b"\0"):
            if entry.startswith(b"GALLEY_RUN="):
                return entry
    return None


def marked(marker):
    """Name by process id of every live process that carries the marker."""
    return {
        int(pid): read(pid, "comm").decode(errors="replace").strip()
        for pid in os.listdir("/proc")
        if pid.isdigit() and marker in read(pid, "environ").split(b"\0")
    }


def wait_until_gone(marker, seconds):
    """What still carries the marker after so many seconds; empty as soon as nothing does."""
    deadline = time.monotonic() + seconds
    while (left := marked(marker)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def children(pid):
    try:
        return [child for task in Path(f"/proc/{pid}/task").iterdir()
                for child in (task / "children").read_text().split()]
    except OSError:
        return []


def read(pid, name):
    """Empty when the process is gone or somebody else's; a zombie's environment is empty too."""
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""
