"""Pairs of pictures in every size and kind, made once and kept in the build folder."""

import shutil
import subprocess
import sys
from pathlib import Path

KINDS = {"byte-equal": False, "equal pixels": False, "1 % changed": True}


def pairs(folder, size, pixelmatch):
    """The two files of each kind."""
    paths = {name: folder / f"{size}-{name}.png" for name in ("page", "copy", "again", "changed")}
    if not all(path.exists() for path in paths.values()):
        folder.mkdir(parents=True, exist_ok=True)
        print(f"drawing pictures of {size}", file=sys.stderr)
        script = Path(__file__).with_name("draw.mjs")
        width, height = size.split("x")
        drawn = [str(paths[name]) for name in ("page", "again", "changed")]
        subprocess.run(["node", str(script), str(pixelmatch), width, height, *drawn], check=True)
        shutil.copyfile(paths["page"], paths["copy"])
    others = zip(KINDS, ("copy", "again", "changed"), strict=True)
    return {kind: (paths["page"], paths[other]) for kind, other in others}
