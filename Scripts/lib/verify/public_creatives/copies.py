"""Copies of the checkouts in which gone hosts are replaced and, under other names, defects of the ads are mended."""

import re
import shutil

# Hosts that no longer answer, and what of the checkout they served.
MOVED = [
    (
        r"http://mraid\.iab\.net/compliance/units/"
        r"(expand\.js|twopart-expand-part1\.js|twopart-expand-part2\.html|iab-logo\.gif|iab-video-small\.mp4)",
        r"\1",
    ),
    (r"http://once\.unicornmedia\.com/[^\"' ]*\.mp4", "iab-video-small.mp4"),
]


def make(checkouts, scratch):
    """Copies each checkout below `scratch`; by name, where it is."""
    makers = {"iab": copy_iab, "webtester": copy_webtester}
    copies = {}
    for name, checkout in checkouts.items():
        copies[name] = scratch / name
        shutil.copytree(checkout, copies[name], ignore=shutil.ignore_patterns(".git"))
        makers[name](copies[name])
    return copies


def copy_iab(copy):
    repaired = copy / "resize-negative-repaired"
    shutil.copytree(copy / "resize-negative", repaired)
    tests = repaired / "resize-negative-tests.js"
    rewrite(
        tests,
        # The ready event calls its listener without arguments.
        (
            r"addEventListener\('ready', startTests\)",
            "addEventListener('ready', () => startTests("
            "_mraid, () => console.log('[ALL NEGATIVE RESIZE TESTS FINISHED]'), 2000, logInfoOnUi, logErrorOnUi))",
        ),
        # The event it waits for is handed over and dropped.
        (r"(?m)^( *)this\.tests = tests;", r"\1this.tests = tests; this.event = event;"),
        # This case runs the one before it.
        (
            r"setInvalidResizeProperties(?=,\s*description: 'Setting ad size less)",
            "setTooSmallWidthAndHeightResizeProperties",
        ),
    )


def copy_webtester(copy):
    units = copy / "compliance" / "units"
    for file in [*units.glob("*.txt"), *units.glob("*.js"), *units.glob("*.html")]:
        text = file.read_text()
        for pattern, replacement in MOVED:
            text = re.sub(pattern, replacement, text)
        # Only an .html file's folder is served beside it.
        file.with_suffix(".html" if file.suffix == ".txt" else file.suffix).write_text(text)


def rewrite(file, *replacements):
    """Replaces each pattern's one match; a file that has changed since is refused."""
    text = file.read_text()
    for pattern, replacement in replacements:
        text, count = re.subn(pattern, replacement, text)
        if count != 1:
            raise SystemExit(f"{file.name} isn't as expected: {pattern} is there {count} times")
    file.write_text(text)
