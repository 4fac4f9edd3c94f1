"""What each creative came to, run by run. Kept in a folder, it lets a hundred runs be done in parts."""

import collections
import hashlib
import json
import sys
import tempfile
from pathlib import Path


class Tally:
    """Each run's outcome of every creative, as a key; of each key, the text that it stands for."""

    def __init__(self, folder, galley):
        self.temporary = None if folder else tempfile.TemporaryDirectory(prefix="galley-tally-")
        self.folder = folder or Path(self.temporary.name)
        self.texts = self.folder / "texts"
        self.texts.mkdir(parents=True, exist_ok=True)
        self.file = self.folder / "runs.ndjson"
        build = digest(galley.read_bytes() + galley.with_name("galley-worker").read_bytes())
        lines = [json.loads(line) for line in self.file.read_text().splitlines()] if self.file.exists() else []
        if not lines:
            self.file.write_text(json.dumps({"build": build}) + "\n")
        elif lines[0]["build"] != build:
            sys.exit(f"{self.folder} has runs of another build")
        self.runs = lines[1:]

    def add(self, found):
        """Adds a run: the text that each creative came to, by its name."""
        run = {name: digest(text.encode()) for name, text in found.items()}
        for name, text in found.items():
            (self.texts / run[name]).write_text(text)
        with self.file.open("a") as file:
            file.write(json.dumps(run) + "\n")
        self.runs.append(run)

    @property
    def names(self):
        return sorted(set().union(*self.runs))

    def outcomes(self, name):
        """How often a creative came to what, the most common first; to nothing where it left none."""
        return collections.Counter(run.get(name) for run in self.runs).most_common()

    @property
    def unlike(self):
        return [name for name in self.names if len(self.outcomes(name)) > 1]

    def text(self, key):
        return (self.texts / key).read_text() if key else ""


def digest(content):
    return hashlib.sha256(content).hexdigest()
