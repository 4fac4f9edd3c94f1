"""Web platform tests of time, each once in the machine's time and once in virtual time."""

import json
import re
import shutil

from lib.verify.external import program

FOLDERS = [
    "html/webappapis/timers", "html/webappapis/animation-frames", "hr-time", "web-animations/timing-model",
    "css/css-animations", "css/css-transitions",
]
NEEDED = ["resources", "common", "css/support", "web-animations", "interfaces", *FOLDERS]
STATUS = {0: "pass", 1: "fail", 2: "timeout", 3: "not run", 4: "precondition failed"}
# What a test file needs that a page in a folder doesn't have.
SKIPS = [
    (r"-manual\.", "needs somebody to act and look"),
    (r"(-ref|crashtests/.*|\.tentative-ref)\.html$", "is a picture that another test is compared with, or a crash"),
    (r"(/support/|/resources/|parsing/)", "has no timers"),
    (r"\.https\.", "needs a server that isolates origins"),
]
REPORT = """
add_completion_callback((tests, status) => {
  const all = tests.map((test) => [test.name.slice(0, 120), test.status]);
  for (let first = 0; first < all.length; first += 8) console.log("wpt:" + JSON.stringify(all.slice(first, first + 8)));
  const end = document.createElement("div");
  end.id = "wpt-end";
  end.style = "position: fixed; left: 0; top: 0; width: 50px; height: 50px; background: green; z-index: 99999";
  (document.body ?? document.documentElement).append(end);
});
"""
SCENARIO = """placement: interstitial
steps:
ADVANCE  - wait: {visible: "#wpt-end", timeout: 60}
"""


def run(score, sources, galley, work):
    tree = sources["wpt"].files(*NEEDED)
    pages = {}
    for folder in FOLDERS:
        for path in sorted((tree / folder).rglob("*")):
            name = str(path.relative_to(tree))
            if not re.search(r"(\.html|\.any\.js|\.window\.js)$", name):
                continue
            if any(re.search(pattern, name) for pattern, _ in SKIPS):
                continue
            text = path.read_text(errors="replace")
            if path.suffix == ".html" and "testharness.js" not in text:
                continue
            if "testdriver" in text:
                score.skip(name, "needs a driver that acts in its place")
                continue
            pages[name] = make(tree, name, text, work / "pages")
    judge_all(score, pages, galley, work)


def judge_all(score, pages, galley, work):
    found = {}
    for clock in ("real", "virtual"):
        records = program.render(galley, pages.values(), work / clock, "--clock", clock, "--timeout", "90", "--offline")
        found[clock] = {name: subtests(records.get(str(page))) for name, page in pages.items()}
    for name in pages:
        compare(score, name, found["real"][name], found["virtual"][name])


def make(tree, name, text, target):
    """A creative of one test: its page at the root, what it names by a path of its own beside it."""
    folder = target / re.sub(r"[^\w.-]+", "-", name).removesuffix(".html")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "resources").mkdir()
    for script in (tree / "resources").glob("*.js"):
        shutil.copy(script, folder / "resources")
    # What it names: scripts and pictures beside it, and those that are shared.
    areas = {"css/support": "css/support", "web-animations": "web-animations", "common": "/common/"}
    for area in [area for area, sign in areas.items() if sign in text] + [folder_of(name)]:
        copy(tree / area, folder / area)
    if not name.endswith(".html"):
        text = page_of_script(name, text)
    place = name.rsplit("/", 1)[0]
    text = re.sub(r"""((?:src|href)\s*=\s*)(["']?)(?!/|[a-z]+:|\#|javascript)([^"'\s>]+)\2""",
                  lambda match: f'{match[1]}"/{place}/{match[3]}"', text)
    (folder / "index.html").write_text(text)
    finish(folder)
    return folder


def finish(folder, minutes=0):
    """What tells of the page's tests, and waits for their end: so many minutes and one."""
    (folder / "resources/testharnessreport.js").write_text(REPORT)
    (folder / "scenario.yaml").write_text(SCENARIO.replace("ADVANCE", "  - advance: 60s\n" * minutes))


def folder_of(name):
    """The suite's folder that a test is in."""
    return next(folder for folder in FOLDERS if name.startswith(folder + "/"))


def copy(source, target):
    """Scripts, styles and small pictures; tests themselves stay."""
    for path in source.rglob("*"):
        is_support = "/support/" in str(path) or "/resources/" in str(path)
        is_wanted = is_support or path.suffix in (".js", ".css", ".png", ".svg")
        if path.is_file() and is_wanted and not path.name.endswith((".any.js", ".window.js")):
            place = target / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)


def page_of_script(name, text):
    needed = re.findall(r"^// META: script=(\S+)", text, re.M)
    scripts = "".join(f'<script src="{script}"></script>' for script in needed)
    return (f'<!DOCTYPE html><meta charset="utf-8"><title>{name}</title><script '
            f'src="/resources/testharness.js"></script>'
            f'<script src="/resources/testharnessreport.js"></script>{scripts}<div id="log"></div>'
            f"<script>{text}</script>")


def subtests(record):
    """By name what became of each; nil where the page never came to its end."""
    if record is None:
        return None
    found = {}
    for event in program.events(record):
        line = event["detail"].get("text", "") if event["name"] == "console" else ""
        if line.startswith("wpt:"):
            for name, status in json.loads(line[4:]):
                found[name] = STATUS.get(status, str(status))
    return found


def reasons(record):
    """By the name of a test what it says went wrong."""
    lines = [event["detail"].get("text", "") for event in program.events(record) if event["name"] == "console"]
    return dict(line[4:].split(" | ", 1) for line in lines if line.startswith("why:") and " | " in line)


def compare(score, name, real, virtual):
    if not real:
        score.skip(name, "doesn't end in the machine's time in a folder of files")
        return
    for test, status in real.items():
        if status != "pass":
            score.skip(f"{name}: {test}", "fails in machine time")
        else:
            now = (virtual or {}).get(test, "is missing")
            score.judge(f"{name}: {test}", now == "pass", now)
