"""Renders every creative over and over at the same instants of its own time, with load on the machine if asked, with
impostors of well-known fonts installed in every second run, and says whose pictures aren't always the same bytes, or
whose log isn't the same but for times; it fails for those whose record doesn't name what can't be the same. They share
processes, but in every fifth run, which has one for each.
"""

import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lib.common.command import galley_of, make_parser
from lib.common.log import difference as log_difference, read_log
from lib.common.samples import check_examples, conformance_pages, feed, hangs, isolation, load, own_creatives
from lib.common.stumble import stumbling
from lib.common.tally import Tally
from lib.verify.clock.impostor import impostors


def parse_options():
    parser = make_parser("verify-clock", __doc__)
    parser.add_argument("--runs", type=int, default=100, help="renders of each creative (default: 100)")
    parser.add_argument("--load", type=int, default=0, help="processes that compute all the while (default: 0)")
    parser.add_argument("--stumble", action="store_true",
                        help="make workers' main loops late by some milliseconds now and then")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="renders at a time (default: cores)")
    parser.add_argument("--at", default="0,1,2,5,15,30", help="the instants (default: 0,1,2,5,15,30)")
    parser.add_argument(
        "--keep", type=Path, help="a folder for runs, pictures and the log of each outcome; runs that are there count")
    parser.add_argument("creatives", nargs="*", help="default: all of Creatives")
    return parser.parse_args()


def main():
    # What was found by then is told when it is ended early.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    options = parse_options()
    galley = galley_of(options)
    creatives = options.creatives or own_creatives(options.root)
    tally = Tally(options.keep, galley)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="galley-fonts-") as fonts, load(options.load), stumbling(options.stumble):
        disguise = impostors(Path(fonts) / "data")
        with contextlib.suppress(KeyboardInterrupt):
            while len(tally.runs) < options.runs:
                found = dict(render(galley, creatives, options, tally, disguise))
                tally.add({name: text for name, (text, _, _) in found.items()},
                          {name: nondeterminism for name, (_, nondeterminism, _) in found.items()},
                          {name: log for name, (_, _, log) in found.items()})
                print(f"{tally.progress} of {options.runs} after {time.monotonic() - began:.0f} s", file=sys.stderr,
                      flush=True)
    unnamed = report(tally)
    pictures = sum(len(json.loads(tally.text(tally.outcomes(name)[0][0]))["pictures"]) for name in tally.names)
    print(f"{len(tally.names) - len(tally.unlike)} of {len(tally.names)} creatives, of {pictures} pictures, gave the "
          f"same in each of {len(tally.runs)} runs, with {options.load} processes of load, "
          f"in {time.monotonic() - began:.0f} s; "
          f"of {len(tally.unlike) - len(unnamed)} others the records say why not")
    sys.exit(1 if unnamed or not tally.runs else 0)


def render(galley, creatives, options, tally, disguise):
    """Renders each creative once; gives its name, what came of it, what its record says can't be the same, its log."""
    run = len(tally.runs)
    hanging = [creative for creative in creatives if hangs(creative)]
    others = [creative for creative in creatives if creative not in hanging]
    shared = ["--jobs", str(options.jobs), "--isolation", isolation(run), "--seed", "1", "--date",
              "2026-01-02T03:04:05Z"]
    # A slow creative on a loaded machine must not be cut; one that hangs needn't be waited for.
    patient, short, at = ["--timeout", "240"], ["--timeout", "5"], ["--at", options.at]
    batches = [[*short, *at, *hanging]] if hanging else []
    batches += [[*patient, *at, *others]] if others else []
    if not options.creatives:
        batches += [[*patient, *at, "--container", container, *pages]
                    for container, pages in conformance_pages(options.root).items()]
        batches += [[*patient, *at, "--recursive", check_examples(options.root)], [*patient, *feed(options.root)]]
    for batch in batches:
        yield from outcomes([galley, "render", *shared, *batch], os.environ | (disguise if run % 2 else {}), tally)


def outcomes(command, environment, tally):
    """Renders with a command; gives of each creative its name, how it came out with which pictures, what its record
    says can't be the same, and its log as it is.
    """
    with tempfile.TemporaryDirectory(prefix="galley-clock-") as out:
        subprocess.run(
            [*command, "--json", "--out", out], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
            env=environment)
        for result in sorted(Path(out).rglob("result.json")):
            record = json.loads(result.read_text())
            pictures = {path.name: tally.keep(path.read_bytes(), path.suffix)
                        for path in sorted(result.parent.glob("screenshots/*.png"))}
            events = result.with_name("events.ndjson")
            log = read_log(events).splitlines()
            text = json.dumps({"outcome": record["outcome"], "pictures": pictures, "log": log}, indent=1)
            yield str(result.parent.relative_to(out)), (text, record.get("nondeterminism", []), events.read_bytes())


def report(tally):
    """Prints whose runs differ; returns the names of those of which a differing run's record doesn't say why."""
    unnamed = []
    for name in tally.names:
        (usual, count), *others = tally.outcomes(name)
        if nondeterminism := sorted(set(itertools.chain(*filter(None, tally.remarks(name, usual))))):
            print(f"{name}: its record says that these can't be made the same: {', '.join(nondeterminism)}")
        if not others:
            continue
        remarks = [remark for key, _ in others for remark in tally.remarks(name, key)]
        if not all(remarks):
            unnamed.append(name)
        named = sorted(set(itertools.chain(*filter(None, remarks))))
        what = sorted({difference(tally.text(usual), tally.text(key)) for key, _ in others})
        print(f"{name}: {len(tally.runs) - count} of {len(tally.runs)} runs differ from the most common one: "
              f"{'; '.join(what)}{'; their records name ' + ', '.join(named) if named else ''}")
    return unnamed


def difference(usual, other):
    if not usual or not other:
        return "there is no result"
    usual, other = json.loads(usual), json.loads(other)
    if usual["outcome"] != other["outcome"]:
        return f"{other['outcome']} instead of {usual['outcome']}"
    pictures = usual["pictures"] | other["pictures"]
    unlike = [name for name in sorted(pictures) if usual["pictures"].get(name) != other["pictures"].get(name)]
    if unlike:
        return "in " + ", ".join(f"{name} ({pictures[name]})" for name in unlike)
    return f"in its log: {log_difference(usual['log'], other['log'])}"


main()
