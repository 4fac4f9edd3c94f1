"""A small part of what the other suites ask, in cases of our own: for continuous integration, without a network."""

import json
from pathlib import Path

from lib.verify.external import program
from lib.verify.external.readers import act, timing, urls

OWN = Path(__file__).resolve().parent.parent / "own"


def run(score, sources, galley, work):
    responses(score, galley, work / "responses")
    addresses = json.loads((OWN / "addresses.json").read_text())
    urls.judge_all(score, addresses, galley, work / "urls")
    names(score, galley, work / "names")
    pages = work / "timing"
    (pages / "resources").mkdir(parents=True, exist_ok=True)
    (pages / "index.html").write_text((OWN / "timing.html").read_text())
    (pages / "resources/testharness.js").write_text((OWN / "harness.js").read_text())
    timing.finish(pages)
    timing.judge_all(score, {"timing": pages}, galley, work)


def responses(score, galley, folder):
    folder.mkdir(parents=True, exist_ok=True)
    cases = json.loads((OWN / "responses.json").read_text())
    paths = [folder / f"{number}.json" for number in range(len(cases))]
    for case, path in zip(cases, paths, strict=True):
        path.write_text(json.dumps(case["body"]))
    entries = program.inspect(galley, paths)
    for case, path in zip(cases, paths, strict=True):
        entry = entries[str(path)]
        found = entry.get("code") or entry.get("shows")
        score.judge(f"response: {case['name']}", found == case["wanted"], f"{found}: {entry.get('message', '')}")


def names(score, galley, folder):
    cases = json.loads((OWN / "names.json").read_text())
    pages = {}
    for number, case in enumerate(cases):
        code = f'<!DOCTYPE html><html lang="en"><title>Elm</title><body>{case["code"]}</body></html>'
        pages[f"{case['check']} {case['kind'].lower()}"] = act.make(folder, folder / f"case-{number}", code), case
    found = act.check_all(galley, [page for page, _ in pages.values()], folder / "out")
    for name, (page, case) in pages.items():
        act.judge(score, name, found.get(page.name), case["check"], case["kind"])
