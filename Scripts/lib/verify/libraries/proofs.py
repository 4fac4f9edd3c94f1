"""What has to hold of a library under a clock of Galley's; each proof gives the sentences in which it doesn't."""

import math

from lib.verify.libraries.pictures import distance

FRAME = 1 / 60
# A motion's end is looked for five times a second, and slow ends are hard to see.
LOOK = 0.45
# What may differ where nothing moves: six pixels, as a sum over their channels.
NOISE = 6 * 3 * 255


def same(runs):
    """Every run gave the same bytes, and callbacks at the same instants."""
    for run in runs[1:]:
        names = [name for name in sorted(runs[0].files | run.files) if runs[0].files.get(name) != run.files.get(name)]
        if names:
            yield f"not the same twice: {', '.join(names)}"
        if run.marks != runs[0].marks:
            yield f"told something else the second time: {run.marks} instead of {runs[0].marks}"


def due(library):
    return sorted(library.marks + [(second, f"second {second}") for second in range(1, library.seconds + 1)])


def told(library, marks):
    """The page's callbacks came when they were due, each once and none a frame too early."""
    for name in sorted({name for _, name in due(library)}):
        wanted = [second for second, one in due(library) if one == name]
        found = [second for second, one in marks if one == name][:len(wanted)]
        if len(found) < len(wanted):
            yield f"'{name}' came {len(found)} times, not {len(wanted)}"
        for want, second in zip(wanted, found, strict=False):
            if not -FRAME - 0.001 <= second - want <= library.patience * FRAME + 0.001:
                yield f"'{name}' came at {second:.3f} s instead of {want} s"


def ends(library, motion):
    """The record says when the ad comes to rest, or that it doesn't."""
    if not motion:
        yield "its motion wasn't measured"
        return
    moves, last = motion["summary"]["movesAfter30"], motion["summary"].get("lastChange", 0) / 1000
    if library.rest is None and not moves:
        yield f"moves on, and the record has it at rest from {last:.2f} s"
    if library.rest is not None and (moves or not -LOOK <= last - library.rest <= LOOK):
        yield f"comes to rest at {library.rest} s, and the record says {last:.2f} s"


def instants(picture, at):
    """A picture of the ad's own time shows the instant that was asked for."""
    instant = picture.instant()
    if instant is None or abs(instant - at) > 2 * FRAME + 0.001:
        yield f"shows {instant} s at {at} s"


def around(library, real, asked, shown):
    """When to ask for the instant of a real picture and for its neighbours, one of the library's own frames away.

    A picture that was asked for at `asked` had `shown`; the middle one is the nearest to the real one's instant.
    """
    reach = math.ceil(60 / library.rate)
    middle = round((asked + real.instant() - shown) * 60)
    # A picture comes with the first frame that isn't too early.
    return [math.floor((middle + away) / 60 * 10_000) / 10_000 for away in (-reach, 0, reach)]


def right(real, before, same, after):
    """A real picture is within one frame of motion of that of a stepped clock at its instant."""
    if same.instant() is None or abs(same.instant() - real.instant()) > FRAME:
        yield f"shows {same.instant()} s where {real.instant()} s was asked for"
    motion = max(distance(before, same), distance(same, after)) + NOISE
    apart = distance(real, same)
    if apart > motion:
        yield f"at {real.instant():.3f} s the real picture is {apart / motion:.1f} frames of motion away"
