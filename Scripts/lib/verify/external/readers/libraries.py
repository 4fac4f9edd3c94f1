"""Test suites of animation libraries: tests that pass in machine time pass in virtual time.

Each suite is one page, which runs all its tests one after the other, once with either clock.
"""

import re
import shutil
from pathlib import Path

from lib.verify.external import program
from lib.verify.external.readers import timing

OWN = Path(__file__).resolve().parent.parent / "own"
# Debian's copies of what the suites are written for.
CHAI = Path("/usr/share/javascript/chai/chai.js")
JASMINE = Path("/usr/share/nodejs/jasmine-core/lib/jasmine-core")
# What a suite's tests take at most, in minutes.
MINUTES = {"real": 2, "virtual": 3}


def run_anime(score, sources, galley, work):
    judge(score, galley, work, anime, sources["anime"].files("tests", "dist", "package.json"))


def run_easeljs(score, sources, galley, work):
    judge(score, galley, work, easeljs, sources["easeljs"].files("tests", "lib", "src", "_assets"))


def judge(score, galley, work, make, tree):
    found, why = {}, {}
    for clock, minutes in MINUTES.items():
        folder = make(tree, work / clock)
        (folder / "resources").mkdir()
        timing.finish(folder, minutes)
        records = program.render(galley, [folder], work / f"out-{clock}", "--clock", clock, "--timeout",
                                 str(60 * (minutes + 2)), "--offline")
        record = records.get(str(folder))
        found[clock] = timing.subtests(record) or {}
        why[clock] = timing.reasons(record) if record else {}
    if not found["virtual"]:
        score.judge("the page", False, "it came to no end")
    for name, status in found["virtual"].items():
        if status == "not run":
            score.skip(name, "is left out by its author")
        else:
            in_both = " in either clock" if found["real"].get(name) != "pass" else ""
            score.judge(name, status == "pass", f"{status}{in_both}: {why['virtual'].get(name, '')}")


def anime(tree, folder):
    """Their page with its styles; its paths begin at the folder."""
    fresh(folder)
    for name in ("tests", "dist"):
        shutil.copytree(tree / name, folder / name, ignore=shutil.ignore_patterns("playground", "*.d.ts"))
    # What is published is read by name.
    shutil.copy(tree / "package.json", folder)
    shutil.copytree(tree / "tests/assets", folder / "assets")
    for name, source in (("mocha", OWN / "tdd.js"), ("chai", CHAI)):
        (folder / "node_modules" / name).mkdir(parents=True)
        shutil.copy(source, folder / "node_modules" / name)
    (folder / "node_modules/mocha/tdd.js").rename(folder / "node_modules/mocha/mocha.js")
    page = (tree / "tests/index.html").read_text()
    page = re.sub(r'<link rel="stylesheet"[^>]*mocha.css"[^>]*>', "", page).replace('"../', '"')
    # Its functions have to be there for setup.js, which imports it, and for the report.
    page = page.replace("<head>", '<head><script src="node_modules/mocha/mocha.js"></script>'
                        '<script src="resources/testharnessreport.js"></script>', 1)
    (folder / "index.html").write_text(page)
    setup = folder / "tests/setup.js"
    setup.write_text(re.sub(r"^import '../node_modules/mocha/mocha.js';$", "", setup.read_text(), flags=re.M))
    return folder


def easeljs(tree, folder):
    """The page that their Gruntfile makes, with a jasmine that has all they ask of it."""
    fresh(folder)
    for name in ("tests/assets", "tests/spec", "tests/lib", "lib", "src", "_assets"):
        shutil.copytree(tree / name, folder / name.removeprefix("tests/"), dirs_exist_ok=True)
    shutil.copytree(JASMINE, folder / "jasmine")
    scripts = [
        "jasmine/jasmine.js", "jasmine/jasmine-html.js", "jasmine/boot0.js", "own/report.js",
        "resources/testharnessreport.js",
        "_assets/libs/tweenjs-NEXT.min.js", "_assets/libs/preloadjs-NEXT.min.js", "lib/easeljs-NEXT.js",
        "src/easeljs/display/DisplayObject.js", "src/easeljs/display/StageGL.js", "spec/Helpers.js",
        "lib/js-imagediff/imagediff.js",
        *sorted(f"spec/{path.name}" for path in (tree / "tests/spec").glob("*Spec.js")),
    ]
    (folder / "own").mkdir()
    shutil.copy(OWN / "jasmine_report.js", folder / "own/report.js")
    tags = "".join(f'<script src="{script}"></script>' for script in scripts)
    (folder / "index.html").write_text(
        f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>EaselJS</title><body>{tags}'
        "<script>addEventListener('load', () => jasmine.getEnv().execute());</script></body></html>")
    return folder


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
