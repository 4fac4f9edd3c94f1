"""Runs as a web process would, and says where it is. With ATTEMPT in its environment it tries as well what a creative
that has broken out of the engine would try: by means that do no harm where they succeed, and only in namespaces that
aren't the machine's, which MACHINE names. Whoever isn't shut in reaches the whole machine."""

import ctypes
import functools
import json
import os
import signal
import socket
import sys

libc = ctypes.CDLL(None, use_errno=True)
# Seizing stops nobody.
PTRACE_SEIZE, PTRACE_DETACH = 0x4206, 17
PIDFD_OPEN, PIDFD_GETFD = 434, 438
NAMESPACES = ("mnt", "pid", "net", "uts")
# Of the sandbox: bubblewrap, the client, the child.
MOST_PROCESSES = 8


def is_shut_in(processes):
    """Whether all that is tried stays in here; false as well where nobody said what the machine's namespaces are."""
    machine = os.environ.get("MACHINE", "").split()
    own = [os.readlink(f"/proc/self/ns/{kind}") for kind in NAMESPACES]
    return len(machine) == len(own) and not set(machine) & set(own) and len(processes) <= MOST_PROCESSES


def can(attempt):
    try:
        return bool(attempt())
    except OSError:
        return False


def listed(path):
    try:
        return sorted(os.listdir(path))
    except OSError:
        return []


def text(path):
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def connects(kind, address):
    with socket.socket(socket.AF_UNIX, kind) as end:
        end.connect(address)
        return True


def becomes_another():
    os.setuid(1234)
    return True


def signals(process):
    os.kill(process, 0)
    return True


def traces(process):
    return libc.ptrace(PTRACE_SEIZE, process, 0, 0) == 0 and libc.ptrace(PTRACE_DETACH, process, 0, 0) in (0, -1)


def mounts(place):
    os.mkdir(place)
    return libc.mount(b"none", place.encode(), b"tmpfs", 0, None) == 0 and libc.umount2(place.encode(), 0) == 0


def descriptor_of(process, file):
    """A copy of another process's descriptor; -1 where that is forbidden."""
    handle = libc.syscall(PIDFD_OPEN, process, 0)
    return libc.syscall(PIDFD_GETFD, handle, file, 0) if handle >= 0 else -1


def abstract_sockets():
    return sorted(line.split()[-1] for line in text("/proc/net/unix").splitlines() if "@" in line)


def main():
    processes = [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]
    status = dict(line.split(":\t", 1) for line in text("/proc/self/status").splitlines() if ":\t" in line)
    seen = {
        "processes": {process: text(f"/proc/{process}/comm").strip() for process in processes},
        "parent": os.getppid(),
        "arguments": sys.argv[1:],
        "rights": {line: status[line].strip() for line in ("CapEff", "CapPrm", "CapBnd", "NoNewPrivs", "Seccomp")},
    }
    if "ATTEMPT" in os.environ and is_shut_in(processes):
        seen |= attempt(processes)
    print(json.dumps(seen), flush=True)
    if "HIJACK" in os.environ and is_shut_in(processes):
        hijack(processes)
    if "STAY" in os.environ:
        signal.pause()


def attempt(processes):
    others = [process for process in processes if process != os.getpid()]
    # A thread's number is answered for as a process's is.
    known = {*processes, *map(int, os.listdir("/proc/self/task"))}
    entries = [entry for entry in os.listdir("/proc/self/fd") if os.path.lexists(f"/proc/self/fd/{entry}")]
    found = {
        "files": sorted(entries),
        "temporary": listed("/tmp"),
        "outside": {path: os.path.exists(path) for path in os.environ.get("OUTSIDE", "").split(":") if path},
        "variables": sorted(os.environ),
        "networks": [line.split(":")[0].strip() for line in text("/proc/net/dev").splitlines()[2:]],
        "abstract": abstract_sockets(),
        "connects": can(lambda: connects(socket.SOCK_STREAM, "\0" + os.environ["ABSTRACT"])),
        "signals": [other for other in range(1, 70000) if other not in known
                    and can(functools.partial(signals, other))],
        "traces": [other for other in others if can(functools.partial(traces, other))],
        "mounts": can(lambda: mounts("/tmp/mounted")),
        "becomes another": can(becomes_another),
    }
    # For whoever comes next to find.
    with open("/tmp/left-behind", "w") as file:
        file.write("x")
    return found


def orders(file):
    """Asks by a copy of the client's way for another child."""
    return socket.socket(fileno=os.dup(file)).send(b"\1" * 64)


def hijack(processes):
    """Takes the client's way to the server, where that can be had, and orders another child by it."""
    for process in processes:
        for file in range(3, 64) if process not in (1, os.getpid()) else ():
            copy = descriptor_of(process, file)
            if copy >= 0 and can(functools.partial(orders, copy)):
                print(json.dumps({"hijacked": file}), flush=True)


main()
