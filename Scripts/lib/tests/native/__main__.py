"""Runs the tests of the C sources with a compiler's sanitizers, fuzzes those that read what others wrote, and has
clang's static analyzer read all of them.
"""

import sys
import tempfile
from pathlib import Path

from lib.common.command import make_parser
from lib.tests.native import analysis, fuzzers, units


def parse_options():
    parser = make_parser("test --sanitize", __doc__, runs_galley=False)
    parser.add_argument("--fuzz", type=int, default=0, metavar="SECONDS",
                        help="have each fuzzer run so long, with other inputs each time; without, it tries a few")
    return parser.parse_args()


def main():
    options = parse_options()
    with tempfile.TemporaryDirectory(prefix="galley-native-") as folder:
        place = Path(folder)
        failed = units.run(options.root, place)
        failed += fuzzers.run(options.root, place, options.build.resolve() / "fuzz", options.fuzz)
    failed += analysis.run(options.root)
    for said in failed:
        print(f"failed: {said}", file=sys.stderr)
    return 1 if failed else 0


sys.exit(main())
