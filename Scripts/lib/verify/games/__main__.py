"""Renders games in virtual time, compares the pictures and logs of several runs, and plays each.

The games are yours: a folder with a folder for each, with an index.html, or with HTML files. A game runs in the host of
the first network that `galley inspect` names, else in the standard's container. For each the program prints how its
renders ended, whether they were the same, how long they took, with --cost what the first frame and each second cost,
and with --play how far a game was played. Times are of this machine. It exits with 1 if the renders of a game differ
without a reason in `nondeterminism`.
"""

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from lib.common.command import galley_of, make_parser
from lib.measure.renders.memory import Sampler
from lib.measure.renders.processor import ProcessorTime

GOALS = ["nothing", "touch", "progress", "end", "store"]
# Games take their chance from the date, too.
DATE = "2026-01-01T12:00:00Z"


@dataclass
class Run:
    """A render of a game: its outcome or code, reasons for differences, pictures, log and seconds."""

    outcome: str
    reasons: list
    pictures: dict
    log: list
    seconds: float

    @property
    def completed(self):
        return self.outcome == "completed"


def parse_options():
    parser = make_parser("verify-games", __doc__)
    parser.add_argument("games", type=Path, help="the folder with the games")
    parser.add_argument("--runs", type=int, default=2, help="renders of each game (default: 2)")
    parser.add_argument("--at", default="0,15", metavar="SECONDS", help="instants of the pictures (default: 0,15)")
    parser.add_argument("--only", default="", metavar="TEXT", help="games whose name has this text")
    parser.add_argument("--cost", action="store_true",
                        help="measure processor time and memory of the whole process tree, in two more renders")
    parser.add_argument("--play", action="store_true", help="play each game as well")
    parser.add_argument("--out", type=Path, metavar="PATH", help="keep results here")
    parser.add_argument("options", nargs="*", metavar="OPTION", help="after --: further options of galley")
    return parser.parse_intermixed_args()


def games_in(folder, text):
    found = [(path.parent.name, path) for path in sorted(folder.glob("*/index.html"))]
    found += [(path.stem, path) for path in sorted(folder.glob("*.html"))]
    return [(name, path) for name, path in found if text in name]


def container(galley, path):
    """The host of the first network whose functions the game calls."""
    told = subprocess.run([galley, "inspect", path, "--json"], capture_output=True, text=True)
    if "mraid.open" in path.read_text(errors="ignore") or told.returncode != 0:
        return "spec"
    networks = json.loads(told.stdout)["creatives"][0].get("networks") or []
    return networks[0]["container"] if networks else "spec"


def words(path, host, options):
    return [path, "--container", host, "--placement", "interstitial", "--clock", "virtual", "--network", "none",
            "--seed", "1", "--date", DATE, *options.options]


def render(galley, path, host, out, options):
    begin = time.monotonic()
    subprocess.run([galley, "render", *words(path, host, options), "--at", options.at, "--out", out],
                   capture_output=True)
    seconds = time.monotonic() - begin
    results = list(out.glob("**/result.json"))
    if not results:
        return Run("no-result", [], {}, [], seconds)
    result = json.loads(results[0].read_text())
    outcome = result.get("code") or result["outcome"]
    pictures = {path.name: path.read_bytes() for path in sorted(out.glob("**/screenshots/*.png"))}
    return Run(outcome, result.get("nondeterminism") or [], pictures, events(results[0].parent), seconds)


def events(folder):
    log = folder / "events.ndjson"
    lines = [json.loads(line) for line in log.read_text().splitlines()] if log.is_file() else []
    return [[event.get("source"), event.get("name"), without_timing(event.get("detail"))] for event in lines]


def without_timing(value):
    """The value without what depends on the machine: everything under `timing`."""
    if isinstance(value, dict):
        return {key: without_timing(inner) for key, inner in value.items() if key != "timing"}
    return [without_timing(inner) for inner in value] if isinstance(value, list) else value


def compare(runs):
    """How the runs of a game compare with the first."""
    first = runs[0]
    if not all(run.completed for run in runs):
        return "-"
    pictures = all(run.pictures == first.pictures for run in runs)
    log = all(run.log == first.log for run in runs)
    if pictures and log:
        return "same"
    what = " and ".join(word for word, same in (("pictures", pictures), ("log", log)) if not same)
    return f"other {what}" + (f" ({', '.join(map(str, first.reasons))})" if first.reasons else "")


def cost(galley, path, host, out, options):
    """Processor seconds to the first frame and for each second of the game, and MiB of all processes at their peak."""
    last = float(options.at.split(",")[-1])
    processor = ProcessorTime()
    used = []
    try:
        with Sampler(interval=0.2) as sampler:
            for at in ("0", options.at):
                before = processor.seconds
                command = [galley, "render", *words(path, host, options), "--at", at, "--out", out]
                subprocess.run(processor.counted(list(map(str, command))), capture_output=True)
                used.append(processor.seconds - before)
    finally:
        processor.close()
    each = f", {(used[1] - used[0]) / last:.2f} s a second" if last > 0 else ""
    return f"first frame {used[0]:.1f} s of processors{each}, {sampler.peak / 2**20:.0f} MiB"


def play(galley, path, host, out, options):
    """The furthest point that playing reached, with the number of moves."""
    subprocess.run([galley, "check", *words(path, host, options), "--explore", "--out", out], capture_output=True)
    found = list(out.glob("**/exploration.json"))
    if not found:
        return "no exploration"
    exploration = json.loads(found[0].read_text())
    played = [path["game"] for path in exploration["paths"] if path.get("game")]
    if not played:
        return "the store without a game" if '"storeOpened"' in found[0].read_text() else "no game to play"
    best = max(played, key=lambda game: GOALS.index(game["goal"]))
    return f"{best['goal']} in {len(best['moves'])} moves, the best of {len(played)}{', cut' if best['cut'] else ''}"


def main():
    options = parse_options()
    galley = galley_of(options)
    games = games_in(options.games, options.only)
    if not games:
        sys.exit(f"no games in {options.games}")
    wrong = completed = 0
    with tempfile.TemporaryDirectory(prefix="galley-games-") as scratch:
        out = (options.out or Path(scratch)).resolve()
        width = max(len(name) for name, _ in games)
        for name, path in games:
            host = container(galley, path)
            runs = [render(galley, path, host, out / name / str(number), options)
                    for number in range(1, options.runs + 1)]
            sameness = compare(runs)
            wrong += sameness.startswith("other") and not runs[0].reasons
            completed += all(run.completed for run in runs)
            outcomes = "/".join(dict.fromkeys(run.outcome for run in runs))
            seconds = "/".join(f"{run.seconds:.0f}" for run in runs)
            costs = f"  {cost(galley, path, host, out / name / 'cost', options)}" if options.cost else ""
            played = f"  {play(galley, path, host, out / name / 'played', options)}" if options.play else ""
            print(f"{name:{width}}  {host:13}  {outcomes}  {sameness}  {seconds} s{costs}{played}", flush=True)
    print(f"\n{len(games)} games: {completed} completed, {wrong or 'none'} with unexplained differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
