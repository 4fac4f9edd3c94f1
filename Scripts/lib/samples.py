"""Galley's own creatives, rendered over and over on a machine that may be busy."""

import contextlib
import subprocess
import sys
from pathlib import Path


def own_creatives(root, *without):
    """The folders of all creatives, but for these families; the conformance suite has a program of its own."""
    folders = (root / "Creatives").iterdir()
    families = sorted(folder for folder in folders if folder.is_dir() and folder.name not in ("conformance", *without))
    return [str(creative) for family in families for creative in sorted(family.iterdir()) if creative.is_dir()]


def hangs(creative):
    """Whether its expectations say that only the deadline ends it: where it cuts is the machine's doing."""
    expected = Path(creative) / "expected.yaml"
    return expected.is_file() and "outcome: timedOut" in expected.read_text()


def tells_time(creative):
    """Whether its log says what time it is: how much of it there is depends on when the machine takes a picture."""
    return Path(creative).parent.name == "libraries"


@contextlib.contextmanager
def load(count):
    """Keeps so many processes computing."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()
