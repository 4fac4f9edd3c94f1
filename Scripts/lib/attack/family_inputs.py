"""Files that are broken or lie: each gets one of Galley's exit codes and plain lines, in time."""

import io
import json
import os
import struct
import warnings
import zipfile
from pathlib import Path

from lib.attack.program import write

# An archive that has a name twice is one of the attacks.
warnings.filterwarnings("ignore", "Duplicate name")

PAGE = b"<!doctype html><p>ad</p>"
# In the place of a file's content: a pipe that no program writes into.
PIPE = object()
NUMBERS = ["NaN", "Infinity", "-Infinity", "1e308", "-1e308", "2147483647", "2147483648", "-2147483649",
           "9007199254740993",
           "-0", "0", "-1", "1e-320", "99999999999999999999", "0x10", '"1"', "null", "[]", "true"]


def attack(galley, folder, tally, quick, random):
    cases = [*archives(random, 12 if quick else 80), *pages(), *scenarios(), *devices(), *policies(), *responses(),
             *names()]
    silent = list(pipes())
    if quick:
        cases, silent = random.sample(cases, 20), random.sample(silent, 3)
    for number, (name, files, arguments) in enumerate([*cases, *silent]):
        place = folder / f"{number:03}"
        place.mkdir(parents=True)
        for path, content in files.items():
            try:
                if content is PIPE:
                    os.mkfifo(place / path)
                    continue
                write(place / path, content)
            except (OSError, ValueError):
                continue
        command = arguments[0]
        is_render = command in ("render", "check") and "--timeout" not in arguments
        more = ["--out", "out", "--timeout", "8"] if is_render else []
        ended = galley.run(*arguments, *more, cwd=place, within=60)
        tally.check(PIPE not in files.values() or ended.code == 2 and ended.seconds < 25,
                    f"{name}: {ended.seconds:.0f} s, exit {ended.code}")
        tally.check(ended.is_orderly, f"{name}: exit {ended.code}: {(ended.errors or ended.output)[-200:]!r}")


def archives(random, count):
    plain = archive({"index.html": PAGE, "a.png": b"x" * 500, "b/c.css": b"p {}"})
    for number in range(count):
        content = bytearray(plain)
        for _ in range(random.randrange(1, 5)):
            at = random.randrange(len(content))
            if random.randrange(3):
                content[at] = random.randrange(256)
            else:
                content[at:at + 4] = random.choice([b"\xff\xff\xff\xff", b"\0\0\0\0", b"PK\x01\x02", b"PK\x05\x06"])
        yield f"changed archive {number}", {"a.zip": bytes(content)}, ["render", "a.zip"]
    odd = {
        "above": {"../../index.html": PAGE}, "absolute": {"/index.html": PAGE},
        "backslashes": {"..\\..\\index.html": PAGE},
        "device": {"index.html": PAGE, "CON": b"", "aux.txt": b""}, "controls": {"\x1b[2J\n::error::x.html": PAGE},
        "long": {"x" * 60000 + ".html": PAGE}, "deep": {"a/" * 2000 + "index.html": PAGE}, "none": {},
        "twice": [("index.html", PAGE), ("index.html", b"other")], "cases": {"Index.html": PAGE, "index.HTML": PAGE},
    }
    for name, files in odd.items():
        yield f"archive: {name}", {"a.zip": archive(files)}, ["render", "a.zip"]
    yield "archive that unfolds", {"a.zip": archive({"index.html": PAGE + b" " * 300_000_000})}, ["render", "a.zip"]
    many = archive({f"{n}.txt": b"" for n in range(70000)} | {"index.html": PAGE})
    yield "archive of many", {"a.zip": many}, ["render", "a.zip"]
    lying = bytearray(archive({"index.html": PAGE}))
    at = lying.find(b"PK\x01\x02")
    lying[at + 24:at + 28] = struct.pack("<I", 0xFFFFFFF0)
    yield "archive that lies of its size", {"a.zip": bytes(lying)}, ["render", "a.zip"]


def archive(files):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items() if isinstance(files, dict) else files:
            try:
                out.writestr(name, content)
            except (ValueError, struct.error):
                continue
    return made.getvalue()


