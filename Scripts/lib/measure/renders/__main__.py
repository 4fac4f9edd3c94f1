"""Measures Galley beside Chromium and its headless shell on the same creatives, in turns, and prints the ratios.

Wall time and processor time of all processes are told; a busy machine spoils the first more than the second.
"""

import argparse
import itertools
import json
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lib.common.command import galley_of, make_parser
from lib.measure.renders import machine, measures, report
from lib.measure.renders.contenders import Settings
from lib.measure.renders.creatives import copies, creative_in, own_creatives
from lib.measure.renders.processes import adopt_orphans
from lib.measure.renders.processor import ProcessorTime

MEASURES = {
    "throughput": measures.throughput,
    "static": measures.static,
    "full": measures.full,
    "cold": measures.cold,
    "memory": measures.memory,
    "instants": measures.instants,
}


@dataclass
class Work:
    """What contenders are given: each creative once, without what only Galley reads, and batches of them."""

    copies: list[Path]
    batch: list[Path]
    # The batch with the creatives' scenarios beside them.
    scenarios: list[Path]


def parse_options():
    parser = make_parser("benchmark", __doc__)
    parser.add_argument("--only", choices=MEASURES, nargs="+", default=list(MEASURES), help="these measures, not all")
    parser.add_argument("--rounds", type=positive, default=5, help="how often each is measured (default: 5)")
    parser.add_argument("--count", type=positive, default=60, help="renders a batch (default: 60)")
    parser.add_argument("--jobs", type=positive, nargs="+", default=[1, 2], help="concurrencies (default: 1 2)")
    parser.add_argument("--scales", type=positive, nargs="+", default=[1, 3], help="device scales (default: 1 3)")
    parser.add_argument("--screen", type=screen, default="390x844", help="dip (default: 390x844)")
    parser.add_argument(
        "--creatives", type=creative, nargs="+", metavar="FOLDER", help="default: those of Creatives/banner and mraid"
    )
    parser.add_argument("--chromium", default="/usr/bin/chromium", help="default: /usr/bin/chromium")
    parser.add_argument(
        "--shell", default="/usr/bin/chromium-headless-shell", help="default: /usr/bin/chromium-headless-shell"
    )
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
    processor = ProcessorTime()
    with tempfile.TemporaryDirectory(prefix="scratch-", dir=options.build / "benchmark") as scratch:
        settings = make_settings(options, Path(scratch), processor)
        named = machine.describe(settings)
        comparisons = list(measure(creatives, settings, options))
    processor.close()
    print(report.markdown(named, options, creatives, comparisons), end="")
    if options.json:
        found = report.document(named, options, creatives, comparisons)
        options.json.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    if any(comparison.problems for comparison in comparisons):
        sys.exit(1)


def make_settings(options, scratch, processor):
    width, height = map(int, options.screen.split("x"))
    return Settings(
        galley=str(galley_of(options)),
        chromium=options.chromium,
        shell=options.shell,
        scratch=scratch,
        processor=processor,
        width=width,
        height=height,
    )


def measure(creatives, settings, options):
    plain = copies(creatives, settings.scratch / "plain", plain=True)
    whole = copies(creatives, settings.scratch / "whole")
    work = Work(plain, repeated(plain, options.count), repeated(whole, options.count))
    for contender in (measures.PROCESS, *measures.BROWSERS):
        contender.batch(work.batch[:4], settings)  # So that no contender pays for reading programs from disk.
    for name, comparisons in MEASURES.items():
        if name in options.only:
            yield from comparisons(work, settings, options)


def repeated(creatives, count):
    return list(itertools.islice(itertools.cycle(creatives), count))


main()
