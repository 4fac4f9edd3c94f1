"""Results and verifications from elsewhere: nothing outside their folders is read, copied or written."""

import json
import os
import shutil
import struct
import zlib
from pathlib import Path

from lib.attack.program import write

PAGE = """<!doctype html><html lang=en><meta name="ad.size" content="width=320,height=50"><title>Ad</title>
<body style="margin:0;background:#cde"><p>An ad</p>"""
FAST = ["--idle-time", "0.2", "--network", "none"]
SECRET = b"SECRET-OF-ANOTHER-FOLDER"
# Keys of a baseline, as creative and variant.
KEYS = [
    ("../../../evil", "../pkg"), ("/x", "x"), ("a/../../b", "x"), ("ads/ad", "../../x"), ("ads/ad", "a/b"), ("", "x"),
    ("ads", ""), (".git/hooks", "x"), ("a//b", "x"), ("./a", "x"), ("a\0b", "x"), ("a", ".."), ("x" * 300, "x"),
    ("a/", "x"),
    ("..", ".."), ("a", "x\0.sh"),
]
# Folders and pictures that a report names.
PATHS = ["../secret", "/etc", "a/../../secret", ".", "./ad", "ad/", "ad//x", "..", "ad/..", "\0", "ad\0", "x" * 5000]


def attack(galley, folder, tally, quick, random):
    place = folder / "project"
    write(place / "ads/ad/index.html", PAGE)
    verified, part = prepare(galley, place)

    def chosen(all):
        return random.sample(all, 3) if quick else all

    outside = write(folder / "secret" / "secret.png", picture() + SECRET)
    write(folder / "secret" / "result.json", json.dumps({"secret": SECRET.decode()}))
    for name, change in chosen(list(approvals(outside))):
        approve(galley, place, folder, tally, verified, name, change)
    for name, change in chosen(list(reports())):
        for command in ("merge-reports", "report"):
            report(galley, place, folder, tally, part, command, name, in_document(change))
    for name, change in chosen(list(trees(outside))):
        for command in ("merge-reports", "report", "diff", "trace"):
            report(galley, place, folder, tally, part, command, name, change)


def prepare(galley, place):
    """A verification and a share's report, as jobs keep them as artifacts."""
    galley.run("baseline", "record", "ads/ad", *FAST, cwd=place)
    write(place / "ads/ad/index.html", PAGE.replace("#cde", "#123"))
    galley.run("baseline", "verify", "ads/ad", *FAST, "--out", "verified", cwd=place)
    galley.run("check", "ads/ad", *FAST, "--measure-time", "0.3", "--shard", "1/1", "--out", "part", cwd=place)
    return place / "verified", place / "part"


def approvals(outside):
    """Changes of what a verification says."""
    for creative, variant in KEYS:
        yield f"key {creative[:40]!r} {variant!r}", lambda document, c=creative, v=variant: document["key"].update(
            creative=c, variant=v)
    gone = str(outside.parent.parent / "gone")
    for store in (str(outside.parent), gone + "/else/galley-baselines", "{p}/../elsewhere/galley-baselines",
                  "{p}/.git", "{p}/../secret", "galley-baselines", "{p}/link/galley-baselines", "/"):
        yield f"store {store!r}", lambda document, s=store: document.update(
            store=s.replace("{p}", os.path.dirname(os.path.dirname(document["store"]))))
        if store == "galley-baselines":
            continue
        yield f"store {store!r} of a folder", lambda document, s=store: document.update(
            directory=gone, store=gone + "/" + s.replace("{p}/", ""))
    for file in ("../../../secret/secret.png", str(outside), "screenshots/../../../secret/secret.png", ""):
        yield f"part {file!r}", lambda document, f=file: [part.update(file=f) for part in document["parts"]]
    for name in ("../x", "a/b", "", "/x", "\0"):
        yield f"part's name {name!r}", lambda document, n=name: [part.update(name=n) for part in document["parts"]]
    yield "another picture", lambda document: [
        part.update(kept={"name": "x", "sha256": "../../x", "drawn": "y"}) for part in document["parts"]]


def approve(galley, place, folder, tally, verified, name, change):
    """Approves an artifact with the project's baselines named and without."""
    for options in ([], ["--baselines", "ads/galley-baselines"]):
        out = place / "artifact"
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(verified, out)
        file = next(out.rglob("baseline.json"))
        document = json.loads(file.read_text())
        change(document)
        if not name.startswith("part"):
            # Nothing is recorded at another place, and whoever makes the artifact says so.
            document.pop("against", None)
        write(file, json.dumps(document))
        (place / "link").unlink(missing_ok=True)
        (place / "link").symlink_to(folder / "secret")
        before = snapshot(folder, place / "artifact", place / "ads/galley-baselines")
        ended = galley.run("baseline", "approve", "--all", "--out", "artifact", "--in-ci", *options, cwd=place)
        tally.check(snapshot(folder, place / "artifact", place / "ads/galley-baselines") == before and ended.is_orderly,
                    f"approve, {name}, {options}: exit {ended.code}, files outside changed")
        store = place / "ads/galley-baselines"
        tally.check(all(SECRET not in path.read_bytes() for path in store.rglob("*") if path.is_file()),
                    f"approve, {name}: a file from outside is in the store")


