"""Which creatives are measured, and copies of them without what only Galley reads."""

import shutil

# Galley would play a scenario that lies beside a creative, and do work that Chromium doesn't.
GALLEYS_OWN = shutil.ignore_patterns("scenario.yaml", "expected.yaml", "*.scenario.yaml")


def own_creatives(root):
    """The banner and mraid families of this checkout; the hostile ones aren't about speed."""
    folders = [folder for family in ("banner", "mraid") for folder in sorted(root.glob(f"Creatives/{family}/*/"))]
    return [creative for folder in folders if (creative := creative_in(folder))]


def creative_in(folder):
    """The folder itself when it has an index.html, else the first document in it, else nothing."""
    if (folder / "index.html").exists():
        return folder
    return next(iter(sorted(folder.glob("*.html"))), None)


def copies(creatives, folder, plain=False):
    """Copies whose folders are numbered, so that no two are in each other's way; plain ones have what browsers read."""
    found = []
    for number, creative in enumerate(creatives):
        original = creative if creative.is_dir() else creative.parent
        copy = folder / f"{number:03}" / original.name
        shutil.copytree(original, copy, ignore=GALLEYS_OWN if plain else None)
        found.append(copy if creative.is_dir() else copy / creative.name)
    return found


def page(creative):
    """The document a browser opens for a creative."""
    return creative / "index.html" if creative.is_dir() else creative
