"""The processes below this one, including those whose own parent has ended."""

import ctypes
import os
import time

PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans():
    """Makes this process the parent of descendants whose own parent ends, so that none escapes."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "can't become a subreaper")


def wait_for_orphans(seconds=5.0):
    """Waits for what a finished command has left running; returns how many are still there after `seconds`."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return 0
        if pid == 0:
            time.sleep(0.01)
    return len(descendants(os.getpid()))


def descendants(ancestor):
    children: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            children.setdefault(parent(entry), []).append(int(entry))
    found, unseen = [], [ancestor]
    while unseen:
        below = children.get(unseen.pop(), [])
        found += below
        unseen += below
    return found


def parent(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            # The command before it is in brackets and may hold anything.
            return int(stat.read().rpartition(")")[2].split()[1])
    except OSError:
        return None


def is_driver(pid):
    """Whether it is Playwright's own Python or node, which a comparison of engines leaves out."""
    try:
        name = os.path.basename(os.readlink(f"/proc/{pid}/exe"))
    except OSError:
        return False
    return name.startswith(("python", "node"))
