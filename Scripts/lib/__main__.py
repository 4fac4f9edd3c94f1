"""Runs a program of the scripts: `python3 Scripts/lib SUBJECT argument…`, with a folder of this one or a file in it."""

import runpy
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def main():
    sys.dont_write_bytecode = True
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        programs = sorted(str(path.parent.relative_to(FOLDER)) for path in FOLDER.glob("*/**/__main__.py"))
        sys.exit(f"{__doc__}\nsubjects with a program of their own: {', '.join(programs)}")
    subject, *sys.argv[1:] = sys.argv[1:]
    program = FOLDER / subject
    if not (program / "__main__.py").is_file() and not program.with_suffix(".py").is_file():
        sys.exit(f"there is no program {subject} in {FOLDER}")
    # The folder's own name is the package's: its modules have names like `queue` and `trace`, which Python has as well.
    sys.path[0] = str(FOLDER.parent)
    runpy.run_module(f"{FOLDER.name}.{subject.replace('/', '.')}", run_name="__main__", alter_sys=True)


main()
