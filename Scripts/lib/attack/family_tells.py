"""Everything by which an ad could tell Galley from a phone, and be good while it is looked at.

The page that tries them is tells.js, and the tests of rendering load it too. What is documented as still telling is in
accepted_tells.json: it is counted apart, and listed in a note.
"""

import json
from pathlib import Path

from lib.attack.program import events, write

HERE = Path(__file__).resolve().parent
SCENARIO = "- wait: {seconds: 1}\n- tap: body\n- wait: {seconds: 20}\n"
# By kind: the devices that stand for it, the first of them in the quick part too.
DEVICES = {"ios": ["iphone-15", "ipad-10"], "android": ["pixel-8", "galaxy-s24"],
           "desktop": ["desktop", "desktop-retina"]}
# What a device must have been asked at least, or the page itself is at fault.
LEAST = 150


def attack(galley, folder, tally, quick, random):
    accepted = json.loads((HERE / "accepted_tells.json").read_text())
    found: dict[str, list[str]] = {}
    for kind, devices in DEVICES.items():
        for device in devices[:1] if quick else devices:
            for clock in ["virtual"] if quick else ["virtual", "real"]:
                ask(galley, folder, tally, kind, device, clock, found)
    for what, lost in sorted(found.items()):
        if what in accepted:
            tally.note(f"\n          accepted: {what} ({', '.join(lost)}): {accepted[what]}")


def ask(galley, folder, tally, kind, device, clock, found):
    name = f"{device}-{clock}"
    creative = write(folder / name / "index.html", page(kind)).parent
    scenario = write(folder / f"{name}.yaml", SCENARIO)
    galley.render([creative], "--device", device, "--clock", clock, "--scenario", scenario, "--timeout", "60",
                  "--out", folder / "out")
    rows = [json.loads(text[5:]) for text in texts(folder / "out" / name) if text.startswith("tell ")]
    tally.check(len(rows) >= LEAST, f"{name}: only {len(rows)} tells were tried")
    accepted = json.loads((HERE / "accepted_tells.json").read_text())
    for what, held, seen in rows:
        if not held and what in accepted:
            found.setdefault(what, []).append(name)
        else:
            tally.check(held, f"{name}: {what}: {seen}")


def texts(result):
    return [each["detail"].get("text", "") for each in events(result) if each["name"] == "console"]


def page(kind):
    script = (HERE / "tells.js").read_text().replace("__KIND__", kind)
    return ('<!doctype html><meta name="viewport" content="width=device-width"><body style="background: teal">'
            f'<script src="mraid.js"></script><script>{script}</script>')
