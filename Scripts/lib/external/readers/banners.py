"""Ads of public repositories, each rendered twice: a verdict, no crash, and the same bytes."""

from pathlib import Path

import program
from chromium import creatives

LOT = 200
SOURCES = ["banners-client", "banners-fy26", "banners-gulp", "banners-jlaran", "banners-lotteries", "banners-retail",
           "banners-wc"]


def run(score, sources, galley, work):
    ads = creatives.lot(sources, work / "pages", LOT, may_ask=True)
    runs = [program.render(galley, ads.values(), work / f"out-{turn}", "--offline") for turn in range(2)]
    for name, folder in ads.items():
        first, second = (run.get(str(folder)) for run in runs)
        judge(score, name, first, second)


def judge(score, name, first, second):
    if first is None or second is None:
        score.judge(f"{name}: verdict", False, "there is no result")
        return
    score.judge(f"{name}: verdict", first["outcome"] == "completed", f"{first['outcome']}: {first.get('message')}")
    differing = sorted(path for path in files(first).keys() | files(second).keys()
                       if files(first).get(path) != files(second).get(path))
    score.judge(f"{name}: twice", not differing and first["outcome"] == second["outcome"], ", ".join(differing))


def files(record):
    """Pictures and the log, by name."""
    folder = Path(record["folder"])
    found = [*folder.rglob("*.png"), folder / "events.ndjson"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found if path.exists()}
