"""Two engines' lists of a page's elements, side by side: what stands elsewhere, is larger, or isn't seen."""

import dataclasses

# dip that a box may be elsewhere, or larger: engines round letters' widths and lines' heights on their own.
SLACK = 1.01
# The share of a text's width that its letters may take more.
LETTERS = 0.02


@dataclasses.dataclass(frozen=True)
class Box:
    path: str
    x: float
    y: float
    width: float
    height: float
    is_seen: bool
    # box, text, control, or a picture's element
    kind: str
    family: str
    position: str


@dataclasses.dataclass(frozen=True)
class Difference:
    path: str
    kind: str
    # only in one, seen in one, place, size
    what: str
    # Galley's, then Chromium's.
    found: str

    def __str__(self):
        return f"{self.path} ({self.kind}): {self.what} {self.found}"


def read(rows):
    return {row[0]: Box(*row) for row in rows}


def differences(ours, theirs):
    """What a person would see otherwise, outermost first; what isn't seen in either engine has no place."""
    found = []
    for path in [*ours, *(path for path in theirs if path not in ours)]:
        one, other = ours.get(path), theirs.get(path)
        if one is None or other is None:
            there = one or other
            if there.is_seen:
                found.append(Difference(path, there.kind, "only in", "Galley" if other is None else "Chromium"))
            continue
        if one.is_seen != other.is_seen:
            found.append(Difference(path, one.kind, "seen in", "Galley" if one.is_seen else "Chromium"))
            continue
        if not one.is_seen:
            continue
        room = SLACK + LETTERS * max(one.width, other.width) if one.kind == "text" else SLACK
        if abs(one.width - other.width) > room or abs(one.height - other.height) > SLACK:
            found.append(Difference(path, one.kind, "size", f"{size(one)}, {size(other)}"))
        elif abs(one.x - other.x) > SLACK or abs(one.y - other.y) > SLACK:
            found.append(Difference(path, one.kind, "place", f"{place(one)}, {place(other)}"))
    return found


@dataclasses.dataclass
class Found:
    """How the frame differs that is nearest to Galley's, and the frames from nearest to furthest."""
    plain: list
    # The same where all lines are as high.
    levelled: list
    order: list


def nearest(one, frames):
    """Engines begin a motion a frame sooner or later: the frame counts that differs least."""
    ours = read(one.survey["boxes"])
    ranked = sorted(frames, key=lambda frame: len(differences(ours, read(frame.survey["boxes"]))))
    plain = differences(ours, read(ranked[0].survey["boxes"]))
    levelled = differences(read(one.lines["boxes"]), read(frames[0].lines["boxes"])) if plain else []
    return Found(plain, levelled, ranked)


def cause(found):
    """What makes boxes differ, as far as it shows by itself: lines' heights, the looks of form controls."""
    if not found.plain:
        return ""
    if not found.levelled:
        return ", lines"
    return ", controls" if all(one.kind == "control" for one in found.levelled) else ""


def letters(*shown):
    """Where text and controls stand in either engine."""
    return [(box.x, box.y, box.width, box.height) for one in shown for box in read(one.survey["boxes"]).values()
            if box.is_seen and box.kind in ("text", "control")]


def size(box):
    return f"{box.width:g}×{box.height:g}"


def place(box):
    return f"{box.x:g},{box.y:g}"
