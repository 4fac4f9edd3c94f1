"""The command line that all programs of the scripts share."""

import argparse
from pathlib import Path


def make_parser(command, description, epilog=None, runs_galley=True):
    """A parser for `Scripts/COMMAND`, which is told the checkout and the build folder, and perhaps another build."""
    parser = argparse.ArgumentParser(prog=f"Scripts/{command}", description=description, epilog=epilog,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    if runs_galley:
        parser.add_argument("--galley", type=Path, metavar="PROGRAM",
                            help="another galley than this checkout's release")
    return parser


def galley_of(options):
    """The program that is put to use: the one that was named, or this checkout's release."""
    return (options.galley or options.build / "release/galley").resolve()
