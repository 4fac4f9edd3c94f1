"""Where results and reports are told to go, what creatives' texts do there, and what an end in the middle leaves."""

import hashlib
import os
import signal
import stat
import subprocess
import threading
import time

from lib.attack import ways
from lib.attack.family_hostile import left
from lib.attack.program import has_controls, write

REPORTS = ("--junit", "--sarif", "--ctrf", "--har", "--html")
# A page whose every text would steer a terminal, or be carried out by a CI service, if it came there as it is.
TEXT = ("x\\n::stop-commands::t\\n::error::y\\n##vso[task.setvariable variable=A]b\\n##teamcity[x]\\r"
        "\\u001b[2J\\u009b2J\\u2028\\u202e\\u0000\\u0007 passed")
PAGE = ways.document(
    f"<title>\x1b[2J</title><button id='a&#10;::error::x'>\x1b]0;x</button><img src='\x1b[2J%0a::error::.png'>"
    f"<script>const t = '{TEXT}'; alert(t); console.error(t); document.title = t; mraid.open('https://x.example/' + t);"
    "fetch('/' + t); setTimeout(() => { throw new Error(t) }); Promise.reject(t); mraid.storePicture(t)</script>")


def attack(galley, folder, tally, quick, random):
    creative = write(folder / "creatives" / "ad" / "index.html", PAGE).parent
    texts(galley, folder, creative, tally, quick)
    places(galley, folder, tally, quick)
    own_files(galley, folder / "own", tally)
    signals(galley, folder / "signals", tally, quick)


def texts(galley, folder, creative, tally, quick):
    """What each command prints of a hostile creative is plain lines."""
    out = folder / "out"
    calls = [["check", creative, "--profile", "all", "--out", out], ["report", out], ["report", out, "--github"],
             *(["report", out, option, "/dev/stdout"] for option in REPORTS)]
    if not quick:
        calls += [["render", creative, "--out", folder / "rendered"],
                  ["render", creative, "--explore", "--out", folder / "explored"],
                  ["check", creative, "--explore", "--github", "--out", folder / "checked"],
                  ["check", creative, "--json", "--out", folder / "json"],
                  ["baseline", "record", creative, "--baselines", folder / "baselines"],
                  ["baseline", "list", "--baselines", folder / "baselines"],
                  ["baseline", "verify", creative, "--baselines", folder / "baselines", "--out", folder / "verified"],
                  ["diff", out, folder / "rendered"], ["compare-containers", creative, "--out", folder / "containers"]]
    for call in calls:
        ended = galley.run(*call, within=180)
        if "/dev/stdout" in call:
            # Reports are documents with styles of their own, and may hold any text of any language.
            tally.check(not has_controls(ended.output), f"{call[2]} to a build server's log holds commands")
            continue
        own = b"\n".join(line for line in (ended.output + ended.errors).split(b"\n")
                         if "--github" not in call or not line.startswith((b"::error", b"::warning", b"::notice")))
        lines = [line for line in own.split(b"\n") if line.lstrip().startswith((b"::", b"##"))]
        told = own.decode("utf-8", "replace")
        tally.check(not has_controls(own) and not lines and not set("\u2028\u2029\u202e\u009b") & set(told),
                    f"{call[0]} {' '.join(map(str, call[2:3]))} prints a creative's text as it is: {lines[:1]}")


