"""PNG files changed by chance, compared by galley diff."""

import struct
import zlib

from lib.attack.program import write


def png(width, height, rows=None, kind=6, depth=8, extra=b""):
    """A picture's file; rows are its raw lines, with their filters."""
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    line = (width * channels * depth + 7) // 8
    raw = rows if rows is not None else b"".join(b"\0" + bytes((x * 7 + y * 13) % 256 for x in range(line))
                                                 for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + (chunk(b"PLTE", bytes(range(48))) if kind == 3 else b"")
            + extra
            + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def attack(galley, folder, tally, quick, random):
    plain = write(folder / "plain.png", png(32, 24))
    for number in range(40 if quick else 600):
        changed = write(folder / "changed.png", mutated(random))
        ended = galley.run("diff", plain, changed, "--out", folder / "out", within=30)
        tally.check(ended.is_orderly, f"picture {number}: exit {ended.code} after {ended.seconds:.0f} s")
    for name, content in BOMBS.items():
        changed = write(folder / "changed.png", content)
        ended = galley.run("diff", plain, changed, "--out", folder / "out", within=30)
        tally.check(ended.is_orderly, f"{name}: exit {ended.code} after {ended.seconds:.0f} s")


BOMBS = {
    "a size of 2^31-1": png(2**31 - 1, 2**31 - 1, rows=b""),
    "a size of 0": png(0, 0, rows=b""),
    "a line of 10^9": png(10**9, 1, rows=b"\0" * 1000),
    "too many rows": png(4, 4, rows=b"\0" * 10**7),
    "an unknown filter": png(4, 4, rows=b"\x09" * 68),
    "a long text": png(4, 4, extra=chunk(b"tEXt", b"x" * 10**6)),
    "a compressed text that unfolds": png(4, 4, extra=chunk(b"zTXt", b"k\0\0" + zlib.compress(b"x" * 10**7))),
    "nothing": b"",
    "a signature only": b"\x89PNG\r\n\x1a\n",
    "a folder's worth of chunks": png(4, 4, extra=chunk(b"gAMA", b"\0\0\0\0") * 10000),
}


def mutated(random):
    """A picture of any kind with a few bytes changed, cut or put in; its sums are right in half of the cases."""
    kind = random.choice([0, 2, 3, 4, 6])
    depth = random.choice({0: [1, 2, 4, 8, 16], 3: [1, 2, 4, 8]}.get(kind, [8, 16]))
    content = bytearray(png(random.randrange(1, 40), random.randrange(1, 40), kind=kind, depth=depth))
    for _ in range(random.randrange(1, 6)):
        at = random.randrange(8, len(content))
        act = random.randrange(4)
        if act == 0:
            content[at] = random.randrange(256)
        elif act == 1:
            del content[at:at + random.randrange(1, 30)]
        elif act == 2:
            content[at:at] = random.randbytes(random.randrange(1, 30))
        else:
            content[at:at + 4] = random.choice([b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\0\0\0\0", b"\x80\0\0\0"])
        if len(content) < 12:
            break
    return with_right_sums(bytes(content)) if random.randrange(2) else bytes(content)


def with_right_sums(content):
    """The same with each chunk's sum made right, as far as chunks can be told apart."""
    made, at = bytearray(content[:8]), 8
    while at + 12 <= len(content):
        length = struct.unpack(">I", content[at:at + 4])[0]
        if at + 12 + length > len(content):
            break
        made += chunk(content[at + 4:at + 8], content[at + 8:at + 8 + length])
        at += 12 + length
    return bytes(made) + content[at:]
