"""Which creatives are shown in both engines: Galley's samples, and pages of public repositories by lot."""

import itertools
import random
import re
import shutil
import subprocess
from pathlib import Path

from lib.common.samples import own_creatives

SEED, LOT = 20261125, 40
# Pages that somebody made as ads, and those that have all they need.
SIZED = re.compile(r"ad\.size|\d{2,4}\s?[xX]\s?\d{2,4}")
FOREIGN = re.compile(
    r"<(?:script|link|img|iframe|source)\b[^>]+(?:src|href)\s*=\s*[\"']?(?:https?:)?//|=\s*[\"']?\.\./", re.I)
# A page that is larger isn't written by hand, and a folder with more isn't an ad's.
LARGEST, MOST_FILES = 500_000, 120


def own(root):
    """The folders of samples that are pages, by name, and why the others aren't shown."""
    shown, skipped = {}, {}
    for folder in map(Path, own_creatives(root)):
        name = f"{folder.parent.name}/{folder.name}"
        if folder.parent.name == "hostile":
            skipped[name] = "is hostile; its effect on an engine has separate tests"
        elif (folder / "index.html").is_file():
            shown[name] = folder
        elif (folder / "ad.html").is_file():
            skipped[name] = "is a fragment, which the host completes to a page"
        else:
            skipped[name] = "has no own page"
    return shown, skipped


class Repository:
    """A repository's files at its newest commit, or those of a folder; what isn't there is left out."""

    def __init__(self, source):
        self.source = source
        self.git = ["git", "-C", str(source.folder)] if source.is_bare else None

    def names(self):
        if not self.git:
            return [str(path.relative_to(self.source.folder)) for path in sorted(self.source.folder.rglob("*"))
                    if path.is_file() and ".git" not in path.parts]
        found = subprocess.run([*self.git, "ls-tree", "-r", "-z", "--name-only", "HEAD"], capture_output=True,
                               check=True)
        return [name for name in found.stdout.decode(errors="replace").split("\0") if name]

    def read(self, name):
        if not self.git:
            return (self.source.folder / name).read_bytes()
        found = subprocess.run([*self.git, "cat-file", "blob", f"HEAD:{name}"], capture_output=True)
        return found.stdout if found.returncode == 0 else None


def is_candidate(name, text, may_ask=False):
    return bool("<body" in text.lower() and SIZED.search(name + text[:4000]) and (may_ask or not FOREIGN.search(text)))


def lot(sources, work, count=LOT, may_ask=False):
    """Folders of so many pages, a repository's after another's, by name; the same for the same commits and seed.

    Pages that ask other hosts for something are among them where they may.
    """
    queues = []
    for name, source in sorted(sources.items()):
        repository = Repository(source)
        names = repository.names()
        pages = [page for page in names if page.lower().endswith((".html", ".htm"))]
        random.Random(f"{SEED} {name}").shuffle(pages)
        queues.append(candidates(name, repository, names, pages, may_ask))
    turns = itertools.chain.from_iterable(itertools.zip_longest(*queues))
    chosen = list(itertools.islice((one for one in turns if one), count))
    return {name: copied(repository, files, page, work / place) for place, name, repository, files, page in chosen}


def candidates(name, repository, names, pages, may_ask):
    known = set()
    for page in pages:
        body = repository.read(page)
        if body is None or len(body) > LARGEST or body in known:
            continue
        known.add(body)
        folder = page.rpartition("/")[0]
        files = [file for file in names if file.startswith(f"{folder}/" if folder else "")]
        if len(files) > MOST_FILES or not is_candidate(page, body.decode(errors="replace"), may_ask):
            continue
        folder = re.sub(r"[^\w.-]+", "-", f"{name}-{page}").removesuffix(".html")
        yield folder, f"{name}/{page}", repository, files, page


def copied(repository, files, page, target):
    """The page as a folder's index, with what lies beside it."""
    shutil.rmtree(target, ignore_errors=True)
    folder = page.rpartition("/")[0]
    for file in files:
        body = repository.read(file)
        if body is None:
            continue
        place = target / (file[len(folder) + 1:] if folder else file)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(body)
    (target / "index.html").write_bytes(repository.read(page))
    return target
