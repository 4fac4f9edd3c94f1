"""Creatives that bring along what configures Galley: verdicts, exit codes, findings and files stay as without it."""

import io
import json
import os
import socket
import threading
import zipfile

from lib.attack.program import write

# An ad that opens by itself, which fails a check.
PAGE = """<!doctype html><html lang=en><meta name="ad.size" content="width=320,height=50"><title>Ad</title>
<script src="mraid.js"></script><body style="margin:0"><p>An ad</p><script>
const go = () => mraid.open("https://example.com/");
mraid.getState() === "loading" ? mraid.addEventListener("ready", go) : go();
</script>"""
OFF = "severity: {open-without-gesture: off}\n"
FAST = ["--idle-time", "0.2", "--measure-time", "0.3", "--network", "none"]
# What a found file may never say.
REFUSED = [
    "html: {c}", "junit: {c}", "sarif: {c}", "ctrf: {c}", "har: {c}", "pdf: {c}", "out: {c}-out", "github: true",
    "queue: nats://127.0.0.1:{p}", "queue-credentials: {c}", "record: {c}", "replay: {c}", "replay-missing: live",
    "network: any", "network: public", "allow-network: 127.0.0.0/8", "memory: 90000", "timeout: 3000", "jobs: 200",
    "isolation: none", "send-beacons: true", "follow-clickthroughs: true", "trace: {c}", "baselines: {c}",
    "overwrite: true", "in-ci: true", "scenario: {c}", "scenario: ../x.yaml", "feed: {c}", "device: ../d.json",
    "explore-seconds: 80000", "backup: png", "policy: {c}", "json: true", "quiet: true",
]


class Link(str):
    """A file that is a link to somewhere."""


class Pipe:
    """A file that is a pipe nobody writes into."""


def attack(galley, folder, tally, quick, random):
    canary = write(folder / "canary.txt", "as it was")
    with Listener() as listener:
        cases = list(creatives(canary, listener.port))
        for number, (form, arm, files) in enumerate(random.sample(cases, 3) if quick else cases):
            alone(galley, folder / f"one-{number}", tally, form, arm, files)
        together(galley, folder / "batch", tally, random.sample(cases, 4) if quick else cases)
        for option in random.sample(REFUSED, 3) if quick else REFUSED:
            found(galley, folder, tally, option.format(c=canary, p=listener.port))
        tally.check(listener.connections == 0, f"{listener.connections} connections to a creative's queue")
    tally.check(canary.read_bytes() == b"as it was", "a file outside was written over")
    tally.check(not list(folder.glob("canary.txt*-*")), "a file was written beside the canary")


def creatives(canary, port):
    """What each creative has beside its page, in the form in which it is delivered."""
    risky = "".join(f"  {line}\n" for line in (
        f"html: {canary}", f"junit: {canary}", f"queue: nats://127.0.0.1:{port}", "network: any", "timeout: 3000"))
    arms: dict[str, dict] = {
        "severity": {"galley.yaml": OFF}, "options": {"galley.yaml": OFF + "options:\n" + risky},
        "suppression": {"galley.yaml": "suppress:\n  - {check: open-without-gesture, reason: x, "
                                       "expires: 2999-12-31}\n"},
        "devices": {"galley.yaml": "devices: [pixel-8, iphone-15]\n"}, "broken": {"galley.yaml": "[" * 5000},
        "unknown": {"galley.yaml": "severity: {nothing: off}\n"}, "large": {"galley.yaml": "# x\n" * 2_000_000},
        "link": {"galley.yaml": Link("../../trap.yaml")}, "endless": {"galley.yaml": Link("/dev/zero")},
        "pipe": {"galley.yaml": Pipe()}, "folder": {"galley.yaml/galley.yaml": OFF},
        "names": {".galley.yaml": OFF, "galley.yml": OFF, "GALLEY.YAML": OFF, "policy.yaml": OFF, ".galleyrc": OFF},
        "repository": {".git/config": "[core]\n", "galley.yaml": OFF},
        "environment": {".env": f"GALLEY_QUEUE=nats://127.0.0.1:{port}\nGALLEY_WORKER_PATH=/bin/true\nLANG=C\n"},
        "ignoring": {".galleyignore": "*\n", ".gitignore": "*\n", "galley-out": Link("../../..")},
        "baselines": {"galley-baselines/manifests/x/iphone-15.json": "{}", "galley-baselines/objects": Link("/tmp")},
        "scenario": {"scenario.yaml": "consent: granted\nsteps:\n  - tap: {x: 9, y: 9}\n  - wait: {seconds: 2}\n"},
        "an early end": {"scenario.yaml": "- wait: {seconds: 0.01}\n"},
        "scenarios": {"sub/scenario.yaml": "- tap: {x: 9, y: 9}\n", "other.scenario.yaml": "- tap: {x: 9, y: 9}\n"},
        "device files": {"iphone-15.json": "{}", "devices.json": "[]", "containers.json": "[]", "expected.yaml": OFF},
        "profiles": {"iab.json": "{}", "galley.yaml": "profile: [iab.json]\nprofile-files: [iab.json]\n"},
    }
    for arm, files in arms.items():
        yield "folder", arm, files
        yield "page", arm, files
        # What is so large and so alike is refused in an archive as one that unfolds.
        if arm != "large" and not any(isinstance(content, (Link, Pipe)) for content in files.values()):
            yield "zip", arm, files


