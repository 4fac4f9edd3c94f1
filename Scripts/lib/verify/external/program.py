"""Calls of galley, and what they leave."""

import json
import subprocess
from pathlib import Path

# Arguments of one call.
MOST = 200


def inspect(galley, paths):
    """What `galley inspect` says of each file, by its path."""
    entries = {}
    paths = [str(path) for path in paths]
    for first in range(0, len(paths), MOST):
        words = [str(galley), "inspect", "--json", *paths[first:first + MOST]]
        program = subprocess.run(words, capture_output=True, text=True)
        if program.returncode not in (0, 1, 2):
            raise RuntimeError(f"galley inspect ended with {program.returncode}: {program.stderr.strip()[:400]}")
        for entry in json.loads(program.stdout)["creatives"]:
            entries[entry["path"]] = entry
    return entries


def render(galley, creatives, out, *options):
    """Renders creatives, and gives by the name of each its record, or why there is none."""
    found = {}
    creatives = [str(creative) for creative in creatives]
    for first in range(0, len(creatives), MOST):
        batch = out / f"{first // MOST:02}"
        words = [str(galley), "render", *creatives[first:first + MOST], "--out", str(batch), "--json", *options]
        program = subprocess.run(words, capture_output=True, text=True)
        if program.returncode not in (0, 1, 2, 3, 4):
            raise RuntimeError(f"galley render ended with {program.returncode}: {program.stderr.strip()[:400]}")
        for result in batch.rglob("result.json"):
            record = json.loads(result.read_text())
            record["folder"] = str(result.parent)
            found[record["creative"]["path"]] = record
    return found


def events(record):
    """The log of a render."""
    log = Path(record["folder"]) / "events.ndjson"
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
