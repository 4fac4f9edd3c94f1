"""Films two ads that move all the time, and one with a scenario, twice each: how many frames a film has and how long it
lasts, whether frames repeat where the ad moves, and whether the same ad gives the same bytes. ffprobe, ffmpeg and
webpmux say so."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lib.common.command import galley_of, make_parser
from lib.verify.film import readers

FORMATS = ("mp4", "webm", "gif", "webp", "apng")

# A bar that a style sheet moves, over a ground of many colours.
STYLED = """<!DOCTYPE html><meta name="ad.size" content="width=320,height=50">
<style>body { margin: 0; width: 320px; height: 50px; overflow: hidden;
  background: linear-gradient(90deg, #123, #e84, #48e) }
div { width: 40px; height: 30px; margin-top: 10px; background: #fff; animation: go 8s linear infinite }
@keyframes go { to { transform: translateX(320px) } }</style><div></div>"""
# A number that a script writes anew in each frame that it is asked for.
SCRIPTED = """<!DOCTYPE html><meta name="ad.size" content="width=121,height=77">
<canvas id="c" width="121" height="77" style="display:block"></canvas><style>body { margin: 0 }</style>
<script>
  const c = document.getElementById("c").getContext("2d");
  const draw = (time) => {
    c.fillStyle = "#204"; c.fillRect(0, 0, 121, 77);
    c.fillStyle = "#fd5"; c.font = "20px monospace"; c.fillText(Math.round(time), 10, 30);
    c.fillRect((time / 8) % 121, 50, 12, 12);
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
</script>"""
# One that opens and shuts.
OPENING = """<!DOCTYPE html><meta name="ad.size" content="width=320,height=50"><script src="mraid.js"></script>
<style>body { margin: 0; background: #257; font: 20px sans-serif; color: #fff } #shut { display: none }</style>
<div id="open" style="height:50px">Open me</div><div id="shut" style="height:400px">Shut me</div>
<script>
  const [open, shut] = ["open", "shut"].map((id) => document.getElementById(id));
  open.onclick = () => { mraid.expand(); open.style.display = "none"; shut.style.display = "block"; };
  shut.onclick = () => { mraid.close(); shut.style.display = "none"; open.style.display = "block"; };
</script>"""
SCENARIO = '- tap: "#open"\n- wait: {state: expanded}\n- tap: "#shut"\n- wait: {state: default}\n'


def parse_options():
    parser = make_parser("verify-film", __doc__)
    parser.add_argument("--keep", type=Path, help="a folder for the films")
    return parser.parse_args()


def main():
    options = parse_options()
    galley = galley_of(options)
    failed = 0
    with tempfile.TemporaryDirectory(prefix="galley-film-") as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for told, problems in verdicts(galley, folder):
            failed += bool(problems)
            print(f"{'ok' if not problems else 'not ok'}  {told}", flush=True)
            for problem in problems:
                print(f"    {problem}")
    sys.exit(1 if failed else 0)


def verdicts(galley, folder):
    for name, markup, rate, length, size in (("styled", STYLED, 30, 3, (960, 150)),
                                             ("scripted", SCRIPTED, 60, 2, (363, 231))):
        ad = folder / f"{name}.html"
        ad.write_text(markup)
        begun = time.monotonic()
        films, problems = film(galley, ad, folder / name, "--rate", str(rate), "--length", str(length))
        yield f"{name}: filmed in {time.monotonic() - begun:.1f} s", problems
        for file in films if not problems else []:
            yield f"{name}: {file.suffix[1:]}", readers.problems(file, rate, rate * length, size, moves=True)
        again, problems = film(galley, ad, folder / f"{name}-again", "--rate", str(rate), "--length", str(length))
        yield f"{name}: the same bytes again", problems or [
            f"{first.name} differs" for first, second in zip(films, again, strict=True)
            if first.read_bytes() != second.read_bytes()]
    ad = folder / "opening"
    ad.mkdir(exist_ok=True)
    (ad / "index.html").write_text(OPENING)
    (ad / "scenario.yaml").write_text(SCENARIO)
    films, problems = film(galley, ad, folder / "states", "--states", formats=("mp4", "gif"))
    yield "states: filmed", problems
    again, problems = film(galley, ad, folder / "states-again", "--states", formats=("mp4", "gif"))
    yield "states: the same bytes again", problems or [
        f"{first.name} differs" for first, second in zip(films, again, strict=True)
        if first.read_bytes() != second.read_bytes()]
    if films[1].exists():
        yield "states: three states and two taps are to be seen", readers.states(films[1])


def film(galley, ad, folder, *words, formats=FORMATS):
    folder.mkdir(exist_ok=True)
    films = [folder / f"film.{ending}" for ending in formats]
    outputs = [word for file in films for word in ("--output", str(file))]
    done = subprocess.run([galley, "film", ad, *outputs, *words], stderr=subprocess.PIPE, text=True)
    return films, [] if done.returncode == 0 else [f"exit code {done.returncode}: {done.stderr.strip()}"]


main()
