"""Measures a server's rate beside the batch command's on the same creatives, and its latency at a steady load.

The load is open: requests come at their instants whether or not the ones before were answered.
"""

import argparse
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from server import Server


def parse_options():
    parser = argparse.ArgumentParser(prog="Scripts/benchmark serve", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--count", type=int, default=100, help="renders of each measurement (default: 100)")
    parser.add_argument("--rounds", type=int, default=3, help="of the rates, in turns (default: 3)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="renders at a time (default: cores)")
    parser.add_argument("--loads", type=float, nargs="*", default=[0.5, 0.8], help="shares of the server's rate")
    parser.add_argument("--galley", type=Path, help="another galley than this checkout's release")
    return parser.parse_args()


def main():
    options = parse_options()
    options.galley = (options.galley or options.build / "release" / "galley").resolve()
    pages = sorted(page.parent for page in (options.root / "Creatives" / "banner").glob("*/index.html"))
    documents = [(page / "index.html") for page in pages]
    chosen = list(itertools.islice(itertools.cycle(documents), options.count))
    with tempfile.TemporaryDirectory(prefix="galley-benchmark-") as folder:
        server = Server(options.galley, Path(folder) / "data", options.jobs, ["--queue", "100000"])
        server.start()
        try:
            measure(options, server, chosen, Path(folder))
        finally:
            server.stop()


def measure(options, server, documents, folder):
    bodies = [{"markup": document.read_text(), "name": document.parent.name} for document in documents]
    rates = {"batch": [], "serve": []}
    for _ in range(options.rounds):
        rates["batch"].append(batch(options, bodies, folder))
        rates["serve"].append(burst(server, bodies))
    batch_rate, serve_rate = statistics.median(rates["batch"]), statistics.median(rates["serve"])
    print(f"{len(documents)} banners, {options.jobs} at a time, median of {options.rounds}")
    print(f"galley render   {batch_rate:6.2f} a second   {' '.join(f'{rate:.2f}' for rate in rates['batch'])}")
    print(f"galley serve    {serve_rate:6.2f} a second   {' '.join(f'{rate:.2f}' for rate in rates['serve'])}")
    print(f"                {serve_rate / batch_rate:6.0%}")
    for share in options.loads:
        times = sorted(steady(server, bodies, serve_rate * share))
        shown = "  ".join(f"p{part} {times[min(len(times) - 1, len(times) * part // 100)]:.2f} s" for part in (50, 90, 99))
        print(f"at {share:.0%} of it, {serve_rate * share:.2f} a second: {shown}")


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
        [options.galley, "render", "--quiet", "--jobs", str(options.jobs), "--out", folder / "out", *arguments],
        stdout=subprocess.DEVNULL, check=True)
    return len(bodies) / (time.monotonic() - began)


def burst(server, bodies):
    """Renders a second when all are sent at once."""
    began = time.monotonic()
    ids = [server.ask("POST", "/v1/renders", body)[2]["id"] for body in bodies]
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


def steady(server, bodies, rate):
    """Seconds from when each request was due until it was answered with its outcome."""
    times, threads, began = [], [], time.monotonic()

    def send(body, due):
        status, _, render = server.ask("POST", "/v1/renders", body, {"Prefer": "wait=120"})
        if status == 200 and render["status"] == "completed":
            times.append(time.monotonic() - due)

    for number, body in enumerate(bodies):
        due = began + number / rate
        time.sleep(max(0, due - time.monotonic()))
        thread = threading.Thread(target=send, args=(body, due))
        thread.start()
        threads.append(thread)
    for thread in threads:
        thread.join()
    if len(times) != len(bodies):
        sys.exit(f"only {len(times)} of {len(bodies)} renders completed")
    return times


main()
