"""Programs that stumble, as on a busy machine; stumble.c says how."""

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOURCE = Path(__file__).with_name("stumble.c")
# Polls for nothing, which takes no time where nobody stumbles.
TRIAL = "import select; [select.poll().poll(0) for _ in range(200)]"
VARIABLE = "LD_PRELOAD"


@contextlib.contextmanager
def stumbling(is_wanted):
    """Has what is started meanwhile stumble, if that is wanted."""
    if not is_wanted:
        yield
        return
    before = os.environ.get(VARIABLE)
    with tempfile.TemporaryDirectory(prefix="galley-stumble-") as folder:
        library = Path(folder) / "libstumble.so"
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
        os.environ[VARIABLE] = f"{library}:{before}" if before else str(library)
        try:
            try_out(library)
            yield
        finally:
            os.environ.pop(VARIABLE)
            if before:
                os.environ[VARIABLE] = before


def try_out(library):
    """Ends the program where the library does nothing."""
    began = time.monotonic()
    subprocess.run([sys.executable, "-S", "-c", TRIAL], check=True)
    if time.monotonic() - began < 0.05:
        sys.exit(f"{library} is loaded and makes no process stumble")
