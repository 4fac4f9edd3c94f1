"""Galley's own creatives, rendered over and over on a machine that may be busy."""

import contextlib
import re
import subprocess
import sys
from pathlib import Path


def own_creatives(root):
    """The folders of all creatives, but for those of the conformance suite and the checks, and for the feed's files."""
    others = {"conformance", "feed", "checks"}
    families = sorted(folder for folder in (root / "Creatives").iterdir() if folder.name not in others)
    return [str(creative) for family in families if family.is_dir() for creative in sorted(family.iterdir())
            if creative.is_dir()]


def check_examples(root):
    """The folder of what passes and trips each check, to be searched."""
    return root / "Creatives" / "checks"


def conformance(root):
    """The folder of the conformance suite."""
    return root / "Creatives" / "conformance"


def conformance_pages(root):
    """The pages of the conformance suite by the container that each names; `spec` for those that name none."""
    pages: dict[str, list[Path]] = {}
    for page in sorted(conformance(root).glob("*.html")):
        named = re.search(r'name="galley\.container" content="([^"]*)"', page.read_text())
        pages.setdefault(named[1] if named else "spec", []).append(page)
    return pages


def feed(root):
    """Two ads among posts and a person who goes through them; days pass meanwhile."""
    feed, ads = root / "Creatives" / "feed", [root / "Creatives" / ad
                                              for ad in ("mraid/expand-one-part", "banner/static")]
    return ["--clock", "virtual", "--feed", feed / "feed.yaml", "--scenario", feed / "feed.scenario.yaml", *ads]


def isolation(run):
    """Pictures and logs may not depend on what creatives share: every fifth run, each has a process of its own."""
    return "session" if run % 5 else "process"


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
