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
        if not folder:
            # Kept as long as this is, and removed with it.
            self.temporary = tempfile.TemporaryDirectory(prefix="galley-tally-")
            folder = Path(self.temporary.name)
        self.folder = folder
        self.contents = self.folder / "contents"
        self.contents.mkdir(parents=True, exist_ok=True)
        self.file = self.folder / "runs.ndjson"
        build = digest_of_build(galley)
        lines = [json.loads(line) for line in self.file.read_text().splitlines()] if self.file.exists() else []
        if not lines:
            self.file.write_text(json.dumps({"build": build}) + "\n")
        elif lines[0]["build"] != build:
            sys.exit(f"{self.folder} has runs of another build")
        self.runs = lines[1:]

    def add(self, found, remarks=None, logs=None):
        """Adds a run: the text that each creative came to, by its name, what else is to be known of it, and its log,
        which is kept with its times for each outcome once, to see how two came apart.
        """
        keys = {name: self.keep(text.encode()) for name, text in found.items()}
        for name, log in (logs or {}).items():
            self.keep_log(name, keys[name], log)
        self.runs.append({"keys": keys, "remarks": remarks or {}})
        with self.file.open("a") as file:
            file.write(json.dumps(self.runs[-1]) + "\n")

    def keep(self, content, suffix=""):
        """Keeps content once, however often it comes; gives the name that it has here."""
        name = hashlib.sha256(content).hexdigest() + suffix
        if not (self.contents / name).exists():
            (self.contents / name).write_bytes(content)
        return name

    def keep_log(self, name, key, log):
        """Keeps the log of the first run in which a creative came to this."""
        path = self.folder / "logs" / name / f"{key[:16]}.ndjson"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(log)

    @property
    def names(self):
        return sorted(set().union(*(run["keys"] for run in self.runs)))

    def outcomes(self, name):
        """How often a creative came to what, the most common first; to nothing where it left none."""
        return collections.Counter(run["keys"].get(name) for run in self.runs).most_common()

    def remarks(self, name, key):
        """What was remarked in each run in which a creative came to this."""
        return [run["remarks"].get(name) for run in self.runs if run["keys"].get(name) == key]

    @property
    def unlike(self):
        return [name for name in self.names if len(self.outcomes(name)) > 1]

    @property
    def progress(self):
        """How many runs there are, and who wasn't always alike."""
        return f"run {len(self.runs)}{', not all alike: ' + ', '.join(self.unlike) + ',' if self.unlike else ''}"

    def text(self, key):
        return (self.contents / key).read_text() if key else ""


def digest_of_build(galley):
    """Of the programs and of the libraries that web processes load, which stand beside each other."""
    digest = hashlib.sha256()
    others = [galley.with_name(name) for name in ("galley-enclosure", "galley-fork-client", "galley-worker")]
    for path in [galley, *others, *sorted(galley.parent.glob("lib*.so"))]:
        # Earlier builds lack some of them.
        if path.exists():
            digest.update(path.read_bytes())
    return digest.hexdigest()
