"""The same creative at the same instants in Galley and Debian's Chromium, and what is known to differ in Chromium."""

import json
import re
import subprocess

from lib.verify.external import program
from lib.verify.external.chromium import boxes, creatives, pages
from lib.verify.external.chromium.browser import PROGRAM, BrowserError, Chromium

INSTANTS = [1, 5]
# Repositories of banners, as sources.py calls them.
BANNERS = ["banners-client", "banners-fy26", "banners-gulp", "banners-lotteries", "banners-retail", "banners-wc"]
# Pixels of 576 that may differ: edges of curves.
MOST_PIXELS = 80


def run_samples(score, sources, galley, work):
    shown, skipped = creatives.own(work_root())
    for name, reason in skipped.items():
        score.skip(name, reason)
    compare(score, shown, galley, work)


def run_banners(score, sources, galley, work):
    compare(score, creatives.lot(sources, work / "pages"), galley, work)


def version():
    """`Chromium 156.0.8078.108`"""
    return subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout.strip()


def work_root():
    return pages.FOLDER.parents[4]


def fonts():
    return work_root() / "Sources/Machine/Fonts/fonts.conf"


def compare(score, shown, galley, work):
    (work / "chromium").mkdir(parents=True, exist_ok=True)
    ours = {instant: pages.galley(galley, shown.values(), instant, work) for instant in INSTANTS}
    for name, folder in shown.items():
        for instant in INSTANTS:
            judge(score, name, folder, instant, ours[instant].get(str(folder), "there is no result"), galley, work)


def judge(score, name, folder, instant, one, galley, work):
    title = f"{name} at {instant} s"
    if not isinstance(one, pages.Shown):
        score.skip(title, f"Galley shows nothing: {re.sub(r'[0-9]+', 'N', one)[:80]}")
        return
    stem = work / "chromium" / f"{re.sub(r'[^a-zA-Z0-9.-]+', '-', name)}-{instant}"
    try:
        # A program of its own: what one page does to it is no other's.
        with Chromium(fonts()) as browser:
            frames = pages.chromium(browser, work_root(), folder, "index.html", one.survey, stem)
    except BrowserError as error:
        score.skip(title, f"Chromium shows nothing: {error}"[:80])
        return
    found = boxes.nearest(one, frames)
    score.judge(f"{title}: boxes{boxes.cause(found)}", not found.plain, "; ".join(map(str, found.plain[:4])))
    densest = [0]
    # The frame whose boxes are the same first: moving pictures differ by one.
    for frame in found.order:
        densest.append(pages.pixels(galley, one.picture, frame.picture, boxes.letters(one, frame)))
        if densest[-1] <= MOST_PIXELS:
            break
    least = min(densest[1:])
    has_video = any(row[6] == "video" and row[5] for row in one.survey["boxes"])
    score.judge(f"{title}: pixels{', video' if has_video and least > MOST_PIXELS else ''}", least <= MOST_PIXELS,
                f"{least} pixels of a window of 576 differ; {one.picture}, {found.order[0].picture}")


def run_rows(score, sources, galley, work):
    """Each row's pages in both engines: one on which they differ as the row says, one on which they don't."""
    rows = json.loads((work_root() / "Sources/Checks/Families/chromium-differences.json").read_text())["differences"]
    samples = work_root() / "Creatives/checks/chromiumDiffers"
    made = {}
    for row in rows:
        for kind in ("trips", "passes"):
            folder = work / "rows" / f"{row['id']}-{kind}"
            folder.mkdir(parents=True, exist_ok=True)
            text = (samples / row["id"] / f"{kind}.html").read_text()
            (folder / "index.html").write_text(
                text.replace("</title>", f"</title><meta name=\"row\" content=\"{row['id']}\">"))
            made[row["id"], kind] = folder
    ours = tried_in_galley(galley, rows, made, work)
    theirs = tried_in_chromium(rows, made)
    for row in rows:
        wanted = (row["trial"]["webkit"], row["trial"]["chromium"])
        found = (ours.get((row["id"], "trips")), theirs.get((row["id"], "trips")))
        score.judge(f"{row['id']}: differs", found == wanted and wanted[0] != wanted[1],
                    f"WebKit {found[0]!r}, Chromium {found[1]!r}; the row says {wanted}")
        one, other = ours.get((row["id"], "passes")), theirs.get((row["id"], "passes"))
        score.judge(f"{row['id']}: mended", one is not None and one == other, f"WebKit {one!r}, Chromium {other!r}")


def tried_in_galley(galley, rows, made, work):
    probes = ",\n".join(f"        {json.dumps(row['id'])}: () => ({row['trial']['probe']})" for row in rows)
    scenario = work / "rows.yaml"
    scenario.write_text(
        "steps:\n  - advance: 0.5s\n  - evaluate: |\n      const probes = {\n" + probes + "\n      };\n"
        "      const row = document.querySelector(\"meta[name=row]\").content;\n"
        "      console.log(\"@row \" + JSON.stringify([probes[row]()]));\n")
    records = program.render(galley, made.values(), work / "galley-rows", "--scenario", str(scenario), "--offline",
                             "--timeout", "120")
    found = {}
    for key, folder in made.items():
        if record := records.get(str(folder)):
            texts = [str(event["detail"].get("text")) for event in program.events(record) if event["name"] == "console"]
            said = next((text for text in texts if text.startswith("@row ")), None)
            found[key] = json.loads(said[5:])[0] if said else None
    return found


def tried_in_chromium(rows, made):
    found = {}
    with Chromium(fonts()) as browser:
        for row in rows:
            for kind in ("trips", "passes"):
                page = browser.page(folder=made[row["id"], kind], document="index.html", width=300, height=250, scale=1)
                page.advance(500)
                found[row["id"], kind] = page.evaluate(row["trial"]["probe"])
                page.close()
    return found
