"""The same creative at the same instant in Galley and in Chromium: pictures, and where its elements are."""

import json
import math
import subprocess
from pathlib import Path

from lib.verify.external import program
from lib.verify.external.chromium.browser import FRAME

FOLDER = Path(__file__).resolve().parent
# Galley draws whole pixels of a dip only; wide banners have to fit.
SCREEN, SCALE = "1280x1024@2", 2
DATE, SEED = "2026-11-25T10:00:00Z", 7
# Letters of one line of the log.
PIECE = 1800
# A quarter of black to white, and few in any 24 pixels square; what lines above have moved by some pixels is the same.
LOOK = ["--threshold", "0.25", "--window", "24", "--max-density", "80", "--shift", "8"]
# Pixels around letters that they may be drawn into.
MARGIN = 6
# Lines of whole pixels are as high in either engine.
LINES = "*, ::before, ::after { line-height: 20px !important }"


class Shown:
    """What an engine made of a creative: its elements, the same with lines of one height, and pictures."""

    def __init__(self, survey, lines, picture, errors=()):
        self.survey, self.lines, self.picture, self.errors = survey, lines, picture, list(errors)


def asked(before=""):
    """A script whose value is the survey, as text."""
    return f"(() => {{ {before}\n{(FOLDER / 'survey.js').read_text()}\n}})()"


def levelled():
    style = json.dumps(LINES)
    return ("const sheet = document.createElement('style'); sheet.textContent = " + style
            + "; (document.head ?? document.documentElement).prepend(sheet);")


def scenario(work):
    """Asks the page where its elements are, at the instant of the picture before it."""
    steps = ["steps:"]
    for word, before in (("survey", ""), ("lines", levelled())):
        script = (f"const text = {asked(before)};\nfor (let i = 0; i < text.length; i += {PIECE}) "
                  f"console.log(\"@{word} \" + text.slice(i, i + {PIECE}));")
        steps += ["  - evaluate: |", *("      " + line for line in script.splitlines())]
    file = work / "survey.yaml"
    file.write_text("\n".join(steps) + "\n")
    return file


def told(record, word):
    texts = [str(event["detail"].get("text")) for event in program.events(record) if event["name"] == "console"]
    text = "".join(text.removeprefix(f"@{word} ") for text in texts if text.startswith(f"@{word} "))
    return json.loads(text) if text else None


def galley(program_file, creatives, instant, work):
    """By the path of each creative, what Galley shows of it; or, as text, why it shows nothing."""
    options = ["--at", f"{instant:g}", "--scenario", str(scenario(work)), "--screen", SCREEN, "--date", DATE, "--seed",
               str(SEED), "--offline", "--timeout", "120"]
    found = {}
    for path, record in program.render(program_file, creatives, work / f"galley-{instant:g}", *options).items():
        shot = next((shot for shot in record.get("screenshots", []) if shot.get("at") == instant), None)
        survey = told(record, "survey")
        if record["outcome"] != "completed" or not survey or not shot:
            found[path] = record.get("message") or record["outcome"]
            continue
        survey["placement"] = record["placement"]
        picture = Path(record["folder"]) / "screenshots" / f"{shot['name']}-ad.png"
        found[path] = Shown(survey, told(record, "lines"), picture)
    return found


def chromium(browser, root, folder, document, like, pictures, files=None):
    """What Chromium shows, where it is told the size, day, language and chance of Galley's page: a frame before that
    page's instant, at it and after it, as engines begin a motion a frame sooner or later."""
    random = (root / "Sources/Hosting/Scripts/random.js").read_text().replace("__GALLEY_SEED__", str(SEED))
    # Without a width of its own a page is laid out at its view's, as SDKs see to.
    own_width = "width=" in like["viewport"].replace(" ", "") and "device-width" not in like["viewport"]
    page = browser.page(
        folder=folder, document=document, width=like["placement"]["width"], height=like["placement"]["height"],
        scale=SCALE,
        date=(like["date"] - like["now"]) / 1000, agent=like["agent"], zone=like["zone"], mobile=own_width,
        scripts=[(FOLDER / "mraid.js").read_text(), random], files={"mraid.js": b"", **(files or {})})
    try:
        shown = []
        for number, frame in enumerate((-1, 0, 1)):
            page.advance(like["now"] + frame * FRAME)
            file = pictures.with_name(f"{pictures.name}-{number}.png")
            file.write_bytes(page.picture())
            shown.append(Shown(json.loads(page.evaluate(asked())), None, file, page.errors))
        lines = json.loads(page.evaluate(asked(levelled())))
        for one in shown:
            one.lines = lines
        return shown
    finally:
        page.close()


def pixels(program_file, one, other, letters):
    """How many pixels differ in the densest window, without what boxes of letters cover; `galley diff` says it."""
    words = [str(program_file), "diff", str(one), str(other), "--json", *LOOK]
    for x, y, width, height in letters:
        left, top = max(0, math.floor(x * SCALE) - MARGIN), max(0, math.floor(y * SCALE) - MARGIN)
        right, bottom = math.ceil((x + width) * SCALE) + MARGIN, math.ceil((y + height) * SCALE) + MARGIN
        if right > left and bottom > top:
            words += ["--ignore", f"{left},{top},{right - left},{bottom - top}"]
    found = subprocess.run(words, capture_output=True, text=True)
    if found.returncode not in (0, 1):
        raise RuntimeError(f"galley diff ended with {found.returncode}: {found.stderr.strip()[:200]}")
    if found.returncode == 0:
        return 0
    shot = json.loads(found.stdout)["results"][0]["screenshots"][0]
    return shot.get("difference", {}).get("densest", {}).get("differing", 0) or 1
