"""Programs that read films, and what they say of one."""

import itertools
import json
import re
import subprocess


def problems(file, rate, frames, size, moves):
    if file.suffix == ".webp":
        return webp(file, rate, frames, size)
    found = []
    told = json.loads(
        output("ffprobe", "-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", file))
    stream, = told["streams"]
    # Video has sides of an even number.
    sides = tuple(side + side % 2 for side in size) if file.suffix in (".mp4", ".webm") else size
    if (stream["width"], stream["height"]) != sides:
        found.append(f"it is {stream['width']}x{stream['height']} and not {sides[0]}x{sides[1]}")
    seen = digests(file)
    # A GIF has no more frames than players show in time.
    shown = frames if not (file.suffix == ".gif" and rate > 50) else None
    if shown is not None and len(seen) != shown:
        found.append(f"it has {len(seen)} frames and not {shown}")
    if shown is None and not frames // 2 <= len(seen) <= frames:
        found.append(f"it has {len(seen)} frames of {frames}")
    if moves and (same := sum(one == other for one, other in itertools.pairwise(seen))):
        found.append(f"{same} frames repeat the one before")
    length = duration(file)
    if abs(length - frames / rate) > 0.035:
        found.append(f"it lasts {length:.3f} s and not {frames / rate:.3f}")
    if file.suffix == ".mp4" and stream["codec_name"] != "h264":
        found.append(f"it is {stream['codec_name']} and no H.264")
    return found


def output(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True).stdout


def frames_of(file):
    """What ffmpeg's frame list says: when each begins, how long it stays, and its digest."""
    text = output("ffmpeg", "-v", "error", "-i", file, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-")
    base = next(line.split()[-1] for line in text.splitlines() if line.startswith("#tb 0"))
    above, below = map(int, base.split("/"))
    rows = [[part.strip() for part in line.split(",")] for line in text.splitlines() if not line.startswith("#")]
    return [(int(row[2]) * above / below, int(row[3]) * above / below, row[5]) for row in rows]


def digests(file):
    return [digest for _, _, digest in frames_of(file)]


def duration(file):
    begin, stay, _ = frames_of(file)[-1]
    if file.suffix in (".gif", ".apng"):
        # Both say how long each frame stays, which ffprobe adds up packet by packet.
        text = output("ffprobe", "-v", "error", "-show_entries", "packet=duration_time", "-of", "csv=p=0", file)
        return sum(float(line.strip(",")) for line in text.split())
    return begin + stay


def webp(file, rate, frames, size):
    """ffmpeg of Debian 12 reads no WebP that moves; libwebp's own tool does."""
    text = output("webpmux", "-info", file)
    found = []
    if f"Canvas size: {size[0]} x {size[1]}" not in text:
        found.append(f"it isn't {size[0]}x{size[1]}")
    rows = re.findall(r"^\s*\d+:\s+\d+\s+\d+\s+\S+\s+\d+\s+\d+\s+(\d+)", text, re.M)
    if len(rows) != frames:
        found.append(f"it has {len(rows)} frames and not {frames}")
    length = sum(map(int, rows)) / 1000
    if abs(length - frames / rate) > 0.02:
        found.append(f"it lasts {length:.3f} s and not {frames / rate:.3f}")
    return found


def states(file):
    """Pictures that stand still for half a second or more, as a GIF says; H.264 never draws the same twice."""
    text = output("ffprobe", "-v", "error", "-show_entries", "packet=duration_time", "-of", "csv=p=0", file)
    runs = [float(line.strip(",")) for line in text.split()]
    long = [run for run in runs if run >= 0.45]
    fading = [run for run in runs if run < 0.1]
    found = [] if len(long) >= 3 else [f"only {len(long)} pictures stay long enough to be seen: {runs}"]
    return found + ([] if len(fading) >= 10 else [f"two taps fade in {len(fading)} pictures: {runs}"])