def reports():
    """Changes of what a report says."""
    for path in PATHS:
        yield f"folder {path[:20]!r}", lambda report, p=path: report["creatives"][0].update(folder=p)
        yield f"picture {path[:20]!r}", lambda report, p=path: [
            shot.update(path=p) for shot in report["creatives"][0]["record"]["screenshots"]]
    yield "no folder", lambda report: report["creatives"][0].update(folder="")
    yield "picture outside", lambda report: [
        shot.update(path="../../secret/secret.png") for shot in report["creatives"][0]["record"]["screenshots"]]
    yield "sheet outside", lambda report: report["creatives"][0]["record"].update(
        filmstrip={"sheet": "../../secret/secret.png", "animation": "/etc/hostname", "interval": 1, "frames": 2})
    yield "hostile policy", lambda report: report.update(policy={"source": "found", "path": "\u2028::error::x\x1b[2J"})


def in_document(change):
    """The same change of the report in a folder."""
    def changed(folder):
        document = json.loads((folder / "report.json").read_text())
        change(document)
        write(folder / "report.json", json.dumps(document))
    return changed


def trees(outside):
    """Changes of the files in a result's folder."""
    def replaced(name):
        def change(folder):
            for path in [*folder.rglob(name)]:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
                path.symlink_to(outside.parent if name == "screenshots" else outside)
        return change

    def pipe(folder):
        for path in [*folder.rglob("*.png")]:
            path.unlink()
            os.mkfifo(path)

    def linked(folder):
        shutil.rmtree(folder / "ad")
        (folder / "ad").symlink_to(outside.parent)

    for name in ("*.png", "screenshots", "events.ndjson", "result.json", "measurements.json"):
        yield f"link for {name}", replaced(name)
    yield "pictures that are pipes", pipe
    yield "a link more", lambda folder: (folder / "ad" / "more").symlink_to(outside.parent)
    yield "a device", lambda folder: (folder / "ad" / "zero").symlink_to("/dev/zero")
    yield "a graph", lambda folder: write(folder / "ad" / "exploration.json", json.dumps({
        "states": [{"number": n, "name": "x", "screenshot": "../../../secret/secret.png"} for n in range(3)],
        "paths": [],
        "anomalies": []}))
    yield "a folder that is a link", linked


def report(galley, place, folder, tally, part, command, name, change):
    """Makes reports of an artifact, or joins, compares or traces it."""
    given, out = place / "given", place / "made"
    for path in (given, out):
        shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(part, given)
    change(given)
    out.mkdir()
    calls = {
        "merge-reports": ["merge-reports", "given", "--out", "made/all", "--html", "made/r.html"],
        "report": ["report", "given", "--html", "made/r.html", "--junit", "made/j.xml", "--har", "made/h.har", "--pdf",
                   "made/p.pdf"],
        "diff": ["diff", "part", "given", "--html", "made/d.html", "--images", "made/images"],
        "trace": ["trace", "given/ad", "--out", "made/t.zip"],
    }
    before = snapshot(folder, given, out)
    ended = galley.run(*calls[command], cwd=place, within=60)
    tally.check(ended.is_orderly and ended.seconds < 50,
                f"{command}, {name}: exit {ended.code}, {ended.errors[-150:]!r}")
    tally.check(snapshot(folder, given, out) == before, f"{command}, {name}: files outside changed")
    links = [path for path in out.rglob("*") if path.is_symlink()]
    made = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file() and not path.is_symlink())
    tally.check(not links and SECRET not in made and PIXELS not in made, f"{command}, {name}: it has what lies outside")


def snapshot(folder, *but):
    """Names and contents of all files below a folder but some."""
    found = {}
    for root, folders, files in os.walk(folder):
        if any(str(root).startswith(str(path)) for path in but):
            continue
        for name in folders + files:
            path = os.path.join(root, name)
            regular = os.path.isfile(path) and not os.path.islink(path)
            found[path] = zlib.crc32(Path(path).read_bytes()) if regular else os.path.islink(path)
    return found


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def picture():
    """A picture of 3 by 3 pixels, known by its bytes."""
    rows = b"".join(b"\0" + b"\x13\x57\x9b" * 3 for _ in range(3))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 3, 3, 8, 2, 0, 0, 0)) + chunk(
        b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


# The packed pixels, as a copy of the file would have them.
PIXELS = picture()[33:-12]
