"""The same creative at the same instant in Galley and in Chromium: pictures, and where its elements are."""

import json
import subprocess
from pathlib import Path

import program
from chromium.browser import BrowserError, Chromium

FOLDER = Path(__file__).resolve().parent
# Galley draws whole pixels of a dip only; wide banners have to fit.
SCREEN, SCALE = "1280x1024@2", 2
DATE, SEED = "2026-11-25T10:00:00Z", 7
# Letters of one line of the log.
PIECE = 1800
# Edges of letters are drawn by each engine in its own way: a quarter of black to white, and few in any 24 pixels square.
LOOK = ["--threshold", "0.25", "--window", "24", "--max-density", "60"]


class Shown:
    """What an engine made of a creative."""

    def __init__(self, survey, picture, errors=()):
        self.survey, self.picture, self.errors = survey, picture, list(errors)


def scenario(work):
    """Asks the page where its elements are, at the instant of the picture before it."""
    script = (FOLDER / "survey.js").read_text().replace("\n", "\n      ")
    file = work / "survey.yaml"
    file.write_text(
        "steps:\n  - evaluate: |\n      const text = (() => {\n      " + script + "\n      })();\n"
        f"      for (let i = 0; i < text.length; i += {PIECE}) console.log(\"@survey \" + text.slice(i, i + {PIECE}));\n")
    return file


def galley(program_file, folders, instant, work):
    """By the folder of each creative, what Galley shows of it; or, as text, why it shows nothing."""
    options = ["--at", f"{instant:g}", "--scenario", str(scenario(work)), "--screen", SCREEN, "--date", DATE, "--seed",
               str(SEED), "--offline", "--timeout", "120", "--container", "spec"]
    found = {}
    for path, record in program.render(program_file, folders, work / f"galley-{instant:g}", *options).items():
        texts = [event["detail"]["text"] for event in program.events(record) if event["name"] == "console"]
        text = "".join(text.removeprefix("@survey ") for text in texts if str(text).startswith("@survey "))
        shot = next((shot for shot in record.get("screenshots", []) if shot.get("at") == instant), None)
        if record["outcome"] != "completed" or not text or not shot:
            found[path] = record.get("message") or record["outcome"]
            continue
        survey = json.loads(text)
        survey["placement"] = record["placement"]
        picture = Path(record["folder"]) / "screenshots" / f"{shot['name']}-ad.png"
        found[path] = Shown(survey, picture)
    return found


def chromium(browser, root, folder, document, like, instant, picture):
    """What Chromium shows where it is told the same size, day, language and chance as Galley's page was."""
    random = (root / "Sources/Rendering/Scripts/random.js").read_text().replace("__GALLEY_SEED__", str(SEED))
    # Without a width of its own a page is laid out at its view's, as SDKs see to.
    own_width = "width=" in like["viewport"].replace(" ", "") and "device-width" not in like["viewport"]
    page = browser.page(
        folder=folder, document=document, width=like["placement"]["width"], height=like["placement"]["height"], scale=SCALE,
        date=(like["date"] - like["now"]) / 1000, agent=like["agent"], zone=like["zone"], mobile=own_width,
        scripts=[(FOLDER / "mraid.js").read_text(), random], files={"mraid.js": b""})
    try:
        page.advance(like["now"])
        survey = json.loads(page.evaluate(f"(() => {{{(FOLDER / 'survey.js').read_text()}}})()"))
        picture.write_bytes(page.picture())
        return Shown(survey, picture, page.errors)
    finally:
        page.close()


def pixels(program_file, one, other, work):
    """What `galley diff` says of two pictures, tolerant of the edges of letters."""
    words = [str(program_file), "diff", str(one), str(other), "--json", *LOOK]
    found = subprocess.run(words, capture_output=True, text=True)
    return found.returncode, json.loads(found.stdout or "{}")


__all__ = ["BrowserError", "Chromium", "Shown", "chromium", "galley", "pixels"]
