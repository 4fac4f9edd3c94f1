"""Measures renders answered by a recording beside renders of the same creatives from disk, in turns.

Each creative is served on loopback once and recorded; then its server is off. Both render the same document at the same
address of their own, with the virtual clock and one screenshot. At most a fifth more is the aim.
"""

import argparse
import functools
import http.server
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from lib.common.command import galley_of, make_parser
from lib.measure.renders.contenders import Run, Settings
from lib.measure.renders.creatives import copies, own_creatives, page
from lib.measure.renders.processes import adopt_orphans
from lib.measure.renders.processor import ProcessorTime

AIM = 1.2


def parse_options():
    parser = make_parser("benchmark --only replay", __doc__.splitlines()[0])
    parser.add_argument("--only", choices=["replay"], nargs=1, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured (default: 5)")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2], help="concurrencies (default: 1 2)")
    return parser.parse_args()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


def render(creatives, out, settings, *words):
    before, began = settings.processor.seconds, time.monotonic()
    command = [settings.galley, "render", *map(str, creatives), "--out", str(out), "--screen", settings.screen,
               "--size",
               "300x250", "--jobs", str(settings.jobs), "--at", "0", "--quiet", *map(str, words)]
    done = subprocess.run(settings.processor.counted(command), capture_output=True, text=True)
    problems = [] if done.returncode == 0 else [(done.stdout + done.stderr).strip().splitlines()[-1][:200]]
    return Run(time.monotonic() - began, problems, processor=settings.processor.seconds - before)


def main():
    options = parse_options()
    adopt_orphans()
    processor = ProcessorTime()
    (options.build / "benchmark").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="scratch-", dir=options.build / "benchmark") as scratch:
        missed = measure(options, Path(scratch), processor)
    processor.close()
    return 1 if missed else 0


def measure(options, scratch, processor):
    galley = str(galley_of(options))
    settings = Settings(galley, "", "", scratch, processor, width=390, height=844)
    # A film is decoded in the machine's time, whoever brings it: it would hide what is measured.
    chosen = [creative for creative in own_creatives(options.root) if "video" not in creative.name
              and creative.is_dir()]
    folders = copies(chosen, scratch / "creatives", plain=True)
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(scratch / "creatives")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_address[1]}"
    addresses = [f"{base}/{page(folder).relative_to(scratch / 'creatives')}" for folder in folders]
    recorded = render(addresses, scratch / "recorded", settings, "--record", scratch / "kept")
    server.shutdown()
    server.server_close()
    if recorded.problems:
        sys.exit(f"benchmark: recording failed: {recorded.problems[0]}")
    missed = []
    print(f"{len(folders)} creatives, medians of {options.rounds}; milliseconds for each, wall and processors\n")
    print("| at a time | from disk | replayed | ratio of wall time | of processors |\n|--:|--:|--:|--:|--:|")
    for jobs in options.jobs:
        settings.jobs = jobs
        runs: dict[str, list] = {"disk": [], "replay": []}
        for number in range(options.rounds):
            for name in ("disk", "replay") if number % 2 else ("replay", "disk"):
                out = scratch / f"{name}-{jobs}-{number}"
                words = ["--replay", scratch / "kept"] if name == "replay" else []
                run = render(addresses if words else folders, out, settings, *words)
                if run.problems:
                    sys.exit(f"benchmark: {name}: {run.problems[0]}")
                runs[name].append(run)
        count = len(folders)
        wall, used = ({name: statistics.median(getattr(run, which) for run in found) * 1000 / count
                       for name, found in runs.items()} for which in ("seconds", "processor"))
        ratios = wall["replay"] / wall["disk"], used["replay"] / used["disk"]
        print(f"| {jobs} | {wall['disk']:.0f}, {used['disk']:.0f} | {wall['replay']:.0f}, {used['replay']:.0f} "
              f"| {ratios[0]:.2f} | {ratios[1]:.2f} |", flush=True)
        missed += [ratios[0]] if ratios[0] > AIM else []
    print(f"\naim: at most {AIM} of the wall time: {'missed' if missed else 'met'}")
    return missed


sys.exit(main())
