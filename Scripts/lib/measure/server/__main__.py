"""Measures a server's rate beside the batch command's and beside Playwright behind HTTP, and latency at a steady load.

All render the same banners. The batch command and `POST /v1/renders` keep everything of a render; `POST /v1/screenshot`
is asked of Galley and of the peer alike: the same JSON, a PNG of the whole screen in the answer. The load is open:
requests come at their instants whether or not the ones before were answered.
"""

import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from lib.common.command import galley_of, make_parser
from lib.common.server import Program, Server

# An iPhone 15's; the peer knows no devices.
SCREEN = "393x852@3"


def parse_options():
    parser = make_parser("benchmark serve", __doc__)
    parser.add_argument("--count", type=int, default=100, help="renders of each measurement (default: 100)")
    parser.add_argument("--rounds", type=int, default=3, help="of the rates, in turns (default: 3)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="renders at a time (default: cores)")
    parser.add_argument("--loads", type=float, nargs="*", default=[0.5, 0.8], help="shares of the server's rate")
    parser.add_argument("--chromium", default="/usr/bin/chromium",
                        help="the peer's browser (default: /usr/bin/chromium)")
    return parser.parse_args()


def main():
    options = parse_options()
    options.galley = galley_of(options)
    pages = sorted(page.parent for page in (options.root / "Creatives" / "banner").glob("*/index.html"))
    documents = [(page / "index.html") for page in pages]
    chosen = list(itertools.islice(itertools.cycle(documents), options.count))
    with tempfile.TemporaryDirectory(prefix="galley-benchmark-") as folder:
        server = Server(options.galley, Path(folder) / "data", options.jobs,
                        ["--max-waiting", "100000", "--queue-timeout", "86400"])
        peer = Program(
            [sys.executable, Path(__file__).with_name("playwright_server.py"), "--chromium", options.chromium,
             "--jobs", options.jobs, "--screen", SCREEN], Path(folder) / "peer.log")
        try:
            server.start()
            peer.start()
            measure(options, server, peer, chosen, Path(folder))
        finally:
            for program in (server, peer):
                if program.process:
                    program.stop()


def measure(options, server, peer, documents, folder):
    bodies = [{"markup": document.read_text(), "name": document.parent.name} for document in documents]
    pictures = [{**body, "screen": SCREEN} for body in bodies]
    ways = {
        "galley render": lambda: batch(options, bodies, folder),
        "POST /v1/renders": lambda: burst(server, bodies),
        "POST /v1/screenshot": lambda: at_once(server, pictures),
        "Playwright": lambda: at_once(peer, pictures),
    }
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(options.rounds):
        for name, way in ways.items():
            rates[name].append(way())
    middle = {name: statistics.median(found) for name, found in rates.items()}
    print(f"{len(documents)} banners on {SCREEN}, {options.jobs} at a time, median of {options.rounds}")
    for name, found in rates.items():
        print(f"{name:20}{middle[name]:7.2f} a second   {' '.join(f'{rate:.2f}' for rate in found)}")
    print(f"the server's rate by the batch command's: {ratios(rates['POST /v1/renders'], rates['galley render'])}")
    print(f"a picture by Playwright's: {ratios(rates['POST /v1/screenshot'], rates['Playwright'])}")
    for share in options.loads:
        rate = middle["POST /v1/screenshot"] * share
        for name, program in (("galley", server), ("Playwright", peer)):
            shown = quantiles(steady(program, pictures, rate))
            print(f"at {rate:.2f} pictures a second, {share:.0%} of Galley's: {name:10} {shown}")


def ratios(rates, others):
    """Rates of the same round meet the same machine, which isn't the same in all rounds."""
    found = [rate / other for rate, other in zip(rates, others, strict=True)]
    return f"{statistics.median(found):.0%}, by round {' '.join(f'{ratio:.0%}' for ratio in found)}"


def quantiles(times):
    times = sorted(times)
    return "  ".join(f"p{part} {times[min(len(times) - 1, len(times) * part // 100)]:.2f} s" for part in (50, 90, 99))


def batch(options, bodies, folder):
    """Renders a second of the batch command, its start included."""
    arguments = []
    for number, body in enumerate(bodies):
        path = folder / "batch" / str(number)
        path.parent.mkdir(exist_ok=True)
        path.write_text(body["markup"])
        arguments.append(str(path))
    began = time.monotonic()
    subprocess.run(
        [options.galley, "render", "--quiet", "--screen", SCREEN, "--jobs", str(options.jobs), "--out", folder / "out",
         *arguments], stdout=subprocess.DEVNULL, check=True)
    return len(bodies) / (time.monotonic() - began)


def burst(server, bodies):
    """Renders a second when all are sent at once."""
    began = time.monotonic()
    ids = [server.ask("POST", "/v1/renders", {**body, "screen": SCREEN})[2]["id"] for body in bodies]
    for id in ids:
        wait(server, id)
    return len(bodies) / (time.monotonic() - began)


def wait(server, id):
    while True:
        _, _, render = server.ask("GET", f"/v1/renders/{id}")
        if render["status"] not in ("queued", "running"):
            if render["status"] != "completed":
                sys.exit(f"a render ended as {render['status']}: {render.get('error')}")
            return
        time.sleep(0.02)


def at_once(program, bodies):
    """Pictures a second when all are asked for at once."""
    began = time.monotonic()
    ask(program, bodies, lambda _: began)
    return len(bodies) / (time.monotonic() - began)


def steady(program, bodies, rate):
    """Seconds from when each picture was due to be asked for until it was there."""
    began = time.monotonic()
    return ask(program, bodies, lambda number: began + number / rate)


def ask(program, bodies, due):
    """Asks for each picture at its instant, and returns how long each took from then."""
    times, threads = [], []

    def send(body, instant):
        program.picture(body)
        times.append(time.monotonic() - instant)

    for number, body in enumerate(bodies):
        time.sleep(max(0, due(number) - time.monotonic()))
        thread = threading.Thread(target=send, args=(body, due(number)))
        thread.start()
        threads.append(thread)
    for thread in threads:
        thread.join()
    if len(times) != len(bodies):
        sys.exit(f"only {len(times)} of {len(bodies)} pictures came")
    return times


main()
