"""Links programs of a release into one file with several names; the first is the file."""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))
from lib.one_program import OneProgram


def main():
    parser = argparse.ArgumentParser(prog="one_program", description=__doc__)
    parser.add_argument("--products", type=Path, required=True, help="the folder that SwiftPM linked the programs in")
    parser.add_argument("--linker", action="append", default=[], help="a further word for the linker")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("names", nargs="+", metavar="program")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="galley-one-program-") as scratch:
        one = OneProgram(options.products.resolve(), options.names, options.linker, Path(scratch))
        one.write(options.out.resolve())


if __name__ == "__main__":
    sys.exit(main())
