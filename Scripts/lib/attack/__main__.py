"""Attacks Galley as hostile creatives, clients and files would, and counts what was tried and what held.

It runs in a network namespace of its own, in which every address is this machine's and every connection and name is
counted. Where no namespace can be had, the families that need one are named as not tried.
"""

import importlib
import random
import sys
import tempfile
import time
from pathlib import Path

from lib.attack import network
from lib.attack.program import Galley
from lib.attack.tally import Tally
from lib.common.command import galley_of, make_parser

# By name: whether it needs the counted network, and what it tries.
FAMILIES = {
    "reach": (True, "spellings of private addresses, by every way that a page, a video ad or the bridge may load"),
    "offline": (True, "the same with the network off, where no address may be reached and no name asked for"),
    "files": (True, "the machine's files, by every scheme and every load that a creative can bring about"),
    "forging": (False, "pages that speak as the container, or hide what they do"),
    "tells": (False, "all by which an ad could tell Galley from a phone, on phones and desktops, in either time"),
    "hostile": (False, "creatives that loop, crash, flood and grow, each beside a plain one"),
    "inputs": (False, "archives, pages, scenarios, policies, devices and bids that are broken or lie"),
    "policy": (False, "creatives that bring along policies, scenarios, baselines, environments and links of their own"),
    "artifacts": (False, "verifications, reports and results from elsewhere that name other places or have links"),
    "outputs": (False, "places for results and reports, creatives' texts in what is printed, ends in the middle"),
    "server": (False, "bodies, headers and paths sent to galley serve"),
    "roles": (False, "messages of a queue's worker and sender that ask for, forge and change what is others'"),
    "streams": (False, "connections that one caller holds for long: live streams, waits and uploads"),
    "journal": (False, "changes in the journal of a queue by who may write there and has no server's key"),
    "jobs": (False, "jobs and records of a queue that lie, or that nothing can be done about"),
    "pictures": (False, "changed PNG files, compared"),
    "environment": (False, "languages, time zones, homes, limits and settings of a caller that would show in pictures"),
    "caches": (False, "files that one web process leaves for the next, and its display"),
    "protocol": (False, "messages of a worker, made up by the processes below it"),
}


def parse_options():
    names = "\n".join(f"  {name:11} {text}" for name, (_, text) in FAMILIES.items())
    parser = make_parser("attack", __doc__, epilog=f"families:\n{names}")
    parser.add_argument("--family", choices=FAMILIES, action="append", help="only this one; may be repeated")
    parser.add_argument("--quick", action="store_true", help="a small part of each family, for each change")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="repeats what is drawn by chance")
    parser.add_argument(
        "--recorder", action="store_true", help="record every render's network: what a recorder speaks to counts too")
    parser.add_argument("--show", type=int, default=10, help="how many that didn't hold are named (default: 10)")
    return parser.parse_args()


def main():
    options = parse_options()
    why_not = network.enter()
    galley = Galley(galley_of(options), options.recorder)
    failed = False
    print(f"galley {galley.version()}, seed {options.seed}, "
          f"{'WITHOUT a network of its own' if why_not else 'in a network of its own'}")
    for name in options.family or FAMILIES:
        needs_network, _ = FAMILIES[name]
        if needs_network and why_not:
            print(f"{name:11} NOT TRIED: this machine gives no network namespace: {why_not}", flush=True)
            continue
        tally, began = Tally(), time.monotonic()
        with tempfile.TemporaryDirectory(prefix="galley-attack-") as folder:
            family = importlib.import_module(f"lib.attack.family_{name}")
            family.attack(galley, Path(folder), tally, options.quick, random.Random(options.seed))
        print(f"{name:11} tried {tally.tried:6}  held {tally.held:6}  {time.monotonic() - began:6.0f} s"
              + "".join(f"  {note}" for note in tally.notes), flush=True)
        for line in tally.failures[: options.show]:
            print(f"            not held: {line}")
        if len(tally.failures) > options.show:
            print(f"            and {len(tally.failures) - options.show} more")
        failed = failed or tally.held < tally.tried or tally.tried == 0
    sys.exit(1 if failed else 0)


main()
