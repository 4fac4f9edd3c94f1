"""Measures Galley beside Chromium on the same creatives, in turns, and prints the ratios."""

import argparse
import itertools
import json
import re
import sys
import tempfile
from pathlib import Path

import machine
import measures
import report
from contenders import Settings
from creatives import creative_in, own_creatives, plain_copies
from processes import adopt_orphans

MEASURES = {"throughput": measures.throughput, "cold": measures.cold, "memory": measures.memory, "instants": measures.instants}


def parse_options():
    parser = argparse.ArgumentParser(prog="Scripts/benchmark", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--only", choices=MEASURES, help="one measure instead of all")
    parser.add_argument("--rounds", type=positive, default=5, help="how often each is measured (default: 5)")
    parser.add_argument("--count", type=positive, default=60, help="renders a batch (default: 60)")
    parser.add_argument("--jobs", type=positive, nargs="+", default=[1, 2], help="concurrencies (default: 1 2)")
    parser.add_argument("--scales", type=positive, nargs="+", default=[1, 3], help="device scales (default: 1 3)")
    parser.add_argument("--screen", type=screen, default="390x844", help="dip (default: 390x844)")
    parser.add_argument(
        "--creatives", type=creative, nargs="+", metavar="FOLDER", help="default: those of Creatives/banner and mraid"
    )
    parser.add_argument("--galley", type=Path, help="another galley than this checkout's release")
    parser.add_argument("--chromium", default="/usr/bin/chromium", help="default: /usr/bin/chromium")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all samples here")
    return parser.parse_args()


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def creative(text):
    found = creative_in(Path(text).resolve())
    if found is None:
        raise argparse.ArgumentTypeError(f"{text} is no folder with a document")
    return found


def screen(text):
    if not re.fullmatch(r"[1-9]\d*x[1-9]\d*", text):
        raise argparse.ArgumentTypeError("must look like 390x844")
    return text


def main():
    options = parse_options()
    creatives = options.creatives or own_creatives(options.root)
    if not creatives:
        sys.exit("benchmark: no creatives")
    adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="scratch-", dir=options.build / "benchmark") as scratch:
        settings = make_settings(options, Path(scratch))
        named = machine.describe(settings)
        comparisons = list(measure(creatives, settings, options))
    print(report.markdown(named, options, creatives, comparisons), end="")
    if options.json:
        found = report.document(named, options, creatives, comparisons)
        options.json.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    if any(comparison.problems for comparison in comparisons):
        sys.exit(1)


def make_settings(options, scratch):
    width, height = map(int, options.screen.split("x"))
    galley = (options.galley or options.build / "release" / "galley").resolve()
    return Settings(galley=str(galley), chromium=options.chromium, scratch=scratch, width=width, height=height)


def measure(creatives, settings, options):
    copies = plain_copies(creatives, settings.scratch)
    batch = list(itertools.islice(itertools.cycle(copies), options.count))
    for contender in (measures.PROCESS, measures.CHROMIUM):
        contender.batch(batch[:4], settings)  # So that no contender pays for reading programs from disk.
    for name, comparisons in MEASURES.items():
        if options.only in (None, name):
            yield from comparisons(copies if name in ("cold", "instants") else batch, settings, options)


main()
