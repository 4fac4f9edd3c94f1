"""Renders every creative over and over, with load on the machine if asked, and says whose event log isn't always the
same.

Creatives whose log tells the time live in one of their own; the conformance suite is rendered by `galley conformance`,
with its scenarios. They share processes, but in every fifth run, which has one for each. With --explore each run
explores instead, with one job and with two in turns, and what was found is compared.
"""

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lib.common.command import galley_of, make_parser
from lib.common.log import difference, read_exploration, read_log
from lib.common.samples import check_examples, conformance, feed, hangs, isolation, load, own_creatives, tells_time
from lib.common.stumble import stumbling
from lib.common.tally import Tally


def parse_options():
    parser = make_parser("verify-logs", __doc__)
    parser.add_argument("--runs", type=int, default=100, help="renders of each creative (default: 100)")
    parser.add_argument("--load", type=int, default=0, help="processes that compute all the while (default: 0)")
    parser.add_argument("--stumble", action="store_true",
                        help="make workers' main loops late by some milliseconds now and then")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="renders at a time (default: cores)")
    parser.add_argument("--explore", action="store_true", help="compare what `render --explore` finds")
    parser.add_argument("--keep", type=Path, help="a folder for the runs; those that are there count")
    parser.add_argument("creatives", nargs="*", help="default: all of Creatives")
    return parser.parse_args()


def main():
    options = parse_options()
    galley = galley_of(options)
    creatives = options.creatives or own_creatives(options.root)
    tally = Tally(options.keep, galley)
    began = time.monotonic()
    # Told to stop, it judges what it has.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with load(options.load), stumbling(options.stumble), contextlib.suppress(KeyboardInterrupt):
        while len(tally.runs) < options.runs:
            tally.add(dict(render_once(galley, creatives, options, len(tally.runs))))
            print(f"{tally.progress} of {options.runs} after {time.monotonic() - began:.0f} s", file=sys.stderr,
                  flush=True)
    report(tally, "exploration" if options.explore else "log", options.load, time.monotonic() - began)
    sys.exit(1 if tally.unlike or not tally.runs else 0)


def report(tally, result, load, seconds):
    runs = len(tally.runs)
    for name in tally.unlike:
        (common, count), (other, _), *_ = tally.outcomes(name)
        what = difference(tally.text(common).splitlines(), tally.text(other).splitlines())
        print(f"{name}: {runs - count} of {runs} runs differ from the most common {result}: {what}")
    print(f"{len(tally.names) - len(tally.unlike)} of {len(tally.names)} creatives gave the same {result} in {runs} of "
          f"{runs} runs, with {load} processes of load, in {seconds:.0f} s")


def render_once(galley, creatives, options, run):
    if options.explore:
        return explore(galley, creatives, run % 2 + 1)
    shared = ["--json", "--jobs", str(options.jobs), "--isolation", isolation(run)]
    found = render(galley, creatives, shared)
    if options.creatives:
        return found
    command = [galley, "render", *shared, "--timeout", "120"]
    examples = results([*command, "--recursive"], [check_examples(options.root)])
    return itertools.chain(found, examples, results(command, feed(options.root)),
                           results([galley, "conformance", *shared, "--suite", conformance(options.root)]))


def render(galley, creatives, shared):
    """Renders each creative once and gives its name and log."""
    hanging = [creative for creative in creatives if hangs(creative)]
    timed = [creative for creative in creatives if tells_time(creative)]
    others = [creative for creative in creatives if creative not in hanging + timed]
    # A slow creative on a loaded machine must not be cut; one that hangs needn't be waited for.
    for some, seconds, *more in ((hanging, 5), (timed, 120, "--clock", "virtual"), (others, 120)):
        if some:
            yield from results([galley, "render", *shared, "--timeout", str(seconds), *more], some)


def results(command, creatives=(), file="events.ndjson", read=read_log):
    with tempfile.TemporaryDirectory(prefix="galley-logs-") as out:
        subprocess.run(
            [*command, "--out", out, *creatives], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        found = sorted(Path(out).rglob(file))
        if not found:
            sys.exit(f"there is no {file} after {' '.join(map(str, [*command, *creatives]))}")
        for path in found:
            yield str(path.parent.relative_to(out)), read(path)


def explore(galley, creatives, jobs):
    """Explores each creative once and gives its name and what was found; one that hangs has nothing to explore."""
    some = [creative for creative in creatives if not hangs(creative)]
    # What the seconds cut depends on the machine.
    command = [galley, "render", "--json", "--jobs", str(jobs), "--timeout", "120", "--explore"]
    return results([*command, "--explore-seconds", "3600"], some, file="exploration.json", read=read_exploration)


main()