def places(galley, folder, tally, quick):
    """A report is written through links and into devices and pipes; only a regular file or nothing is replaced."""
    out, place = folder / "out", folder / "places"
    place.mkdir()
    for option in REPORTS[:1] if quick else REPORTS:
        kept = write(place / "kept", "before")
        link = place / "link"
        link.symlink_to(kept)
        galley.run("report", out, option, link)
        tally.check(link.is_symlink() and kept.read_bytes() not in (b"", b"before"), f"{option} to a link")
        link.unlink()
        link.symlink_to(place / "nothing yet")
        galley.run("report", out, option, link)
        tally.check(link.is_symlink() and (place / "nothing yet").is_file(), f"{option} to a link to nothing")
        link.unlink()
        (place / "nothing yet").unlink(missing_ok=True)
        into_pipe(galley, out, option, place / "pipe", tally)
        for name, minor, is_full in (("null", 3, False), ("full", 7, True)):
            into_device(galley, out, option, place / name, minor, is_full, tally)
        ended = galley.run("report", out, option, place)
        tally.check(ended.code == 2 and place.is_dir(), f"{option} to a folder: {ended.code}")
        ended = galley.run("report", out, option, place / "no" / "such" / "folder" / "file")
        tally.check(ended.is_orderly, f"{option} to no folder: {ended.code}")
    for call in [["devices", "--json"], ["containers"], ["checks"], ["--version"], ["--help"]]:
        with open("/dev/full", "wb") as full:
            code = subprocess.run([galley.path, *call], stdout=full, stderr=subprocess.DEVNULL).returncode
        tally.check(code != 0, f"{call} to a full device ends with {code}")


def into_pipe(galley, out, option, pipe, tally):
    os.mkfifo(pipe)
    came = []
    reader = threading.Thread(target=lambda: came.append(pipe.read_bytes()), daemon=True)
    reader.start()
    galley.run("report", out, option, pipe, within=30)
    reader.join(5)
    tally.check(stat.S_ISFIFO(pipe.lstat().st_mode) and bool(came and came[0]), f"{option} to a pipe")
    if reader.is_alive():
        os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
    pipe.unlink()


def into_device(galley, out, option, device, minor, is_full, tally):
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
        device.read_bytes() if minor == 3 else None
    except OSError:
        device.unlink(missing_ok=True)
        return
    ended = galley.run("report", out, option, device)
    still = stat.S_ISCHR(device.lstat().st_mode)
    tally.check(still and (not is_full or ended.code not in (0, 1)),
                f"{option} to the device {device.name}: {ended.code}")
    device.unlink()


def own_files(galley, folder, tally):
    """Results never take the place of a creative's own files."""
    files = {"index.html": "<p>ad</p>", "screenshots/1.png": "own", "result.json": "own", "events.ndjson": "own",
             "states/a": "own", "differences/b": "own"}
    for name, target in {"above": "..", "itself": ".", "inside": "results", "by a link": None}.items():
        creative = folder / name / "app"
        for path, content in files.items():
            write(creative / path, content)
        before = digest(creative, files)
        out = creative / target if target else folder / name / "link"
        if target is None:
            out.symlink_to(folder / name)
        galley.run("render", creative, "--out", out)
        tally.check(digest(creative, files) == before, f"--out {name}: the creative's own files have changed")


def digest(creative, files):
    return [hashlib.sha256((creative / path).read_bytes()).hexdigest() if (creative / path).is_file() else None
            for path in files]


def signals(galley, folder, tally, quick):
    """An end in the middle leaves no process and no folder of the engine's."""
    creative = write(folder / "ad" / "index.html",
                     ways.document("<script>setInterval(() => fetch('x'), 10)</script>")).parent
    write(creative / "scenario.yaml", "- wait: 3\n")
    moments = (0.6,) if quick else (0.05, 0.3, 0.6, 1.2)
    for number in (signal.SIGTERM,) if quick else (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        for moment in moments:
            place = folder / f"tmp-{number}-{moment}"
            place.mkdir(parents=True)
            command = subprocess.Popen([galley.path, "render", creative, creative, "--out", folder / "out"],
                                       stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(place)})
            time.sleep(moment)
            command.send_signal(number)
            try:
                command.wait(20)
            except subprocess.TimeoutExpired:
                command.kill()
            deadline = time.monotonic() + 10
            while (left() or list(place.iterdir())) and time.monotonic() < deadline:
                time.sleep(0.05)
            name = f"{signal.Signals(number).name} after {moment} s"
            tally.check(not left(), f"{name}: left alive {left()}")
            tally.check(not list(place.iterdir()), f"{name}: left {[each.name for each in place.iterdir()][:3]}")
