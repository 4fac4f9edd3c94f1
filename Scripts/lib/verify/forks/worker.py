"""A worker towards the fork server, for tests: any program may stand for the engine's own.

The server's library goes into Python, which so stands before its main and is forked for each client; bubblewrap makes
the sandbox by the rules that the engine asks it for. What a web process could try, a script can then try in its place.
"""

import os
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

PYTHON = os.path.realpath(sys.executable)
REPORT = struct.Struct("=i124s")
IS_READY, HAS_STARTED, HAS_REFUSED = range(3)
# As the engine's rules have them; its filter forbids more.
RULES = [
    "--unshare-uts", "--unshare-pid", "--unshare-net", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
    "--ro-bind", "/etc", "/etc", "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib",
    "--symlink", "usr/bin", "/bin", "--ro-bind-try", "/lib64", "/lib64",
]
PTRACE = 101
FILTER = b"".join(
    struct.pack("=HBBI", *step)
    for step in ((0x20, 0, 0, 0), (0x15, 0, 1, PTRACE), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7FFF0000)))


class Worker:
    """One server, and the clients that were started for it."""

    def __init__(self, folder, program=PYTHON):
        self.folder = Path(folder)
        self.program = program
        self.socket, end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        library = self.folder / "libGalleyForkServer.so"
        environment = dict(os.environ, LD_PRELOAD=str(library), GALLEY_FORK_SOCKET=str(end.fileno()))
        self.server = subprocess.Popen(
            [program] + ["0" * 200] * 3, executable=program, env=environment, pass_fds=[end.fileno()],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        end.close()

    def report(self):
        """What the server says next: its kind, and why."""
        kind, reason = REPORT.unpack(self.socket.recv(REPORT.size))
        return kind, reason.split(b"\0")[0].decode()

    def order(self, *files, sandboxed):
        """Orders a child; the socket for its client."""
        own, end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        end.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        socket.send_fds(self.socket, [struct.pack("=I", sandboxed)], [end.fileno(), *files])
        end.close()
        return own

    def start(self, script, *, sandboxed=True, filters=1, environment=None):
        """Starts a client whose child runs a script; the process that the engine would know."""
        shown = self.folder, Path(script).parent, Path(self.program).parents[1]
        binds = [word for path in shown for word in ("--ro-bind", str(path), str(path))]
        with memory("filter", FILTER) as filter_file, memory("rules", b"") as rule_file:
            rule_file.write(self.rules(binds, filter_file, filters))
            rule_file.seek(0)
            own = self.order(*([filter_file.fileno()] if sandboxed else []), sandboxed=sandboxed)
            # Where the engine's sockets would be.
            pair = socket.socketpair()
            command = [self.folder / "galley-fork-client", str(own.fileno()), self.program, script]
            command += [str(end.fileno()) for end in pair]
            files = [own.fileno(), *(end.fileno() for end in pair)]
            if sandboxed:
                command = ["bwrap", "--args", str(rule_file.fileno()), "--", *command]
                files += [filter_file.fileno(), rule_file.fileno()]
            process = subprocess.Popen(
                command, pass_fds=files, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=environment)
            for file in (own, *pair):
                file.close()
            return process

    def rules(self, binds, filter_file, filters):
        words = RULES + binds + ["--seccomp", str(filter_file.fileno())] * filters
        return b"".join(word.encode() + b"\0" for word in words)

    def end(self):
        self.socket.close()
        self.server.wait(10)


def memory(name, content):
    """A file without a place, from its beginning."""
    file = os.fdopen(os.memfd_create(name, 0), "w+b")
    file.write(content)
    file.flush()
    file.seek(0)
    return file


def descendants(process):
    """Every live process below one."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and parent(entry.name) == process:
            found += [int(entry.name), *descendants(int(entry.name))]
    return found


def parent(process):
    try:
        state, number = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[:2]
        return 0 if state == "Z" else int(number)
    except OSError:
        return 0


def is_alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def name(process):
    try:
        return Path(f"/proc/{process}/comm").read_text().strip()
    except OSError:
        return ""


def kill(process):
    os.kill(process, signal.SIGKILL)


def wait_until(holds, seconds=10):
    """Whether something holds within so many seconds."""
    end = time.monotonic() + seconds
    while not (result := holds()) and time.monotonic() < end:
        time.sleep(0.01)
    return bool(result)
