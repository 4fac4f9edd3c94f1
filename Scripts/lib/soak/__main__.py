"""Renders a batch while its workers and web processes are killed at random, and looks whether anything was lost."""

import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lib.common.command import galley_of, make_parser
from lib.soak import verify
from lib.soak.killer import Killer
from lib.soak.marked import FORK_SERVER, WEB_PROCESS, WORKER, wait_until_gone

# Seconds after the command's end in which everything it started has to be gone.
PATIENCE = 5


def parse_options():
    parser = make_parser("soak", __doc__)
    parser.add_argument("--count", type=int, default=200, help="renders (default: 200)")
    parser.add_argument("--percent", type=float, default=40, help="kills for a hundred results (default: 40)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="renders at a time (default: cores)")
    parser.add_argument("--isolation", choices=["process", "session"], default="process", help="as of galley render")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="repeats an order of kills")
    parser.add_argument("creatives", nargs="*", help="default: the folders in Creatives/banner and mraid")
    return parser.parse_args()


def main():
    options = parse_options()
    own = sorted(str(page.parent) for family in ("banner", "mraid") for page in own_creatives(options.root, family))
    creatives = list(itertools.islice(itertools.cycle(options.creatives or own), options.count))
    with tempfile.TemporaryDirectory(prefix="galley-soak-") as out:
        found = soak(options, creatives, Path(out))
    for problem in found:
        print(f"problem: {problem}")
    sys.exit(1 if found else 0)


def own_creatives(root, family):
    return (root / "Creatives" / family).glob("*/index.html")


def soak(options, creatives, out):
    """Prints the figures and returns the problems."""
    galley = galley_of(options)
    call = [galley, "render", "--json", "--out", out, "--jobs", options.jobs, "--isolation", options.isolation]
    began = time.monotonic()
    with open(out / "stdout", "w+") as output:
        command = subprocess.Popen([*map(str, call), *creatives], stdin=subprocess.DEVNULL, stdout=output)
        killer = Killer(command.pid, out, options.percent, options.seed)
        killer.start()
        code = command.wait()
        took = time.monotonic() - began
        killer.stop()
        left = wait_until_gone(killer.marker, PATIENCE) if killer.marker else {}
        gone = time.monotonic() - began - took
        output.seek(0)
        text = output.read()
    kills = (
        f"{killer.kills[WORKER]} workers, {killer.kills[WEB_PROCESS]} web processes and "
        f"{killer.kills[FORK_SERVER]} fork servers killed")
    print(f"{len(creatives)} renders in {took:.1f} s, {options.jobs} at a time, seed {options.seed}: {kills}")
    if not text:
        return [f"no document; galley ended with {code}"]
    document = json.loads(text)
    ended, starts = verify.outcomes(document)
    print("ended: " + ", ".join(f"{count} {name}" for name, count in ended.most_common()))
    print("starts: " + ", ".join(f"{count} with {number}" for number, count in sorted(starts.items())))
    for line in verify.given_up(document):
        print(f"given up: {line}")
    print(f"exit code {code}; {len(left)} processes left after {gone:.1f} s")
    return [*verify.problems(document, creatives, out), *(f"left alive: {pid} {name}" for pid, name in left.items())]


main()
