"""Tests of fake clocks, ported to pages: to run the clock for a while is to wait, in either clock's time."""

import json
import re
import shutil
import subprocess
from pathlib import Path

from lib.verify.external import explained, program
from lib.verify.external.readers import awaited, timing

OWN = Path(__file__).resolve().parent.parent / "own/clock"
UNIT = "tests/library/unit/clock.spec.ts"
PAGE = ["tests/library/page-clock.spec.ts", "tests/library/page-clock.frozen.spec.ts"]
# As the runner of the tests tells of a test that asked for what a page hasn't.
SKIPPED = "5"
# What all tests take at most, in minutes, and what one may, in milliseconds.
MINUTES = {"real": 2, "virtual": 7}
LIMIT = {"real": 3_000, "virtual": 100_000}
TAIL = """
let listener = () => {};
function add_completion_callback(callback) { listener = callback; }
"""


def run_unit(score, sources, galley, work):
    """Playwright's unit tests of its clock."""
    text = (sources["playwright"].files(UNIT) / UNIT).read_text()
    # What the tests stand on is ours: theirs makes a clock that passes when it is told to.
    text = re.sub(r"^const createClock = .*?^};$", "const createClock = makeUnitClock;", text, flags=re.M | re.S)
    text = re.sub(r"^const it = test\.extend.*?^\}\);$", "", text, flags=re.M | re.S)
    judge_all(score, galley, work, ["playwright.js", "unit.js"], [as_script(text)])


def run_page(score, sources, galley, work):
    """Playwright's tests of its clock in a page."""
    tree = sources["playwright"].files(*PAGE)
    scripts = [as_script((tree / path).read_text()) for path in PAGE]
    judge_all(score, galley, work, ["playwright.js", "page.js"], scripts)


def run_fake_timers(score, sources, galley, work):
    """fake-timers' tests, whose synchronous calls of the clock are waited for."""
    tree = sources["fake-timers"].files("test")
    scripts = [awaited.script(compiled(path.read_text())) for path in sorted((tree / "test").glob("*-test.js"))]
    judge_all(score, galley, work, ["sinon.js", "fake_timers.js"], scripts)


def judge_all(score, galley, work, shims, scripts):
    """All but what the list of skips names."""
    found, why = render(galley, work, shims, scripts)
    skips = json.loads((OWN / "skips.json").read_text())[score.suite]
    for name, status in found["virtual"].items():
        reason = next((entry["reason"] for entry in skips
                       if any(explained.matches(name, pattern) for pattern in entry["cases"])), None)
        if reason or status == SKIPPED:
            score.skip(name, reason or why["virtual"][name])
        else:
            in_both = " in either clock" if found["real"].get(name) != "pass" else ""
            score.judge(name, status == "pass", f"{status}{in_both}: {why['virtual'].get(name, '')}")
    if not found["virtual"]:
        score.judge("the page", False, "it came to no end")


def as_script(text):
    """A TypeScript file as a script without what it imports."""
    return compiled(re.sub(r"^import .*?;$", "", text, flags=re.M), "ts")


def compiled(text, loader="js"):
    """As esbuild prints it: each statement has lines of its own, indented by its depth."""
    words = ["esbuild", f"--loader={loader}", "--target=es2022"]
    return subprocess.run(words, input=text, capture_output=True, text=True, check=True).stdout


def render(galley, work, shims, scripts):
    """By clock and name what became of each test, and what it says of that."""
    found, why = {}, {}
    for clock, minutes in MINUTES.items():
        folder = make(work / clock, ["time.js", "runner.js", *shims], scripts, clock)
        timing.finish(folder, minutes)
        records = program.render(galley, [folder], work / f"out-{clock}", "--clock", clock, "--timeout",
                                 str(60 * (minutes + 2)), "--offline")
        record = records.get(str(folder))
        found[clock] = timing.subtests(record) or {}
        why[clock] = timing.reasons(record) if record else {}
    return found, why


def make(folder, shims, scripts, clock):
    """A creative of all tests."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "resources").mkdir(parents=True)
    for name in shims:
        shutil.copy(OWN / name, folder)
    names = [f"spec-{index:02}.js" for index in range(len(scripts))]
    for name, script in zip(names, scripts, strict=True):
        # Each has names of its own.
        (folder / name).write_text(f"(() => {{\n{script}\n}})();\n")
    tags = "".join(f'<script src="{name}"></script>' for name in [*shims, *names, "resources/testharnessreport.js"])
    settings = f"window.limit = {LIMIT[clock]}; window.isExact = {str(clock == 'virtual').lower()};"
    (folder / "index.html").write_text(
        f'<!DOCTYPE html><html lang="en"><title>Clock</title><body><script>{TAIL}{settings}</script>{tags}'
        "<script>runAll().then((found) => listener(found, {status: 0}));</script></body></html>")
    return folder