def lay(place, form, files):
    """Writes a creative in its form; gives what a call names."""
    page = "page.html" if form == "page" else "index.html"
    if form == "zip":
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
            for name, content in {page: PAGE, **files}.items():
                out.writestr(name, content)
        return write(place.parent / f"{place.name}.zip", made.getvalue())
    write(place / page, PAGE)
    for name, content in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Link):
            path.symlink_to(content)
        elif isinstance(content, Pipe):
            os.mkfifo(path)
        else:
            write(path, content)
    return place / page if form == "page" else place


def harmless(files):
    """The same names with nothing in them, so that whatever counts files counts as many."""
    return {name: "# nothing\n" for name in files if name != "scenario.yaml" and not name.endswith("/galley.yaml")}


def alone(galley, place, tally, form, arm, files):
    """One creative with what it brings and the same without, each by a call of its own."""
    write(place / "trap.yaml", OFF)
    seen = []
    for side, own in (("armed", files), ("plain", harmless(files))):
        here = place / side
        creative = lay(here / "ads" / "ad", form, own).relative_to(here)
        before = tree(here)
        ended = galley.run("check", creative, *FAST, "--out", "out", cwd=here, within=90)
        seen.append((ended.code, verdicts(here / "out"), sorted(tree(here) - before)))
    what = f"{arm} in a {form}"
    tally.check(seen[0][0] == seen[1][0] == 1, f"{what}: exit {seen[0][0]}, without {seen[1][0]}")
    tally.check(seen[0][1] == seen[1][1] and len(seen[0][1]) == 1, f"{what}: {seen[0][1]}, without {seen[1][1]}")
    tally.check(seen[0][2] == seen[1][2], f"{what}: files {set(seen[0][2]) ^ set(seen[1][2])}")


def together(galley, place, tally, cases):
    """All of them in one call beside the project's own file, which counts for all."""
    write(place / "trap.yaml", OFF)
    here = place / "armed"
    named = [lay(here / "ads" / f"ad-{number:02}", form, files) for number, (form, _, files) in enumerate(cases)]
    write(here / "ads" / "galley.yaml", "fail-on: error\n")
    ended = galley.run(
        "check", *(path.relative_to(here) for path in named), *FAST, "--out", "out", cwd=here, within=600)
    tally.check(ended.code == 1, f"the batch ended with {ended.code}: {ended.errors[-200:]!r}")
    report = json.loads((here / "out" / "report.json").read_text()) if (here / "out" / "report.json").is_file() else {}
    tally.check(report.get("policy", {}).get("path") == "ads/galley.yaml",
                f"the batch's policy: {report.get('policy')}")
    for creative in report.get("creatives", []):
        checks = [finding["check"] for finding in creative["findings"]]
        tally.check("open-without-gesture" in checks and creative["status"] == "failed",
                    f"{creative['name']} of the batch: {creative['status']}, {checks}")
    tally.check(len(report.get("creatives", [])) == len(cases), "creatives of the batch are missing")


def found(galley, folder, tally, option):
    """A project's file that was found and asks for too much: the call is refused, and nothing is written."""
    here = folder / "found"
    lay(here / "ads" / "ad", "folder", {})
    write(here / "ads" / "galley.yaml", f"options:\n  {option}\n")
    before = tree(here)
    for command in ("check", "render"):
        ended = galley.run(command, "ads/ad", "--network", "none", cwd=here, within=60)
        tally.check(ended.code == 2 and tree(here) == before, f"{command} with a found '{option}': exit {ended.code}")


def verdicts(out):
    """Status and findings of each creative, without those of its files as such; none where there is no report."""
    file = out / "report.json"
    if not file.is_file():
        return []
    return [(each["status"], sorted((finding["check"], finding["severity"]) for finding in each["findings"]
                                    if finding["check"] != "orphaned-file"))
            for each in json.loads(file.read_text())["creatives"]]


def tree(folder):
    """All paths below a folder, none through a link."""
    return {os.path.relpath(os.path.join(root, name), folder)
            for root, folders, files in os.walk(folder) for name in folders + files}


class Listener:
    """A port of this machine that counts who connects."""

    def __enter__(self):
        self.connections = 0
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.count, daemon=True).start()
        return self

    def count(self):
        while True:
            try:
                self.socket.accept()[0].close()
            except OSError:
                return
            self.connections += 1

    def __exit__(self, *_):
        self.socket.close()
