"""Sends renders to a server while workers, web processes and the server itself are killed at random.

Nothing that was accepted may be lost, nothing that was done twice may show twice, and neither memory nor descriptors
may grow. A creative that happened to be hit three times is quarantined, as it has to be; the server must know of it.
"""

import collections
import os
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from lib.common.command import galley_of, make_parser
from lib.common.server import Server
from lib.soak.marked import WEB_PROCESS, WORKER, marked, marker_of, wait_until_gone


def parse_options():
    parser = make_parser("soak --serve", __doc__)
    parser.add_argument("--count", type=int, default=200, help="renders (default: 200)")
    parser.add_argument("--percent", type=float, default=10, help="kills for a hundred renders (default: 10)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="renders at a time (default: cores)")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="repeats an order of kills")
    return parser.parse_args()


class Killer(threading.Thread):
    """Kills by what has ended and not by the clock: a slow machine has no more killed in a render than a fast one."""

    def __init__(self, server, options):
        super().__init__(daemon=True)
        self.server, self.options = server, options
        self.random = random.Random(options.seed)
        self.kills: collections.Counter[str] = collections.Counter()
        # Renders ended by then, mebibytes and descriptors of the server, and of its workers together the mebibytes.
        self.samples = []
        self.stopped = threading.Event()

    def run(self):
        ended = 0
        while not self.stopped.wait(0.1):
            try:
                now = self.look()
            except (OSError, ValueError, IndexError):
                continue
            if any(self.random.uniform(0, 100) < self.options.percent for _ in range(ended, now)):
                self.stopped.wait(self.random.uniform(0, 0.5))
                self.strike()
            ended = max(ended, now)

    def look(self):
        """How many renders have ended; keeps what the server takes by then."""
        _, _, text = self.server.ask("GET", "/metrics", patience=5)
        values = [line.rsplit(" ", 1) for line in text.decode().splitlines() if not line.startswith("#")]
        ended = self.base + sum(int(float(value)) for name, value in values if name.startswith("galley_renders_total"))
        workers = int(float(dict(values)["galley_workers_resident_bytes"])) >> 20
        self.samples.append((ended, *self.server.figures(), workers))
        return ended

    base = 0

    def strike(self):
        wanted = self.random.choice([WORKER, WEB_PROCESS, "server"])
        if wanted == "server":
            self.base = self.look()
            self.server.kill()
            self.server.start()
        else:
            marker = marker_of(self.server.process.pid)
            targets = sorted(pid for pid, name in marked(marker).items() if name == wanted) if marker else []
            if not targets:
                return
            try:
                os.kill(self.random.choice(targets), 9)
            except ProcessLookupError:
                return
        self.kills[wanted] += 1

    def stop(self):
        self.stopped.set()
        self.join()


def main():
    options = parse_options()
    galley = galley_of(options)
    folder = Path(tempfile.mkdtemp(prefix="galley-soak-"))
    found = soak(options,
                 Server(galley, folder / "data", options.jobs, ["--max-waiting", "100000", "--queue-timeout", "86400"]))
    for problem in found:
        print(f"problem: {problem}")
    if found:
        print(f"its data and log are kept: {folder}")
    else:
        shutil.rmtree(folder)
    sys.exit(1 if found else 0)


def soak(options, server):
    """Prints the figures and returns the problems."""
    server.start()
    killer = Killer(server, options)
    began = time.monotonic()
    killer.start()
    accepted = {}
    for number in range(options.count):
        # Every one is another creative, so that none is blamed for another's workers.
        body = {"markup": f"<h1>{number}</h1><script>document.title = {number}</script>", "name": f"ad-{number}"}
        status, _, document = server.insist("POST", "/v1/renders", body, {"Idempotency-Key": f"soak-{number}"})
        if status != 202:
            return [f"ad-{number} wasn't accepted: {status} {document}"]
        accepted[f"ad-{number}"] = document["id"]
    ended = await_all(server)
    took = time.monotonic() - began
    killer.stop()
    kills = ", ".join(f"{count} {name}" for name, count in sorted(killer.kills.items())) or "nobody"
    print(f"{options.count} renders in {took:.1f} s, {options.jobs} at a time, seed {options.seed}; killed: {kills}")
    found = list(curves(killer.samples)) + list(problems(server, accepted, ended))
    marker = marker_of(server.process.pid)
    code = server.stop()
    left = wait_until_gone(marker, 5) if marker else {}
    print(f"exit code {code}; {len(left)} processes left")
    return found + [f"left alive: {pid} {name}" for pid, name in left.items()] + ([f"exit code {code}"] if code else [])


def curves(samples):
    """Prints what the server took in the first and the last quarter, and a line for each that grew."""
    total = samples[-1][0] if samples else 0
    quarters = [[sample for sample in samples if sample[0] <= total / 4],
                [sample for sample in samples if sample[0] > total * 3 / 4]]
    if not all(quarters):
        return
    for column, name, slack in ((1, "MiB of the server", 32), (2, "descriptors", 16), (3, "MiB of the workers", 128)):
        first, last = (statistics.median(sample[column] for sample in quarter) for quarter in quarters)
        most = max(sample[column] for sample in samples)
        print(f"{name}: {first:.0f} in the first quarter, {last:.0f} in the last (medians); at most {most}")
        if last > first * 1.25 + slack:
            yield f"{name} grew from {first:.0f} to {last:.0f}"


def await_all(server):
    """Every render, once none waits or runs any more."""
    while True:
        _, _, page = server.insist("GET", "/v1/renders?status=queued,running&limit=1")
        if not page["renders"]:
            break
        time.sleep(0.5)
    renders, cursor = [], ""
    while True:
        _, _, page = server.insist("GET", f"/v1/renders?limit=200{cursor}")
        renders += page["renders"]
        if "next" not in page:
            return renders
        cursor = f"&cursor={page['next']}"


def problems(server, accepted, renders):
    """A line for everything that is lost, doubled or wrong."""
    print("ended: " + str(dict(collections.Counter(render["status"] for render in renders))))
    print("starts: " + str(dict(sorted(collections.Counter(render["attempts"] for render in renders).items()))))
    by_name = collections.defaultdict(list)
    for render in renders:
        by_name[render["name"]].append(render)
    _, _, suspects = server.insist("GET", "/v1/quarantine")
    hit = {id for creative in suspects["creatives"] if creative["quarantined"] for id in creative["renders"]}
    for name, id in accepted.items():
        shown = by_name.pop(name, [])
        if [render["id"] for render in shown] != [id]:
            yield f"{name} was accepted as {id} and shows as {[render['id'] for render in shown]}"
            continue
        if shown[0]["status"] == "quarantined" and id in hit and shown[0]["attempts"] >= 3:
            continue
        if shown[0]["status"] != "completed":
            yield f"{name} is {shown[0]['status']}: {shown[0].get('error')}"
            continue
        picture = shown[0]["screenshots"][0]["url"]
        status, _, content = server.insist("GET", picture)
        if status != 200 or not content.startswith(b"\x89PNG"):
            yield f"{name}: its picture isn't there"
    for name in by_name:
        yield f"{name} was never accepted"


main()
