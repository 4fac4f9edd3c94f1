"""Makes an object file to be linked in the place of ICU's tables, and prints the linker's words for it.

Swift's Foundation brings tables of all the world's languages along, 34 MB in each program. What Galley writes is the
same in every language: of these tables it opens those of time zones and, for addresses, of names in other scripts. What
is kept is all that isn't of one language, English excepted, and no encodings, dictionaries or sort orders.
"""

import json
import re
import struct
import subprocess
import sys
from pathlib import Path

LANGUAGE = re.compile(r"[a-z]{2,3}(_\w+)?\.res")
ENGLISH = {"en.res", "en_US.res", "en_001.res", "en_US_POSIX.res"}
UNUSED_FOLDERS = {"coll", "rbnf", "translit"}
UNUSED_ENDINGS = (".cnv", ".dict", ".spp", ".cfu")
UNUSED_NAMES = {"unames.icu", "cnvalias.icu"}
# By this name who asks for the tables is given them: --wrap. Nobody then asks for the library's own.
SOURCE = """
.section .rodata.tables
.globl __wrap_{symbol}
.hidden __wrap_{symbol}
.balign 16
__wrap_{symbol}: .incbin "{tables}"
.section .note.GNU-stack,"",%progbits
"""


def main(build):
    folder = build / "tables"
    library, compiler = toolchain()
    key = f"{library.stat().st_mtime_ns} {library.stat().st_size} {Path(__file__).read_text()}"
    made, words, stamp = folder / "tables.o", folder / "words", folder / "key"
    if not (made.exists() and stamp.exists() and stamp.read_text() == key):
        folder.mkdir(parents=True, exist_ok=True)
        member, symbol = found(library)
        archived = subprocess.run(["ar", "p", library, member], check=True, capture_output=True).stdout
        tables = folder / "tables.dat"
        tables.write_bytes(trimmed(archived))
        (folder / "tables.s").write_text(SOURCE.format(symbol=symbol, tables=tables))
        subprocess.run([compiler, "-c", folder / "tables.s", "-o", made], check=True)
        words.write_text(f"--wrap={symbol}\n{made}\n")
        stamp.write_text(key)
    print(words.read_text(), end="")


def toolchain():
    """Where Swift's static library of ICU is, and a compiler."""
    words = ["swift", "-print-target-info", "-static-stdlib"]
    paths = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)["paths"]
    for folder in map(Path, paths["runtimeLibraryPaths"]):
        if (library := folder / "lib_FoundationICU.a").exists():
            return library, Path(paths["runtimeResourcePath"]).parents[1] / "bin/clang"
    sys.exit("this Swift has no lib_FoundationICU.a; programs are linked with all of its tables")


def found(library):
    """The archive's member that has the tables and nothing else, and their symbol."""
    listing = subprocess.run(["nm", "-A", "--defined-only", library], capture_output=True, text=True).stdout
    symbols = [line.split(":", 2)[1:] for line in listing.splitlines() if re.search(r" R icudt\d+_dat$", line)]
    if len(symbols) != 1:
        sys.exit("this Swift's tables aren't where they were; programs are linked with all of them")
    member, rest = symbols[0]
    if sum(f":{member}:" in line for line in listing.splitlines()) != 1:
        sys.exit("this Swift's tables aren't alone in their file; programs are linked with all of them")
    return member, rest.split()[-1]


def trimmed(archived):
    """ICU's common data: a head, the count of items, for each the offsets of its name and contents, names, contents."""
    start = archived.index(b"\xda\x27\x14\x00") - 2
    head, = struct.unpack_from("<H", archived, start)
    data = archived[start + head:]
    count, = struct.unpack_from("<I", data)
    offsets = [struct.unpack_from("<II", data, 4 + 8 * index) for index in range(count)]
    names = [data[place:data.index(b"\0", place)].decode() for place, _ in offsets]
    # Contents follow each other; the last goes to the end of the section, which its own reader doesn't need to know.
    ends = [place for _, place in offsets[1:]] + [len(data)]
    kept = [(name, data[place:end]) for name, (_, place), end in zip(names, offsets, ends, strict=True)
            if is_kept(name)]
    place = 4 + 8 * len(kept)
    places, texts = [], b""
    for name, _ in kept:
        places.append(place + len(texts))
        texts += name.encode() + b"\0"
    place = aligned(place + len(texts))
    texts += bytes(place - 4 - 8 * len(kept) - len(texts))
    entries, contents = b"", b""
    for (_, content), name in zip(kept, places, strict=True):
        entries += struct.pack("<II", name, place + len(contents))
        contents += content + bytes(aligned(len(content)) - len(content))
    return archived[start:start + head] + struct.pack("<I", len(kept)) + entries + texts + contents


def aligned(count):
    return -(-count // 16) * 16


def is_kept(name):
    """By the item's name: `icudt76l/en.res`, `icudt76l/zone/en.res`."""
    *folders, file = name.split("/")[1:]
    if set(folders) & UNUSED_FOLDERS or file in UNUSED_NAMES or file.endswith(UNUSED_ENDINGS):
        return False
    return file in ENGLISH or not LANGUAGE.fullmatch(file)


try:
    main(Path(sys.argv[1]).resolve())
except (OSError, subprocess.CalledProcessError) as error:
    sys.exit(f"{error}; programs are linked with all of ICU's tables")
