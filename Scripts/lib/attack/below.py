"""The processes of a render that is under way, as the kernel shows them."""

import ctypes
import json
import os
import subprocess
import time
from pathlib import Path


def name(process):
    """The program's name, or what a process calls itself; empty for one that is gone."""
    try:
        return Path(f"/proc/{process}/comm").read_text().strip()
    except OSError:
        return ""


def below(process):
    """All descendants of a process, of any depth."""
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
    found, waiting = [], [process]
    while waiting:
        current = waiting.pop()
        children = [child for child, parent in parents.items() if parent == current]
        found += children
        waiting += children
    return found


def files(process):
    """Open files by number: what the kernel calls each."""
    try:
        return {int(entry): os.readlink(f"/proc/{process}/fd/{entry}") for entry in os.listdir(f"/proc/{process}/fd")}
    except OSError:
        return {}


def inside(process, act):
    """What a function gives where a process is, with its view of files and shared memory; None where nobody gets in.

    Without another program, since a sandbox has none.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            handles = [os.open(f"/proc/{process}/ns/{kind}", os.O_RDONLY) for kind in ("user", "ipc", "mnt")]
            library = ctypes.CDLL(None, use_errno=True)
            for handle in handles:
                # Whoever is in it already may not enter it again.
                library.setns(handle, 0)
            os.write(writer, json.dumps(act()).encode())
            os._exit(0)
        except BaseException as error:
            os.write(2, f"{error}\n".encode())
        os._exit(1)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        text = file.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


class Running:
    """A render that waits in the middle, with its processes."""

    def __init__(self, galley, page, out, *options):
        self.command = subprocess.Popen(
            [str(galley.path), "render", str(page), "--clock", "real", "--idle-time", "12", "--timeout", "60", "--out",
             str(out),
             *map(str, options)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.out, patience = out, time.monotonic() + 60
        while time.monotonic() < patience and self.command.poll() is None and not (self.pages and self.is_shown()):
            time.sleep(0.1)

    @property
    def all(self):
        return below(self.command.pid)

    def named(self, start):
        return [process for process in self.all if name(process).startswith(start)]

    @property
    def pages(self):
        """Web processes in the sandbox; the one that was forked last is the page's."""
        return [process for process in self.named("WebKitWebProces") if name(process) == "WebKitWebProces"]

    def is_shown(self):
        return any(path.suffix == ".png" for path in self.out.rglob("*"))

    def end(self):
        """Waits for the end, and gives what was printed."""
        output, errors = self.command.communicate(timeout=90)
        return self.command.returncode, output.decode(), errors.decode()

    def stop(self):
        self.command.terminate()
        self.command.communicate(timeout=30)
