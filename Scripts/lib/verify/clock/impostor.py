"""A font that says it is another: every second run has some on its system, and must look no different for them."""

import struct
import subprocess
from pathlib import Path

NAMES = ["Arial", "Helvetica", "Roboto", "Georgia", "Times New Roman", "Liberation Sans"]


def impostors(folder):
    """Fills a data folder with fonts called like those that creatives ask for; the environment that has them."""
    fonts = Path(folder) / "fonts"
    fonts.mkdir(parents=True)
    source = Path(subprocess.run(
        ["fc-match", "-f", "%{file}", "DejaVu Serif"], capture_output=True, text=True, check=True).stdout)
    for name in NAMES:
        (fonts / f"{name}.ttf").write_bytes(renamed(source.read_bytes(), name))
    return {"XDG_DATA_HOME": str(folder)}


def renamed(font, family):
    """The same font with its family and full names replaced; names begin anew in the table's own storage."""
    font = bytearray(font)
    count = struct.unpack_from(">H", font, 4)[0]
    tables = {bytes(font[at:at + 4]): struct.unpack_from(">II", font, at + 8) for at in range(12, 12 + 16 * count, 16)}
    table, _ = tables[b"name"]
    _, records, storage = struct.unpack_from(">HHH", font, table)
    for record in range(table + 6, table + 6 + 12 * records, 12):
        platform, _, _, name, length, offset = struct.unpack_from(">HHHHHH", font, record)
        if name not in (1, 4, 16):
            continue
        text = family.encode("utf-16-be" if platform in (0, 3) else "latin-1")[:length]
        place = table + storage + offset
        font[place:place + len(text)] = text
        struct.pack_into(">H", font, record + 8, len(text))
    return bytes(font)
