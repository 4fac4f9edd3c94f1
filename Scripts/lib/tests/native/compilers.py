"""Compilers of C, and how the sources that can stand alone are built."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

STRICT = ["-std=gnu11", "-g", "-O1", "-Wall", "-Wextra", "-Wno-unused-function", "-Wno-gnu", "-Werror",
          "-fno-omit-frame-pointer", "-fno-sanitize-recover=all"]
# Leaks can't be found in processes that are traced or in a namespace without /proc.
os.environ["ASAN_OPTIONS"] = "detect_leaks=0:handle_segv=1"


def system():
    """The system's compiler, or the one that CC names."""
    for name in [os.environ.get("CC"), "gcc", "clang", "cc"]:
        if name and (found := shutil.which(name)):
            return found
    return sys.exit("no C compiler: install gcc")


def clang():
    """The clang of Swift's toolchain, which has a fuzzer and an analyzer, or another that is on the PATH."""
    swift = shutil.which("swift")
    beside = Path(swift).resolve().with_name("clang") if swift else None
    found = str(beside) if beside and beside.exists() else shutil.which("clang")
    return found or sys.exit("no clang, which fuzzes and analyzes the C sources: install Swift, which brings one")


def headers(sources):
    """The words for the folders of headers in a folder of sources."""
    own = [sources / name for name in ("GalleyForkServer", "CForkServer", "GalleyClock")]
    return [f"-I{folder}" for folder in [sources, *sorted(sources.glob("*/include")), *own]]


def words_of(packages, what):
    """What pkg-config says of packages; their headers are the system's."""
    if not packages:
        return []
    done = subprocess.run(["pkg-config", what, *packages], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{', '.join(packages)} isn't installed, whose headers the C sources take")
    return [word.replace("-I", "-isystem", 1) for word in done.stdout.split()]


def passes(words, **options):
    """Whether a command ends well; what it says is shown."""
    return subprocess.run([str(word) for word in words], check=False, **options).returncode == 0
