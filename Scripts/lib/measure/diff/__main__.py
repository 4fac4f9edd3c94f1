"""Measures galley diff beside pixelmatch, ImageMagick and odiff on the same pictures, in turns, as whole processes."""

import argparse
import json
import sys
from pathlib import Path

from lib.common.command import galley_of, make_parser
from lib.measure.diff import contenders, pictures, report
from lib.measure.diff.contenders import measure

SIZES = ["390x844", "1170x2532", "3446x10728"]


def parse_options():
    parser = make_parser("benchmark diff", __doc__)
    parser.add_argument("--rounds", type=positive, default=7, help="how often each is measured (default: 7)")
    parser.add_argument("--sizes", nargs="+", default=SIZES, metavar="WxH", help=f"default: {' '.join(SIZES)}")
    parser.add_argument("--pixelmatch", type=Path, metavar="DIR", help="a copy with pngjs in its node_modules")
    parser.add_argument("--odiff", type=Path, metavar="FILE", help="odiff's program; it isn't measured without")
    parser.add_argument("--compare", default="compare", help="ImageMagick's program (default: the one on the PATH)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all samples here")
    return parser.parse_args()


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def main():
    options = parse_options()
    galley = galley_of(options)
    folder = options.build / "benchmark" / "diff"
    pixelmatch = options.pixelmatch.resolve() if options.pixelmatch else contenders.installed_pixelmatch(folder)
    programs = contenders.available(galley, pixelmatch, options.compare, options.odiff)
    rows = []
    for size in options.sizes:
        for kind, pair in pictures.pairs(folder / "pictures", size, pixelmatch).items():
            rows.append(measure(programs, size, kind, pair, options.rounds))
    named = report.machine(programs)
    print(report.markdown(named, options.rounds, rows), end="")
    if options.json:
        options.json.write_text(json.dumps({"machine": named, "results": rows}, indent=2, ensure_ascii=False) + "\n")
    # What the others can't do, as ImageMagick under Debian's limits can't the largest, is their problem.
    if any("Galley" in row["problems"] for row in rows):
        sys.exit(1)


main()