def pages():
    odd = {
        "empty": b"", "zeros": b"\0" * 1000, "latin": b"<p>\xe4\xf6", "utf-16": "<p>x".encode("utf-16"),
        "mark": b"\xef\xbb\xbf<p>",
        "half a character": b"<p>\xf0\x9f", "long line": b"<p>" + b"x" * 5_000_000, "deep": b"<div>" * 100_000,
        "attributes": b"<p " + b"a=b " * 200_000 + b">", "comment": b"<!--" + b"x" * 1_000_000,
        "doctypes": b"<!doctype html>" * 50_000,
        "size": b'<meta name="ad.size" content="width=1e19,height=-1">',
        "size of text": b'<meta name="ad.size" content="width=\x1b[2J,height=x">',
        "elf": Path("/bin/true").read_bytes(),
        "controls": b"<title>\x1b[2J\r\n::error::x</title><script>throw '\\u001b[2J\\n::error::'</script>",
    }
    for name, content in odd.items():
        yield f"page: {name}", {"a.html": content}, ["render", "a.html"]
        yield f"checked page: {name}", {"a.html": content}, ["check", "a.html", "--profile", "all"]


def scenarios():
    odd = {f"wait {number}": f"- wait: {number}" for number in NUMBERS}
    odd |= {f"size {number}": f"screen: {{width: {number}, height: 1}}\nsteps: []" for number in NUMBERS[:6]}
    odd |= {f"tap {number}": f"- tap: {{x: {number}, y: {number}}}" for number in NUMBERS}
    odd |= {"aliases": "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]", "deep": "[" * 10000,
            "tags": "!!python/object:os.system x",
            "zeros": "\0\0", "long": "- wait: 1ms\n" * 20000, "controls": "- \x1b[2J: 1",
            "many": "- expect: {evaluate: {" + ", ".join(f'"a{n}": 1' for n in range(3000)) + "}}",
            "lines": "- wait: 'x\n::error::y\n##vso[x]'", "empty": "", "list": "[]", "merge": "<<: *x"}
    for name, content in odd.items():
        yield f"scenario: {name}", {"a.html": PAGE, "s.yaml": content}, ["render", "a.html", "--scenario", "s.yaml"]


def devices():
    for number in NUMBERS:
        content = f'{{"name": "x", "width": {number}, "height": {number}, "scale": {number}}}'
        yield f"device {number}", {"a.html": PAGE, "d.json": content}, ["render", "a.html", "--device", "./d.json"]
    for text in ["1e9x1e9@9", "0x0", "-1x5", "1x1@0", "1x1@nan", "99999999999999999999x1", "320x", "x", "320x480@1e9",
                 "320x480@-0"]:
        yield f"screen {text}", {"a.html": PAGE}, ["render", "a.html", f"--screen={text}"]
    for option in ("timeout", "memory", "idle-time", "measure-time", "jobs", "filmstrip", "filmstrip-length", "seed",
                   "at", "size", "date"):
        for text in ["nan", "inf", "-1", "1e308", "99999999999999999999", "0", "", "\x1b[2J"]:
            yield f"{option} {text!r}", {"a.html": PAGE}, ["render", "a.html", f"--{option}={text}"]


def policies():
    odd = {"deep": "{" * 5000, "unknown": "x\n\x1b[2J: 1", "numbers": "limits: {initial-weight: 1e400}",
           "aliases": "a: &a [x]\nb: [*a, *a]",
           "list": "- 1", "zeros": "\0", "long": "suppress: [" + "x, " * 50000 + "x]"}
    for name, content in odd.items():
        yield f"policy: {name}", {"a.html": PAGE, "galley.yaml": content}, [
            "check", "a.html", "--policy", "galley.yaml"]


def pipes():
    """Pipes that no program writes into, wherever a call names a file, and devices without an end."""
    named = {
        "scenario": ["render", "a.html", "--scenario", "p"], "policy": ["check", "a.html", "--policy", "p"],
        "device": ["render", "a.html", "--device", "./p.json"],
        "container": ["render", "a.html", "--container", "./p.json"],
        "profile": ["check", "a.html", "--profile", "./p.json"], "creative": ["render", "p.html"],
        "archive": ["render", "p.zip"],
        "response": ["render", "p.xml"], "recording": ["render", "a.html", "--replay", "p.har"],
        "archived recording": ["render", "a.html", "--replay", "p.zip"], "report": ["show", "p.html"],
        "comparison": ["diff", "p", "q"],
        "archive shown": ["har", "show", "p.har"], "tokens": ["serve", "--port", "0", "--data", "d", "--tokens", "p"],
        "secret": ["serve", "--port", "0", "--data", "d", "--webhook-secret", "p"],
        "authorities": ["work", "--queue", "tls://127.0.0.1:1", "--queue-ca", "p"],
        "credentials": ["work", "--queue", "nats://127.0.0.1:1", "--queue-credentials", "p"],
    }
    for name, arguments in named.items():
        last = [word.removeprefix("./") for word in arguments
                if word.removeprefix("./").partition(".")[0] in ("p", "q")]
        yield f"pipe: {name}", {"a.html": PAGE, **dict.fromkeys(last, PIPE)}, arguments
    for option in ("scenario", "policy"):
        command = "check" if option == "policy" else "render"
        yield f"endless {option}", {"a.html": PAGE}, [command, "a.html", f"--{option}", "/dev/zero"]


