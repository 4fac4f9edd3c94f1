"""Sends renders to servers that share a queue while workers, web processes, servers and servers of NATS are killed at
random and one of the latter is cut off for a while. Three times a worker is frozen for longer than a lease and goes on
after that, so that it sends results that are somebody else's by then.

Every render that was accepted has to end once, with one result, and that of the newest lease. Most workers render
nothing and take a moment; one has the real engine. Figures: how often jobs were handed out again, and how long that
took.
"""

import collections
import http.client
import os
import random
import shutil
import signal
import statistics
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lib.cluster import simulated
from lib.cluster.machines import ClusterServer, Nats, Worker
from lib.common.command import galley_of, make_parser
from lib.soak.marked import WEB_PROCESS, children, marked, read


def parse_options():
    parser = make_parser("soak --queue", __doc__)
    parser.add_argument("--count", type=int, default=1000, help="renders (default: 1000)")
    parser.add_argument("--kills", type=int, default=None, help="kills in all (default: one for 50 renders)")
    parser.add_argument("--workers", type=int, default=4, help="workers that render nothing (default: 4)")
    parser.add_argument("--real", type=int, default=1, help="workers with the real engine (default: 1)")
    parser.add_argument("--seconds", type=float, default=0.05, help="what a render that is none takes (default: 0.05)")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="repeats an order of kills")
    return parser.parse_args()


class Cluster:
    """All the machines."""

    def __init__(self, options, folder):
        galley = galley_of(options)
        self.nats = Nats(folder, 3)
        self.servers = [
            ClusterServer(galley, folder / f"server-{number}", self.nats, ["--queue-timeout", 86400])
            for number in range(2)]
        self.ledger = folder / "ledger"
        worker = simulated.write(folder / "simulated-worker", options.seconds, ledger=self.ledger)
        self.workers = [
            Worker(galley, folder / f"worker-{number}.log", self.nats, 2, worker, ["--drain", 5])
            for number in range(options.workers)]
        self.workers += [
            Worker(galley, folder / f"real-{number}.log", self.nats, 1, None, ["--drain", 5])
            for number in range(options.real)]

    @property
    def simulated(self):
        return [worker for worker in self.workers if worker.is_simulated]

    def start(self):
        self.nats.start_all()
        for server in self.servers:
            server.start()
        for worker in self.workers:
            worker.start()

    def ask(self, method, path, body=None, headers=None, patience=300):
        """An answer of either server, again and again while they are gone; 503 counts as gone."""
        end = time.monotonic() + patience
        while True:
            server = random.choice(self.servers)
            try:
                status, fields, document = server.ask(method, path, body, headers, patience=60)
                if status < 500:
                    return status, fields, document
            except (OSError, http.client.HTTPException, TypeError):
                document = "nobody answered"
            if time.monotonic() > end:
                raise RuntimeError(f"{method} {path}: {document}")
            time.sleep(0.2)


