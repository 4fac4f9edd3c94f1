"""Renders every creative over and over at the same instants of its own time, with load on the machine if asked, with
impostors of well-known fonts installed in every second run, and says whose pictures aren't always the same bytes; it
fails for those whose record doesn't name what can't be the same. They share processes, but in every fifth run, which has
one for each.
"""

import argparse
import collections
import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))
from impostor import impostors
from samples import check_examples, hangs, isolation, load, own_creatives, suite


def parse_options():
    parser = argparse.ArgumentParser(
        prog="Scripts/verify-clock", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--runs", type=int, default=100, help="renders of each creative (default: 100)")
    parser.add_argument("--load", type=int, default=0, help="processes that compute all the while (default: 0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="renders at a time (default: cores)")
    parser.add_argument("--at", default="0,1,2,5,15,30", help="the instants (default: 0,1,2,5,15,30)")
    parser.add_argument("--keep", type=Path, help="a folder for what differed, beside what is most common")
    parser.add_argument("--galley", type=Path, help="another galley than this checkout's release")
    parser.add_argument("creatives", nargs="*", help="default: all of Creatives")
    return parser.parse_args()


def main():
    # What was found by then is told when it is ended early.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    options = parse_options()
    galley = (options.galley or options.build / "release" / "galley").resolve()
    creatives = options.creatives or own_creatives(options.root)
    runs = collections.defaultdict(list)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="galley-fonts-") as fonts, load(options.load):
        disguise = impostors(Path(fonts) / "data")
        with contextlib.suppress(KeyboardInterrupt):
            for run in range(options.runs):
                for name, found in render(galley, creatives, options, run, disguise):
                    runs[name].append(found.sharing(runs[name]))
                unlike = sorted(name for name, found in runs.items() if len({one.key for one in found}) > 1)
                print(f"{run + 1} of {options.runs} runs in {time.monotonic() - began:.0f} s"
                      f"{', not all alike: ' + ', '.join(unlike) if unlike else ''}", file=sys.stderr, flush=True)
    unlike, unnamed = report(runs, options)
    pictures = sum(len(found[0].pictures) for found in runs.values())
    least = min((len(found) for found in runs.values()), default=0)
    print(f"{len(runs) - len(unlike)} of {len(runs)} creatives gave the same {pictures} pictures in each of {least} runs "
          f"or more, with {options.load} processes of load, in {time.monotonic() - began:.0f} s; "
          f"of {len(unlike) - len(unnamed)} others the records say why not")
    sys.exit(1 if unnamed or not runs else 0)


class Found:
    """What a render came to: its outcome, the pictures' bytes by name, and what the record says can't be the same."""

    def __init__(self, folder):
        result = json.loads((folder / "result.json").read_text())
        self.outcome = result["outcome"]
        self.inexact = result.get("inexact", [])
        self.log = (folder / "events.ndjson").read_bytes()
        self.pictures = {path.name: path.read_bytes() for path in sorted((folder / "screenshots").glob("*.png"))}

        digests = {name: hashlib.sha256(picture).hexdigest() for name, picture in self.pictures.items()}
        self.key = json.dumps([self.outcome, digests], sort_keys=True)

    def sharing(self, others):
        """The same, with the pictures of one that is alike, so that a hundred runs fit into memory."""
        alike = next((one for one in others if one.key == self.key), self)
        self.pictures = alike.pictures
        return self


def render(galley, creatives, options, run, disguise):
    """Renders each creative once; gives its name and what came of it."""
    hanging = [creative for creative in creatives if hangs(creative)]
    others = [creative for creative in creatives if creative not in hanging]
    if not options.creatives:
        others += suite(options.root)
    examples = [] if options.creatives else [check_examples(options.root)]
    shared = ["--json", "--at", options.at, "--jobs", str(options.jobs), "--isolation", isolation(run)]
    shared += ["--seed", "1", "--date", "2026-01-02T03:04:05Z"]
    # A slow creative on a loaded machine must not be cut; one that hangs needn't be waited for.
    for some, *more in ((hanging, "--timeout", "5"), (others, "--timeout", "240"), (examples, "--timeout", "240", "-r")):
        if not some:
            continue
        with tempfile.TemporaryDirectory(prefix="galley-clock-") as out:
            subprocess.run(
                [galley, "render", *shared, *more, "--out", out, *some], stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, check=False, env=os.environ | (disguise if run % 2 else {}))
            for result in sorted(Path(out).rglob("result.json")):
                yield str(result.parent.relative_to(out)), Found(result.parent)


def report(runs, options):
    """Prints whose runs differ; returns their names, and those of which a differing run's record doesn't say why."""
    unlike, unnamed = [], []
    for name, found in sorted(runs.items()):
        common, count = collections.Counter(one.key for one in found).most_common(1)[0]
        usual = next(one for one in found if one.key == common)
        if usual.inexact:
            print(f"{name}: its record says that these can't be made the same: {', '.join(usual.inexact)}")
        others = [one for one in found if one.key != common]
        if not others:
            continue
        named = sorted({what for one in others for what in one.inexact})
        unlike.append(name)
        if not all(one.inexact for one in others):
            unnamed.append(name)
        print(f"{name}: {len(others)} of {len(found)} runs differ from the most common one: "
              f"{'; '.join(sorted({difference(usual, other) for other in others}))}"
              f"{'; their records name ' + ', '.join(named) if named else ''}")
        if options.keep:
            keep(options.keep / name, usual, others)
    return unlike, unnamed


def difference(usual, other):
    if usual.outcome != other.outcome:
        return f"{other.outcome} instead of {usual.outcome}"
    names = [name for name in sorted(usual.pictures | other.pictures)
             if usual.pictures.get(name) != other.pictures.get(name)]
    return "in " + ", ".join(names)


def keep(folder, usual, others):
    for place, found in enumerate([usual, *others]):
        target = folder / ("usual" if place == 0 else f"other-{place}")
        target.mkdir(parents=True, exist_ok=True)
        for name, content in (found.pictures | {"events.ndjson": found.log}).items():
            (target / name).write_bytes(content)


main()
