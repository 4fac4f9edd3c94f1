"""Tries one thing of the fork server with a program of its own in the engine's place: trial.py CASE FOLDER, where the
server's library and client are. Ends with 0 when all is as it has to be, and tells what isn't.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

from lib.verify.forks.worker import (
    HAS_REFUSED,
    HAS_STARTED,
    IS_READY,
    Worker,
    descendants,
    is_alive,
    kill,
    name,
    wait_until,
)

ATTEMPTS = str(Path(__file__).with_name("attempts.py"))
# Nothing is tried in these.
MACHINE = " ".join(os.readlink(f"/proc/self/ns/{kind}") for kind in ("mnt", "pid", "net", "uts"))
CHILD, CLIENT = "WebKitWebProces", "galley-fork-cli"


def ready(folder):
    worker = Worker(folder)
    assert worker.report() == (IS_READY, ""), "the server didn't come up"
    return worker


def started(worker, **options):
    """A client whose child has told what it could do, and goes on."""
    environment = dict(os.environ, STAY="1", MACHINE=MACHINE, **options.pop("environment", {}))
    process = worker.start(ATTEMPTS, environment=environment, **options)
    kind, reason = worker.report()
    assert kind == HAS_STARTED, reason
    return process, json.loads(process.stdout.readline())


def one(wanted, above=None):
    """The process of a name below this one or another."""
    found = [process for process in descendants(above or os.getpid()) if name(process) == wanted]
    assert len(found) == 1, (wanted, found)
    return found[0]


def gone(processes):
    assert wait_until(lambda: not any(map(is_alive, processes))), [
        (process, name(process)) for process in processes if is_alive(process)]


def isolation(folder):
    """A child reaches nothing outside its sandbox, no sibling, and nothing of who came before."""
    worker = ready(folder)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"\0galley-trial-{os.getpid()}")
    listener.listen()
    secret = Path(folder).parent / f"trial-secret-{os.getpid()}"
    secret.write_text("secret")
    try:
        environment = {"ATTEMPT": "1", "OUTSIDE": str(secret), "ABSTRACT": f"galley-trial-{os.getpid()}"}
        sibling, _ = started(worker, environment=environment)
        for _ in range(2):
            process, seen = started(worker, environment=environment)
            own = {"bwrap", CLIENT, CHILD}
            assert set(seen["processes"].values()) == own and len(seen["processes"]) == 3, seen["processes"]
            assert seen["parent"] == 0 and seen["signals"] == [], seen
            assert seen["traces"] == [] and not seen["mounts"] and not seen["becomes another"], seen
            assert seen["outside"] == {str(secret): False}, seen["outside"]
            assert "left-behind" not in seen["temporary"], seen["temporary"]
            assert seen["networks"] == ["lo"] and seen["abstract"] == [] and not seen["connects"], seen
            assert seen["files"] == ["0", "1", "2", "3", "4"], seen["files"]
            assert seen["arguments"] == ["3", "4"], seen["arguments"]
            assert not {"LD_PRELOAD", "GALLEY_FORK_SOCKET", "LD_BIND_NOW"} & set(seen["variables"]), seen["variables"]
            assert seen["rights"] == {
                "CapEff": "0" * 16, "CapPrm": "0" * 16, "CapBnd": seen["rights"]["CapBnd"], "NoNewPrivs": "1",
                "Seccomp": "2"}, seen["rights"]
            kill(max(descendants(process.pid) + [0]))
            assert process.wait(10)
        assert sibling.poll() is None
    finally:
        secret.unlink()
        worker.end()


def hijack(folder):
    """A child that takes its client's socket orders nothing by it: that ends it at most."""
    worker = ready(folder)
    process, _ = started(worker, environment={"HIJACK": "1"})
    below = descendants(os.getpid())
    worker.socket.settimeout(2)
    with contextlib.suppress(TimeoutError):
        assert worker.report()[0] != HAS_STARTED, "a child was ordered"
    another, _ = started(worker)
    worker.end()
    gone(below)
    assert process.wait(10) and another.wait(10)


