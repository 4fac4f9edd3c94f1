"""Playwright's own tests of its fake clock, ported to pages: to run the clock for a while is to wait in virtual time."""

import re
import shutil
import subprocess
from pathlib import Path

import program
from readers import timing

SHIM = Path(__file__).resolve().parent.parent / "own/clock_shim.js"
TAIL = """
let listener = () => {};
function add_completion_callback(callback) { listener = callback; }
"""


def run(score, sources, galley, work):
    path = "tests/library/unit/clock.spec.ts"
    text = (sources["playwright"].files(path) / path).read_text()
    # What the tests stand on is the shim's: theirs makes a clock that passes when it is told to.
    text = re.sub(r"^import .*?;$", "", text, flags=re.M)
    text = re.sub(r"^const createClock = .*?^};$", "const createClock = makeClock;", text, flags=re.M | re.S)
    text = re.sub(r"^const it = test\.extend.*?^\}\);$", "", text, flags=re.M | re.S)
    words = ["esbuild", "--loader=ts", "--target=es2022"]
    script = subprocess.run(words, input=text, capture_output=True, text=True, check=True).stdout
    found, why = {}, {}
    for clock in ("real", "virtual"):
        folder = make(work / clock, script, clock)
        records = program.render(
            galley, [folder], work / f"out-{clock}", "--clock", clock, "--timeout", "250", "--offline")
        record = records.get(str(folder))
        found[clock] = timing.subtests(record) or {}
        why |= timing.reasons(record) if record else {}
    if not found["virtual"]:
        score.judge("the page", False, "it came to no end")
    for name, status in found["virtual"].items():
        if status == "5":
            score.skip(name, "sets or looks into a fake clock, and there is none")
        elif status != "pass" and found["real"].get(name) != "pass":
            score.skip(name, "asks for what only a fake clock does: it doesn't pass in the machine's time either")
        else:
            score.judge(name, status == "pass", why.get(name, status))


def make(folder, script, clock):
    """A creative of all tests; in the machine's time none may take long."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "resources").mkdir(parents=True)
    (folder / "shim.js").write_text(SHIM.read_text())
    (folder / "spec.js").write_text(script)
    limit = 3_000 if clock == "real" else 100_000
    (folder / "index.html").write_text(
        '<!DOCTYPE html><html lang="en"><title>Clock</title><body><script src="shim.js"></script>'
        f'<script>{TAIL}window.limit = {limit};</script><script src="spec.js"></script>'
        '<script src="resources/testharnessreport.js"></script>'
        "<script>runAll().then((found) => listener(found, {status: 0}));</script></body></html>")
    timing.finish(folder, minutes=2 if clock == "real" else 10)
    return folder
