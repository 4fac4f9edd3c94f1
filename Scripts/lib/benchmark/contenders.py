"""The programs measured, behind one face: run a batch, or take one picture cold."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from creatives import page
from processes import wait_for_orphans


@dataclass
class Settings:
    """What all contenders are given alike."""

    galley: str
    chromium: str
    scratch: Path
    width: int
    height: int
    scale: int = 1
    jobs: int = 1

    @property
    def screen(self):
        return f"{self.width}x{self.height}@{self.scale}"


@dataclass
class Run:
    """One batch or one cold render: its time, and what went wrong in it."""

    seconds: float
    problems: list[str] = field(default_factory=list)


class Contender:
    """Runs in a folder of its own, which is gone afterwards; clearing up isn't timed."""

    name = ""

    def batch(self, creatives, settings):
        return self._in_scratch(settings, self._batch, creatives)

    def cold(self, creative, settings):
        return self._in_scratch(settings, self._cold, creative)

    def instants(self, creative, instants, settings):
        body = lambda subject, settings, folder: self._instants(subject, instants, settings, folder)
        return self._in_scratch(settings, body, creative)

    def _in_scratch(self, settings, body, subject):
        folder = Path(tempfile.mkdtemp(dir=settings.scratch))
        try:
            run = body(subject, settings, folder)
            left = wait_for_orphans()
            run.problems += [f"{left} processes outlived it"] if left else []
            run.problems = [f"{self.name}: {problem}" for problem in run.problems]
            return run
        finally:
            shutil.rmtree(folder, ignore_errors=True)


class Galley(Contender):
    def __init__(self, isolation):
        self.isolation = isolation
        self.name = f"galley, {isolation}"

    def _batch(self, creatives, settings, folder):
        command = [settings.galley, "render", *map(str, creatives), "--out", str(folder / "out")]
        command += ["--jobs", str(settings.jobs), "--isolation", self.isolation]
        command += ["--screen", settings.screen, "--json"]
        run, _ = timed(command)
        run.problems += galley_problems(folder / "out", len(creatives))
        return run

    def _cold(self, creative, settings, folder):
        run, _ = timed(
            [settings.galley, "render", str(creative), "--out", str(folder / "out"), "--screen", settings.screen]
        )
        run.problems += galley_problems(folder / "out", 1)
        return run


    def _instants(self, creative, instants, settings, folder):
        command = [settings.galley, "render", str(creative), "--out", str(folder / "out")]
        command += ["--screen", settings.screen, "--at", ",".join(map(str, instants))]
        run, _ = timed(command)
        pictures = (folder / "out").rglob("screenshots/*-at-*.png")
        run.problems += galley_problems(folder / "out", 1) + missing_pictures(pictures, len(instants))
        return run


class Chromium(Contender):
    """Playwright for batches, the browser's own command line for one picture."""

    name = "chromium"

    def _batch(self, creatives, settings, folder):
        return self._by_playwright(creatives, settings, folder, len(creatives))

    def _instants(self, creative, instants, settings, folder):
        return self._by_playwright([creative], settings, folder, len(instants), instants)

    def _by_playwright(self, creatives, settings, folder, expected, instants=None):
        request = {
            "urls": [page(creative).as_uri() for creative in creatives],
            "instants": instants,
            "chromium": settings.chromium,
            "width": settings.width,
            "height": settings.height,
            "scale": settings.scale,
            "jobs": settings.jobs,
            "out": str(folder),
        }
        script = Path(__file__).with_name("playwright_batch.py")
        run, output = timed([sys.executable, str(script)], input=json.dumps(request))
        if output:
            answer = json.loads(output)
            run = Run(answer["seconds"], run.problems + answer["problems"])
        run.problems += missing_pictures(folder.glob("*.png"), expected)
        return run

    def _cold(self, creative, settings, folder):
        picture = folder / "picture.png"
        command = [settings.chromium, "--headless", "--hide-scrollbars", f"--screenshot={picture}"]
        command += [f"--window-size={settings.width},{settings.height}"]
        command += [f"--force-device-scale-factor={settings.scale}"]
        # A profile that was there before starts faster than a new one.
        command += [f"--user-data-dir={settings.scratch / 'profile'}"]
        # Chromium refuses to run as root with its sandbox.
        command += ["--no-sandbox"] if os.geteuid() == 0 else []
        run, _ = timed([*command, page(creative).as_uri()])
        run.problems += missing_pictures([picture] if picture.exists() else [], 1)
        return run


def timed(command, input=None):
    """Runs a command to its end; its messages are kept for when it fails."""
    begun = time.perf_counter()
    done = subprocess.run(command, input=input, capture_output=True, text=True)
    run = Run(time.perf_counter() - begun)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        run.problems.append(f"{Path(command[0]).name} ended with {done.returncode}: {last}")
    return run, done.stdout


def galley_problems(out, expected):
    """Results that are missing or not completed: a fast failure must not pass for a fast render."""
    outcomes = [json.loads(result.read_text())["outcome"] for result in out.rglob("result.json")]
    completed = outcomes.count("completed")
    problems = [] if completed == expected else [f"{completed} of {expected} creatives completed"]
    return problems + missing_pictures(out.rglob("screenshots/001-*.png"), expected)


def missing_pictures(pictures, expected):
    found = sum(1 for picture in pictures if not picture.stem.endswith("-ad"))
    return [] if found >= expected else [f"{found} of {expected} pictures"]
