"""A copy of the sources in which the session is broken and built, so that the checkout itself is never touched."""

import subprocess
import sys
from contextlib import contextmanager

PARTS = ("Sources", "Tests", "Package.swift", "Package.resolved")
# What the session's code becomes part of, and what has to stand beside that program.
PROGRAM = "galley-worker"
NEIGHBOURS = (
    "galley-enclosure",
    "galley-fork-client",
    "GalleyClock",
    "GalleyForkServer",
    "GalleyGuard",
    "GalleyWebExtension",
)


class SourceCopy:
    def __init__(self, root, folder):
        self.root = root
        self.folder = folder
        self.is_made = False

    @contextmanager
    def mutated(self, mutation):
        """The worker program, built with the mutation in it."""
        self.make()
        file = self.folder / mutation.file
        whole = file.read_text()
        file.write_text(mutation.applied(self.root))
        try:
            yield self.build(PROGRAM)
        finally:
            file.write_text(whole)

    def make(self):
        """Brings the copy up to date; what didn't change isn't touched, so that builds stay short."""
        if self.is_made:
            return
        wanted = {path.relative_to(self.root) for part in PARTS for path in files(self.root / part)}
        for path in {path.relative_to(self.folder) for part in PARTS for path in files(self.folder / part)} - wanted:
            (self.folder / path).unlink()
        for path in wanted:
            content, target = (self.root / path).read_bytes(), self.folder / path
            if not target.is_file() or target.read_bytes() != content:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
        for product in NEIGHBOURS:
            self.build(product)
        self.is_made = True

    def build(self, product):
        scratch = self.folder / ".build"
        command = ["swift", "build", "--package-path", str(self.folder), "--scratch-path", str(scratch)]
        program = subprocess.run(
            [*command, "--product", product], stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        if program.returncode != 0:
            print(program.stdout[-2000:], program.stderr[-2000:], file=sys.stderr)
            sys.exit("the mutated sources don't build")
        return scratch / "debug" / product


def files(path):
    """The files at or below a path, which may not exist."""
    return [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
