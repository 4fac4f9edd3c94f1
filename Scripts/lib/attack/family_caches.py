"""What code in one web process could leave for the next: files in caches, shared memory, the display."""

import ctypes
import os
import socket
import subprocess
from pathlib import Path

from lib.attack import below
from lib.attack.program import write

PAGE = '<!doctype html><meta name="ad.size" content="width=320,height=50"><p style="transform: rotateY(20deg)">ad'
NAMES = ("mesa_shader_cache", "mesa_shader_cache_db", "gstreamer-1.0", "fontconfig", "galley-attack")
MARK = "galley-attack-left-this"


def attack(galley, folder, tally, quick, random):
    home = folder / "home"
    page = write(folder / "ad.html", PAGE)
    before, os.environ["HOME"] = os.environ.get("HOME"), str(home)
    for name in NAMES:
        write(home / ".cache" / name / "own", "the user's")
    try:
        for number in range(1 if quick else 4):
            leave(galley, folder, page, home, tally, number)
    finally:
        os.environ.pop("HOME")
        if before:
            os.environ["HOME"] = before


def places(home):
    return ([f"{base}/.cache/{name}" for base in ("/galley", home) for name in NAMES]
            + ["/galley", "/galley/.cache", "/tmp", "/dev/shm", "/var/tmp", "/run", "/var/cache/fontconfig", "/usr/lib",
               "/etc", "/"])


def plant(home):
    """Writes wherever it can, and says where that was."""
    planted = []
    for place in places(home):
        try:
            Path(place, MARK).write_text(MARK)
            planted.append(place)
        except OSError:
            continue
    return planted


def find(home):
    """What of it is to be seen, and of the user's own."""
    found = [place for place in places(home) if Path(place, MARK).exists()]
    return found + [str(path) for path in Path(home, ".cache").glob("*/own")]


def leave(galley, folder, page, home, tally, number):
    running = below.Running(galley, page, folder / f"out-{number}")
    try:
        tally.check(running.pages, "no web process was found")
        for process in running.pages[:1]:
            planted = below.inside(process, lambda: plant(home))
            tally.check(planted, "the attack itself can't write anything in a web process")
            users = [place for place in planted or [] if place.startswith(str(home))]
            tally.check(not users, f"the user's caches can be written: {users}")
            display(process, tally)
            share(process, tally)
    finally:
        running.stop()
    outside = [path for place in (home, Path("/tmp"), Path("/dev/shm"), Path("/var/cache"), Path("/run"))
               for path in place.glob(f"**/{MARK}")]
    tally.check(not outside, f"left outside: {outside[:3]}")
    following = below.Running(galley, page, folder / f"next-{number}")
    try:
        for process in following.pages[:1]:
            seen = below.inside(process, lambda: find(home))
            tally.check(seen == [], f"the next web process sees {seen}")
    finally:
        following.stop()


def connect():
    """What the display answers to whoever has no word: 1 for yes. A display that isn't there answers nothing."""
    answers = []
    for place in Path("/tmp/.X11-unix").glob("X*"):
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(5)
            try:
                client.connect(str(place))
                client.sendall(b"l\0\x0b\0\0\0\0\0\0\0\0\0")
                answers.append(client.recv(1)[0])
            except (OSError, IndexError):
                continue
    return answers


def display(process, tally):
    """The display lets nobody in without its word, which its own worker's processes have."""
    tally.check(1 not in (below.inside(process, connect) or []), "the display lets in whoever has no word")


def share(process, tally):
    """Shared memory of the machine's isn't a worker's."""
    tally.check(os.readlink(f"/proc/{process}/ns/ipc") != os.readlink("/proc/self/ns/ipc"),
                "a web process has the machine's shared memory")
    made = subprocess.run(["ipcmk", "-M", "4096"], capture_output=True, text=True, check=False)
    if made.returncode:
        return
    number = made.stdout.split()[-1]
    seen = below.inside(process, lambda: attach(int(number)))
    tally.check(seen is False, "a web process can attach shared memory of the machine's")
    subprocess.run(["ipcrm", "-m", number], check=False)


def attach(number):
    """Whether shared memory of that number can be had."""
    library = ctypes.CDLL(None, use_errno=True)
    library.shmat.restype = ctypes.c_void_p
    return library.shmat(number, None, 0) not in (None, ctypes.c_void_p(-1).value)
