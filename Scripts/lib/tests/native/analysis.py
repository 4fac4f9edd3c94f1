"""The C sources by clang's static analyzer."""

import subprocess
from concurrent.futures import ThreadPoolExecutor

from lib.tests.native import compilers

# Beside those that are on by themselves.
MORE = ["nullability", "optin.portability", "optin.taint", "security.ArrayBound", "alpha.unix.cstring.OutOfBounds",
        "alpha.unix.cstring.BufferOverlap"]
# Two sources call vfork() as a copy of their memory costs more than all else that they do, and say there what the child
# may do: it calls functions, of which the analyzer warns in general.
ANSWERED = ["security.insecureAPI.vfork", "unix.Vfork"]
PACKAGES = {"GalleyWebExtension": ["webkit2gtk-web-extension-4.1"]}


def run(root):
    """Prints each remark; gives the sources that have any."""
    sources = [*sorted((root / "Sources").rglob("*.c")), *sorted((root / "Scripts").rglob("stumble.c"))]
    with ThreadPoolExecutor() as pool:
        clean = list(pool.map(lambda source: is_clean(root, source), sources))
    print(f"{len(sources)} C sources by clang's static analyzer", flush=True)
    return [f"remarks on {source.relative_to(root)}" for source, it_is in zip(sources, clean, strict=True) if not it_is]


def is_clean(root, source):
    words = [compilers.clang(), "--analyze", "-std=gnu11", *compilers.headers(root / "Sources"),
             *compilers.words_of(PACKAGES.get(source.parent.name, []), "--cflags")]
    for option in ["-analyzer-output=text", "-analyzer-werror", f"-analyzer-checker={','.join(MORE)}",
                   f"-analyzer-disable-checker={','.join(ANSWERED)}"]:
        words += ["-Xanalyzer", option]
    return compilers.passes([*words, source], stdin=subprocess.DEVNULL)
