"""The programs measured, behind one face: run a batch, take one screenshot cold, or several of one creative in time."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from lib.measure.renders.creatives import page
from lib.measure.renders.processes import wait_for_orphans
from lib.measure.renders.processor import ProcessorTime


@dataclass
class Settings:
    """What all contenders are given alike."""

    galley: str
    chromium: str
    shell: str
    scratch: Path
    processor: ProcessorTime
    width: int
    height: int
    scale: int = 1
    jobs: int = 1

    @property
    def screen(self):
        return f"{self.width}x{self.height}@{self.scale}"


@dataclass
class Run:
    """One batch or one cold render: its time, the processor time of all its processes, and what went wrong in it."""

    seconds: float
    problems: list[str] = field(default_factory=list)
    # Processor time of Playwright's own programs, which a comparison of engines leaves out.
    driver: float = 0
    processor: float = 0


class Contender:
    """Runs in a folder of its own, which is gone afterwards; clearing up isn't timed."""

    name = ""

    def batch(self, creatives, settings):
        return self._in_scratch(settings, self._batch, creatives)

    def cold(self, creative, settings):
        return self._in_scratch(settings, self._cold, creative)

    def instants(self, creative, instants, settings):
        def body(subject, settings, folder):
            return self._instants(subject, instants, settings, folder)

        return self._in_scratch(settings, body, creative)

    def _batch(self, creatives, settings, folder):
        raise NotImplementedError

    def _cold(self, creative, settings, folder):
        raise NotImplementedError

    def _instants(self, creative, instants, settings, folder):
        raise NotImplementedError

    def _in_scratch(self, settings, body, subject):
        folder = Path(tempfile.mkdtemp(dir=settings.scratch))
        try:
            before = settings.processor.seconds
            run = body(subject, settings, folder)
            left = wait_for_orphans()
            run.processor = settings.processor.seconds - before - run.driver
            run.problems += [f"{left} processes outlived it"] if left else []
            run.problems = [f"{self.name}: {problem}" for problem in run.problems]
            return run
        finally:
            shutil.rmtree(folder, ignore_errors=True)


class Galley(Contender):
    """The command; with `options` of a batch's own, such as the one screenshot that browsers take."""

    def __init__(self, isolation, *options):
        self.isolation = isolation
        self.options = options
        self.name = f"galley, {isolation}"

    def _batch(self, creatives, settings, folder):
        jobs = ("--jobs", str(settings.jobs), "--isolation", self.isolation)
        return self._render(creatives, settings, folder, *jobs, *self.options)

    def _cold(self, creative, settings, folder):
        return self._render([creative], settings, folder, *self.options)

    def _instants(self, creative, instants, settings, folder):
        run = self._render([creative], settings, folder, "--at", ",".join(map(str, instants)))
        run.problems += missing_pictures((folder / "out").rglob("screenshots/*-at-*.png"), len(instants))
        return run

    def _render(self, creatives, settings, folder, *options):
        command = [settings.galley, "render", *map(str, creatives), "--out", str(folder / "out")]
        run, _ = timed([*command, "--screen", settings.screen, "--json", *options], settings)
        run.problems += galley_problems(folder / "out", len(creatives))
        return run


class Browser(Contender):
    """Chromium's engine: by Playwright for batches, by the program's own command line for one screenshot."""

    def __init__(self, name, options=()):
        self.name = name
        self.options = options

    def program(self, settings):
        return settings.chromium

    def _batch(self, creatives, settings, folder):
        return self._by_playwright(creatives, settings, folder, len(creatives))

    def _instants(self, creative, instants, settings, folder):
        return self._by_playwright([creative], settings, folder, len(instants), instants)

    def _by_playwright(self, creatives, settings, folder, expected, instants=None):
        request = {
            "urls": [page(creative).as_uri() for creative in creatives],
            "instants": instants,
            "chromium": self.program(settings),
            "width": settings.width,
            "height": settings.height,
            "scale": settings.scale,
            "jobs": settings.jobs,
            "out": str(folder),
        }
        program = [sys.executable, str(Path(__file__).parents[2]), "measure/renders/playwright_batch"]
        run, output = timed(program, settings, input=json.dumps(request))
        if output:
            answer = json.loads(output)
            run = Run(answer["seconds"], run.problems + answer["problems"], answer["driver"])
        run.problems += missing_pictures(folder.glob("*.png"), expected)
        return run

    def _cold(self, creative, settings, folder):
        picture = folder / "picture.png"
        command = [self.program(settings), *self.options, "--hide-scrollbars", f"--screenshot={picture}"]
        command += [f"--window-size={settings.width},{settings.height}"]
        command += [f"--force-device-scale-factor={settings.scale}"]
        # A profile that was there before starts faster than a new one.
        command += [f"--user-data-dir={settings.scratch / self.name.replace(' ', '-')}"]
        # Chromium refuses to run as root with its sandbox.
        command += ["--no-sandbox"] if os.geteuid() == 0 else []
        run, _ = timed([*command, page(creative).as_uri()], settings)
        run.problems += missing_pictures([picture] if picture.exists() else [], 1)
        return run


class HeadlessShell(Browser):
    """Chromium without what only a window needs."""

    def program(self, settings):
        return settings.shell


def timed(command, settings, input=None):
    """Runs a command to its end; its messages are kept for when it fails."""
    begun = time.perf_counter()
    done = subprocess.run(settings.processor.counted(command), input=input, capture_output=True, text=True)
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
