"""Makes creatives of our pages and others' libraries."""

import shutil
from pathlib import Path

PAGES = Path(__file__).resolve().parent / "pages"
ELEMENTS = {".js": '  <script src="{}"></script>', ".css": '  <link rel="stylesheet" href="{}">'}


def make(library, files, folder, strip):
    """Writes the creative into the folder, with a strip that tells each picture's instant or without."""
    folder.mkdir(parents=True)
    for file in files:
        shutil.copy(file, folder)
    page = (PAGES / "shell.html").read_text()
    parts = {
        "libraries": "\n".join(ELEMENTS[file.suffix].format(file.name) for file in files),
        "page": (PAGES / f"{library.page or library.name}.html").read_text(),
        "strip": (PAGES / "strip.html").read_text() if strip else "",
        "name": library.name,
        **library.substitutes,
    }
    for name, text in parts.items():
        page = page.replace("{{" + name + "}}", text)
    (folder / "index.html").write_text(page)
    return folder
