"""Ads of public repositories, each rendered twice: a verdict, no crash, the same pictures and the same log."""

from pathlib import Path

from lib.common import log
from lib.verify.external import program
from lib.verify.external.chromium import creatives

LOT = 200
# The day that pages find, and what their chance begins with.
OPTIONS = ["--timeout", "120", "--offline", "--date", "2026-11-25T10:00:00Z", "--seed", "7"]
SOURCES = ["banners-client", "banners-fy26", "banners-gulp", "banners-jlaran", "banners-lotteries", "banners-retail",
           "banners-wc"]


def run(score, sources, galley, work):
    ads = creatives.lot(sources, work / "pages", LOT, may_ask=True)
    runs = [program.render(galley, ads.values(), work / f"out-{turn}", *OPTIONS) for turn in range(2)]
    for name, folder in ads.items():
        first, second = (run.get(str(folder)) for run in runs)
        judge(score, name, first, second)


def judge(score, name, first, second):
    if first is None or second is None:
        score.judge(f"{name}: verdict", False, "there is no result")
        return
    score.judge(f"{name}: verdict", first["outcome"] == "completed", f"{first['outcome']}: {first.get('message')}")
    if told := sorted({*first.get("nondeterminism", []), *second.get("nondeterminism", [])}):
        score.skip(f"{name}: twice", f"declares that its pictures depend on the machine: {', '.join(told)}")
        return
    differing = sorted(path for path in files(first).keys() | files(second).keys()
                       if files(first).get(path) != files(second).get(path))
    score.judge(f"{name}: twice", not differing and first["outcome"] == second["outcome"], ", ".join(differing))


def files(record):
    """Pictures, and the log without what is measured, by name."""
    folder = Path(record["folder"])
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.png")}
    events = folder / "events.ndjson"
    return found | ({events.name: log.read_log(events)} if events.exists() else {})