def memory(folder):
    """Children share no writable memory: what one writes, the next doesn't read."""
    worker = ready(folder)
    maps = Path(f"/proc/{worker.server.pid}/maps").read_text()
    assert not [line for line in maps.splitlines() if line.split()[1][1] == "w" and line.split()[1][3] == "s"]
    worker.end()


def death(whose):
    """Whoever dies, the others that stood or fell with it are gone, and the server serves on if it lives."""

    def trial(folder, sandboxed=True):
        worker = ready(folder)
        process, _ = started(worker, sandboxed=sandboxed)
        below = [other for other in descendants(os.getpid()) if other != worker.server.pid]
        names = {"child": CHILD, "client": CLIENT, "server": "galley-forks"}
        # The outer one only passes on how the inner ends, which is the first process of the sandbox.
        kill(one("bwrap", process.pid) if whose == "bubblewrap" else one(names[whose]))
        gone(below)
        code = process.wait(10)
        assert code == {"child": 137, "server": 137, "client": 137 if sandboxed else -9, "bubblewrap": 137}[whose], code
        if whose == "server":
            gone([worker.server.pid])
            return
        # The place is free for another.
        again, _ = started(worker, sandboxed=sandboxed)
        worker.end()
        assert again.wait(10)

    return trial


def worker_death(folder):
    """A worker that is killed takes server and children with it."""
    script = (
        "import os, sys; sys.path.insert(0, sys.argv[1]); from lib.verify.forks import trial;"
        "w = trial.ready(sys.argv[2]);"
        "trial.started(w); trial.started(w, sandboxed=False);"
        "print(w.server.pid, *trial.descendants(os.getpid()), flush=True); import signal; signal.pause()")
    scripts = str(Path(__file__).resolve().parents[3])
    owner = subprocess.Popen([sys.executable, "-c", script, scripts, folder], stdout=subprocess.PIPE, text=True)
    assert owner.stdout
    processes = list(map(int, owner.stdout.readline().split()))
    assert len(processes) >= 6, processes
    owner.kill()
    gone(processes)


def ordinary(folder):
    """Where the server refuses, the program starts by itself in the place of its client."""
    worker = ready(folder)
    # Its sandbox isn't one: files and processes are the machine's.
    pair = socket.socketpair()
    with open(os.devnull, "rb") as nothing:
        own = worker.order(nothing.fileno(), sandboxed=True)
    files = [own.fileno(), *(end.fileno() for end in pair)]
    process = subprocess.Popen(
        [Path(folder) / "galley-fork-client", *map(str, files[:1]), worker.program, ATTEMPTS, *map(str, files[1:])],
        pass_fds=files, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    own.close()
    seen = json.loads(process.communicate(timeout=10)[0].splitlines()[0])
    kind, reason = worker.report()
    assert kind == HAS_REFUSED and reason == "the sandbox has no files and processes of its own", (kind, reason)
    assert seen["parent"] == os.getpid() and len(seen["processes"]) > 3, seen
    worker.end()


def unconfined(folder):
    """A child whose client has another filter than the one it was to load isn't let go on."""
    worker = ready(folder)
    process = worker.start(ATTEMPTS, filters=0)
    kind, reason = worker.report()
    assert kind == HAS_REFUSED and reason.startswith("Seccomp"), (kind, reason)
    assert json.loads(process.communicate(timeout=10)[0].splitlines()[0])["rights"]["Seccomp"] == "0"
    worker.end()


CASES = {
    "isolation": isolation, "hijack": hijack, "memory": memory, "ordinary": ordinary, "unconfined": unconfined,
    "worker": worker_death,
    **{whose: death(whose) for whose in ("child", "client", "bubblewrap", "server")},
    **{f"{whose}-unsandboxed": lambda folder, whose=whose: death(whose)(folder, sandboxed=False)
       for whose in ("child", "client", "server")},
}

if __name__ == "__main__":
    CASES[sys.argv[1]](sys.argv[2])