def responses():
    video = (
        '<VAST version="4.2"><Ad id="1"><InLine><AdSystem>x</AdSystem><AdTitle>x</AdTitle><Impression/><Creatives>'
        '<Creative><Linear skipoffset="{n}"><Duration>{n}</Duration><MediaFiles>'
        '<MediaFile delivery="progressive" type="video/mp4" width="{n}" height="{n}" assetWidth="{n}">x.mp4</MediaFile>'
        '<MediaFile delivery="progressive" type="video/mp4" width="{n}" height="{n}" bitrate="{n}">y.mp4</MediaFile>'
        '</MediaFiles><Icons><Icon width="{n}" height="{n}" xPosition="{n}" yPosition="{n}" offset="{n}">'
        '<StaticResource creativeType="image/png">x.png</StaticResource></Icon></Icons></Linear></Creative>'
        '<Creative><CompanionAds><Companion width="{n}" height="{n}" assetWidth="{n}">'
        '<StaticResource creativeType="image/png">x.png</StaticResource></Companion></CompanionAds></Creative>'
        '</Creatives></InLine></Ad></VAST>')
    for number in [*NUMBERS[:14], "1e11", "1e13", "00:99:99", "100%", "-1%"]:
        yield f"video {number}", {"ad.xml": video.replace("{n}", number)}, ["render", "ad.xml"]
    entities = "<!DOCTYPE VAST [" + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "x" * 10}">'
                                            for n in range(12)) + "]><VAST version=\"4.0\">&e11;</VAST>"
    for encoding in ("utf-8", "utf-16", "utf-32"):
        yield f"entities in {encoding}", {"ad.xml": entities.encode(encoding)}, ["render", "ad.xml"]
    outside = '<!DOCTYPE VAST [<!ENTITY x SYSTEM "file:///etc/hostname">]><VAST version="4.0"><Error>&x;</Error></VAST>'
    yield "an outside entity", {"ad.xml": outside}, ["render", "ad.xml"]
    yield "deep XML", {"ad.xml": "<VAST version='4.0'>" + "<a>" * 100000}, ["render", "ad.xml"]
    for number in NUMBERS:
        sizes = f'"price":{number},"w":{number},"h":{number},"exp":{number}'
        bid = f'{{"id":"1","seatbid":[{{"bid":[{{"id":"1","impid":"1",{sizes},"adm":"<p>x"}}]}}]}}'
        yield f"bid {number}", {"bid.json": bid}, ["render", "bid.json"]
    yield "a deep bid", {"bid.json": '{"seatbid":' + "[" * 100000}, ["render", "bid.json"]
    bids = [{"bid": [{"id": "\n::error::", "impid": "1", "price": 1, "adm": "x"}]}]
    yield "a bid of text", {"bid.json": json.dumps({"id": "\x1b[2J", "seatbid": bids})}, ["render", "bid.json"]


def names():
    odd = ["\x1b[2J.html", "::error::x.html", "##vso[x].html", "a\nb.html", "\u202egnp.html", "-x.html",
           "x" * 240 + ".html", "$(id).html", "a'b\"c.html", "%2e%2e.html"]
    for name in odd:
        yield f"named {name!r}", {name: PAGE}, ["render", os.path.join(".", name)]
        yield f"missing {name!r}", {}, ["render", os.path.join(".", name)]
        yield f"checked {name!r}", {name: PAGE + b"<script>x.y</script>"}, ["check", os.path.join(".", name)]
    for arguments in (["rendr", "\x1b[2J"], ["render", "--\x1b[2J"], ["check", "--profile", "\x1b[2J\n::error::"],
                      ["containers", "\x1b[2J"],
                      ["checks", "\n::error::x"], ["devices", "\x1b"], ["diff", "a\x1b[2J", "b"],
                      ["baseline", "approve", "\x1b[2J"],
                      ["report", "\x1b[2J"], ["render"], [""], ["render", ""], ["render", "/"],
                      ["render", "/dev/null"]):
        yield f"arguments {arguments!r}", {}, arguments