class Killer(threading.Thread):
    """Strikes at one machine after the other until all is done."""

    def __init__(self, cluster, options):
        super().__init__(daemon=True)
        self.cluster = cluster
        self.random = random.Random(options.seed)
        self.kills: collections.Counter[str] = collections.Counter()
        self.most = options.kills if options.kills is not None else max(1, options.count // 50)
        self.ended = 0
        self.count = options.count
        self.stopped = threading.Event()

    def run(self):
        partition, stalls = False, 0
        while not self.stopped.wait(0.2):
            done = sum(self.kills.values())
            # Spread over the renders, so that a slow machine has no more in a render than a fast one.
            if done >= self.most or self.ended * self.most < done * self.count:
                continue
            if not partition and self.ended > self.count / 3:
                partition = True
                self.cut_off()
                continue
            if stalls < 3 and self.ended > self.count * (stalls + 1) / 5:
                stalls += 1
                self.stall()
                continue
            self.strike()

    def strike(self):
        kind = self.random.choice(["worker", "worker", "process", "server", "nats"])
        if kind == "worker":
            worker = self.random.choice(self.cluster.workers)
            worker.kill()
            worker.start()
        elif kind == "process":
            worker = self.random.choice(self.cluster.workers)
            below = descendants(worker.process.pid)
            names = {pid: read(pid, "comm").decode(errors="replace").strip() for pid in below}
            targets = [pid for pid, name in names.items() if name in ("galley-worker", WEB_PROCESS) or "python" in name]
            if not targets:
                return
            try:
                os.kill(self.random.choice(targets), signal.SIGKILL)
            except ProcessLookupError:
                return
        elif kind == "server":
            server = self.random.choice(self.cluster.servers)
            server.kill()
            server.start()
        else:
            number = self.random.randrange(3)
            self.cluster.nats.kill(number)
            self.stopped.wait(self.random.uniform(0, 5))
            self.cluster.nats.start(number)
            # Two that are gone together are more than a cluster of three bears: it catches up first.
            self.stopped.wait(10)
        self.kills[kind] += 1

    def cut_off(self):
        """One server of NATS hears and says nothing for a while, and comes back with what it believed."""
        number = self.random.randrange(3)
        self.cluster.nats.freeze(number)
        self.stopped.wait(20)
        self.cluster.nats.thaw(number)
        self.kills["cut off"] += 1
        self.stopped.wait(10)

    def stall(self):
        """A worker does nothing for longer than its leases last, and then ends what it was at."""
        worker = self.random.choice(self.cluster.simulated)
        worker.process.send_signal(signal.SIGSTOP)
        self.stopped.wait(45)
        worker.process.send_signal(signal.SIGCONT)
        self.kills["frozen worker"] += 1

    def stop(self):
        self.stopped.set()
        self.join()


def descendants(pid):
    found, waiting = [], [pid]
    while waiting:
        below = [int(child) for child in children(waiting.pop())]
        found += below
        waiting += below
    return found


def main():
    options = parse_options()
    folder = Path(tempfile.mkdtemp(prefix="galley-cluster-"))
    cluster = Cluster(options, folder)
    try:
        found = soak(options, cluster)
    finally:
        stop(cluster)
    end = time.monotonic() + 15
    while (left := left_alive(cluster)) and time.monotonic() < end:
        time.sleep(0.2)
    print(f"{len(left)} processes left")
    found += [f"left alive: {pid} {read(pid, 'cmdline')[:120]}" for pid in left]
    for problem in found[:50]:
        print(f"problem: {problem}")
    if found:
        print(f"{len(found)} problems; data and logs are kept: {folder}")
    else:
        shutil.rmtree(folder)
    sys.exit(1 if found else 0)


def left_alive(cluster):
    """What workers started in any of their lives and didn't end."""
    return {pid for worker in cluster.workers for marker in worker.markers for pid in marked(marker)}


def stop(cluster):
    for worker in cluster.workers:
        worker.note()
        if worker.process and worker.process.poll() is None:
            worker.process.send_signal(signal.SIGTERM)
    for worker in cluster.workers:
        if worker.process:
            worker.process.wait(timeout=60)
    for server in cluster.servers:
        if server.process and server.process.poll() is None:
            server.stop()
    cluster.nats.stop_all()


def soak(options, cluster):
    """Prints the figures and returns the problems."""
    cluster.start()
    killer = Killer(cluster, options)
    began = time.monotonic()
    killer.start()

    def send(number):
        body = {"markup": f"<h1>{number}</h1>", "name": f"ad-{number}"}
        status, _, document = cluster.ask("POST", "/v1/renders", body, {"Idempotency-Key": f"soak-{number}"})
        return number, status, document

    accepted = {}
    with ThreadPoolExecutor(8) as pool:
        for number, status, document in pool.map(send, range(options.count)):
            if status != 202:
                return [f"ad-{number} wasn't accepted: {status} {document}"]
            accepted[document["id"]] = f"ad-{number}"
            killer.ended = max(killer.ended, number // 4)
    print(f"{len(accepted)} accepted in {time.monotonic() - began:.0f} s", flush=True)
    last, silent = -1, time.monotonic()
    while True:
        renders = everything(cluster)
        ended = sum(render["status"] not in ("queued", "running") for render in renders)
        killer.ended = max(killer.ended, ended)
        if ended >= options.count:
            break
        if ended != last:
            last, silent = ended, time.monotonic()
        if time.monotonic() - silent > 300:
            killer.stop()
            return [f"nothing ended for five minutes: {ended} of {options.count}"]
        # To list all of many is work for the servers, which is no part of this.
        time.sleep(max(2, options.count / 1000))
    took = time.monotonic() - began
    killer.stop()
    kills = ", ".join(f"{count} {name}" for name, count in sorted(killer.kills.items())) or "nobody"
    print(f"{options.count} renders in {took:.0f} s, seed {options.seed}; struck: {kills}")
    return list(problems(cluster, accepted, everything(cluster)))


def everything(cluster):
    renders, cursor = [], ""
    while True:
        _, _, page = cluster.ask("GET", f"/v1/renders?limit=200{cursor}")
        renders += page["renders"]
        if "next" not in page:
            return renders
        cursor = f"&cursor={page['next']}"


def problems(cluster, accepted, renders):
    """A line for everything that is lost, doubled or wrong."""
    print("ended: " + str(dict(collections.Counter(render["status"] for render in renders))))
    print("starts: " + str(dict(sorted(collections.Counter(render["attempts"] for render in renders).items()))))
    ids = collections.Counter(render["id"] for render in renders)
    for id, name in accepted.items():
        if ids.pop(id, 0) != 1:
            yield f"{name} was accepted as {id} and isn't there once"
    for id in ids:
        yield f"{id} was never accepted"
    _, _, suspects = cluster.ask("GET", "/v1/quarantine")
    hit = {id for creative in suspects["creatives"] for id in creative["renders"]}
    for render in renders:
        if render["status"] == "completed" or render["status"] == "quarantined" and render["id"] in hit:
            continue
        yield f"{render['name']} is {render['status']}: {render.get('error')}"
    # Both servers have to say the same of each, and have the same picture.
    for render in random.sample(renders, min(50, len(renders))):
        if render["status"] != "completed":
            continue
        seen = [server.insist("GET", render["screenshots"][0]["url"]) for server in cluster.servers]
        if wrong := [f"{status} {content}" for status, _, content in seen if status != 200]:
            yield f"{render['name']}: its picture isn't at each server: {wrong}"
        elif seen[0][2] != seen[1][2]:
            yield f"{render['name']}: its picture isn't the same at both servers"
    waits = sorted(
        seconds(render["started"]) - seconds(render["created"]) for render in renders if render.get("started"))
    if waits:
        print(f"from accepted to taken up: median {statistics.median(waits):.1f} s, at most {waits[-1]:.1f} s")
    yield from stale(cluster, renders)
    again = [render for render in renders if render["attempts"] > 1 and render.get("finished")]
    delays = sorted(seconds(render["finished"]) - seconds(render["started"]) for render in again)
    if delays:
        print(
            f"handed out again: {len(again)}; from the first start to the end: "
            f"median {statistics.median(delays):.1f} s, "
            f"at most {delays[-1]:.1f} s")
    for number, server in enumerate(cluster.servers):
        _, _, text = server.insist("GET", "/metrics")
        for line in text.decode().splitlines():
            if line.startswith(("process_resident", "galley_jobs_leased", "galley_renders_queued")):
                print(f"server {number}: {line}")


def stale(cluster, renders):
    """A line for each render whose result isn't that of the newest lease under which it was begun."""
    begun: dict[str, dict[int, float]] = collections.defaultdict(dict)
    for line in cluster.ledger.read_text().splitlines():
        render, lease, when = line.split()
        # A worker program that dies is replaced within the same lease.
        begun[render].setdefault(int(lease), float(when))

    def lease_of(render):
        _, _, record = cluster.ask("GET", f"/v1/renders/{render['id']}/result")
        return render, record.get("timings", {}).get("lease")

    compared = 0
    with ThreadPoolExecutor(8) as pool:
        for render, lease in pool.map(lease_of, (render for render in renders if render["status"] == "completed")):
            # What the real engine rendered names no lease.
            if lease is None:
                continue
            compared += 1
            if (newest := max(begun[render["id"]])) != lease:
                yield f"{render['name']}: the result is of lease {lease:.0f}, and {newest} was begun"
    refused = sum(worker.log.read_text().count("a result came too late") for worker in cluster.workers)
    print(f"{compared} results are of the newest lease or named above; results that came too late and were refused: "
          f"{refused}")
    gaps = sorted(
        leases[number + 1] - leases[number] for leases in begun.values() for number in leases if number + 1 in leases)
    if gaps:
        tenth = gaps[len(gaps) * 9 // 10]
        print(
            f"begun again under another lease: {len(gaps)}; from one beginning to the next: median "
            f"{statistics.median(gaps):.1f} s, nine of ten within {tenth:.1f} s, at most {gaps[-1]:.1f} s")


def seconds(instant):
    import datetime

    return datetime.datetime.fromisoformat(instant.replace("Z", "+00:00")).timestamp()


main()
