"""A worker program that renders nothing: it takes as long as it is told, and leaves a record and one picture.

What is measured with it is everything around a render: leases, contents, results, and what servers make of them.
"""

import stat
import struct
import sys
import zlib
from pathlib import Path

TEXT = '''#!{python} -S
import json, os, re, sys, time

PICTURE = bytes.fromhex("{picture}")
say = lambda value: (sys.stdout.write(json.dumps(value) + "\\n"), sys.stdout.flush())
say({{"ready": {{}}}})
for line in sys.stdin:
    job = json.loads(line[line.index("{{"):])["render"]["_0"]
    say({{"progress": {{"job": job["id"], "phase": "rendering"}}}})
    folder = job["output"]
    # A machine's folder for a job is named by the render, the lease's number and chance.
    named = re.findall("/([^/]+)-([0-9]+)-[0-9]+/", folder)
    lease = int(named[-1][1]) if named else 0
    if {ledger!r} and named:
        with open({ledger!r}, "a") as file:
            file.write(named[-1][0] + " " + str(lease) + " " + str(time.time()) + "\\n")
    time.sleep({seconds})
    os.makedirs(folder + "/screenshots", exist_ok=True)
    with open(folder + "/screenshots/001-default.png", "wb") as file:
        file.write(PICTURE)
    with open(folder + "/events.ndjson", "w") as file:
        file.write("")
    device = job["device"]
    record = {{
        "schema": {schema}, "creative": {{"path": job["creative"]["argument"]}}, "outcome": "completed",
        "device": {{
            "name": device["name"], "width": device["screen"]["width"], "height": device["screen"]["height"],
            "scale": 3, "renderScale": 3,
        }},
        "states": ["default"], "transitions": [], "eventCount": 0, "attempts": job["attempt"], "warnings": [],
        "screenshots": [{{
            "name": "001-default", "path": "screenshots/001-default.png", "state": "default", "t": 1,
            "width": 2, "height": 2,
        }}],
        "timings": {{"total": {seconds} * 1000, "lease": lease}},
    }}
    with open(folder + "/result.json", "w") as file:
        json.dump(record, file)
    say({{"finished": {{"job": job["id"], "record": record}}}})
'''


def picture():
    """A PNG of four grey pixels."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0)
    lines = zlib.compress(b"\0\x80\x80" * 2)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", lines) + chunk(b"IEND", b"")


def write(path, seconds, schema=2, ledger=""):
    """Writes the program, for renders of so many seconds; returns its path. A ledger gets a line for each begun."""
    path = Path(path)
    path.write_text(TEXT.format(python=sys.executable, picture=picture().hex(), seconds=seconds, schema=schema,
        ledger=str(ledger)))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path
