"""Fails when a static banner takes a fifth more processor time than the figure on file.

Machines differ, so the figure is a ratio to a fixed piece of work, measured in turns with it in the same run.
"""

import json
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

from lib.common.command import galley_of, make_parser
from lib.measure.renders.contenders import Galley, Settings
from lib.measure.renders.creatives import copies
from lib.measure.renders.processes import adopt_orphans
from lib.measure.renders.processor import ProcessorTime

FIGURE = Path(__file__).with_name("static-banner.json")
# How much more than the figure is let pass.
GROWTH = 1.2
# Rounds of both; the least of each counts, as a busy machine only ever adds.
ROUNDS = 5
BANNERS = 40
# A measurement that is over the figure is taken again: a change for the worse is there each time, a busy moment isn't.
ATTEMPTS = 3
# The fixed work: programs started and linked, and bytes compressed, as a render is some of both.
STARTS = 60
BYTES = bytes(index * index >> 7 & 0xFF for index in range(1 << 20))


def parse_options():
    parser = make_parser("benchmark guard", __doc__.splitlines()[0])
    parser.add_argument("--record", action="store_true", help="write the figure instead of comparing with it")
    return parser.parse_args()


def main():
    options = parse_options()
    adopt_orphans()
    processor = ProcessorTime()
    on_file = None if options.record else json.loads(FIGURE.read_text())
    options.build.joinpath("benchmark").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="scratch-", dir=options.build / "benchmark") as scratch:
        for attempt in range(ATTEMPTS):
            banner, unit = measure(options, Path(scratch, str(attempt)), processor)
            ratio = banner / unit
            print(f"a static banner takes {banner * 1000:.0f} ms of processors, "
                  f"the fixed work {unit * 1000:.0f}: {ratio:.3f}")
            if on_file is None or ratio <= on_file["ratio"] * GROWTH:
                break
    processor.close()
    if on_file is None:
        FIGURE.write_text(json.dumps({"ratio": round(ratio, 3), "date": time.strftime("%Y-%m-%d")}) + "\n")
        return 0
    limit = on_file["ratio"] * GROWTH
    print(f"on file since {on_file['date']}: {on_file['ratio']:.3f}; up to {limit:.3f} passes")
    return 0 if ratio <= limit else 1


def measure(options, scratch, processor):
    """Seconds of processor time: of a banner, and of the fixed work."""
    galley = galley_of(options)
    settings = Settings(str(galley), "", "", scratch, processor, width=390, height=844, jobs=2)
    batch = copies([options.root / "Creatives" / "banner" / "static"] * BANNERS, scratch / "creatives", plain=True)
    contender = Galley("process")
    contender.batch(batch[:4], settings)  # So that reading programs from disk isn't counted.
    banners, units = [], []
    for _ in range(ROUNDS):
        run = contender.batch(batch, settings)
        if run.problems:
            sys.exit(f"benchmark guard: {run.problems[0]}")
        banners.append(run.processor / BANNERS)
        units.append(fixed_work(processor))
    return min(banners), min(units)


def fixed_work(processor):
    before, own = processor.seconds, time.process_time()
    for _ in range(STARTS):
        subprocess.run(processor.counted(["/usr/bin/python3", "-I", "-S", "-c", "pass"]), check=True)
    zlib.compress(BYTES * 4, 6)
    return processor.seconds - before + time.process_time() - own


sys.exit(main())
