"""Measures what lies around renders on many machines: how evenly work is spread, what it costs, what waiting costs.

Machines are network namespaces of this one: servers of NATS, servers of Galley and workers speak to each other by a
bridge. Renders take as long as they are told and draw nothing, so that the engine isn't what is measured.
"""

import functools
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

from lib.cluster import simulated
from lib.cluster.machines import Memory, processor_seconds
from lib.common.command import galley_of, make_parser

BRIDGE = "galley-net"
NETWORK = "10.83.0"


def parse_options():
    parser = make_parser("benchmark queue", __doc__)
    parser.add_argument("--workers", default="1,2,4,8", help="numbers of workers to measure (default: 1,2,4,8)")
    parser.add_argument("--each", type=int, default=40, help="renders for each worker (default: 40)")
    parser.add_argument("--seconds", type=float, default=1.0, help="what a render takes (default: 1)")
    parser.add_argument("--waiting", type=int, default=0,
                        help="renders that wait, for the memory of a server (default: 0)")
    parser.add_argument("--nodes", type=int, default=3, help="servers of NATS (default: 3)")
    return parser.parse_args()


def run(*words):
    subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)


class Network:
    """Machines by name, each with an address of its own."""

    def __init__(self, names):
        self.names = names
        self.addresses = {name: f"{NETWORK}.{number + 10}" for number, name in enumerate(names)}

    def __enter__(self):
        self.clear()
        run("ip", "link", "add", BRIDGE, "type", "bridge")
        run("ip", "address", "add", f"{NETWORK}.1/24", "dev", BRIDGE)
        run("ip", "link", "set", BRIDGE, "up")
        for number, name in enumerate(self.names):
            run("ip", "netns", "add", f"galley-{name}")
            run("ip", "link", "add", f"gv{number}", "type", "veth", "peer", "name", "eth0", "netns", f"galley-{name}")
            run("ip", "link", "set", f"gv{number}", "master", BRIDGE, "up")
            inside = ["ip", "-n", f"galley-{name}"]
            run(*inside, "link", "set", "lo", "up")
            run(*inside, "address", "add", f"{self.addresses[name]}/24", "dev", "eth0")
            run(*inside, "link", "set", "eth0", "up")
        return self

    def clear(self):
        for name in self.names:
            subprocess.run(["ip", "netns", "delete", f"galley-{name}"], stderr=subprocess.DEVNULL)
        subprocess.run(["ip", "link", "delete", BRIDGE], stderr=subprocess.DEVNULL)

    def __exit__(self, *_):
        self.clear()

    def start(self, name, *words, log, **more):
        with open(log, "a") as file:
            return subprocess.Popen(
                ["ip", "netns", "exec", f"galley-{name}", *map(str, words)], stdout=subprocess.PIPE, stderr=file,
                text=True,
                **more)


class Cluster:
    def __init__(self, options, network, folder):
        self.options, self.network, self.folder = options, network, folder
        self.galley = galley_of(options)
        self.nats, self.servers, self.workers = [], [], []
        self.token = ""
        self.queue = ",".join(f"nats://{network.addresses[f'nats{n}']}:4222" for n in range(options.nodes))
        self.replicas = min(3, options.nodes)

    def start(self):
        routes = ", ".join(f"nats://{self.network.addresses[f'nats{n}']}:6222" for n in range(self.options.nodes))
        for number in range(self.options.nodes):
            address = self.network.addresses[f"nats{number}"]
            file = self.folder / f"nats{number}.conf"
            cluster = ""
            if self.options.nodes > 1:
                cluster = f"cluster {{ name: c, listen: {address}:6222, routes: [{routes}] }}"
            file.write_text(
                f'server_name: n{number}\nlisten: "{address}:4222"\n'
                f'jetstream {{ store_dir: "{self.folder}/nats{number}" }}\n{cluster}\n')
            program = shutil.which("nats-server") or "/usr/sbin/nats-server"
            self.nats.append(self.network.start(f"nats{number}", program, "-c", file, log=self.folder / "nats.log"))
        time.sleep(4)
        for number in range(2):
            server = self.network.start(
                f"serve{number}", self.galley, "serve", "--host", self.network.addresses[f"serve{number}"], "--port",
                8080,
                "--tokens", self.folder / "tokens", "--data", self.folder / f"data{number}", "--queue", self.queue,
                "--cluster-key", self.folder / "cluster-key",
                "--queue-replicas", self.replicas, "--max-waiting", 1_000_000, "--queue-timeout", 86400, "--json",
                log=self.folder / "serve.log")
            if not server.stdout.readline():
                raise RuntimeError((self.folder / "serve.log").read_text()[-2000:])
            self.servers.append(server)

    def work(self, count):
        """As many workers as that, no others."""
        worker = simulated.write(self.folder / "simulated-worker", self.options.seconds)
        environment = dict(os.environ, GALLEY_WORKER_PATH=str(worker))
        while len(self.workers) < count:
            name = f"work{len(self.workers)}"
            self.workers.append(self.network.start(
                name, self.galley, "work", "--queue", self.queue, "--queue-replicas", self.replicas, "--jobs", 1,
                log=self.folder / "work.log", env=environment))
            self.workers[-1].stdout.readline()

    def rest(self):
        for worker in self.workers:
            worker.terminate()
        for worker in self.workers:
            worker.wait(60)
        self.workers = []

    def ask(self, server, method, path, body=None):
        connection = http.client.HTTPConnection(self.network.addresses[f"serve{server}"], 8080, timeout=120)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            response = connection.getresponse()
            content = response.read()
            if response.status >= 300:
                raise RuntimeError(f"{method} {path}: {response.status} {content[:300].decode(errors='replace')}")
            return json.loads(content)
        finally:
            connection.close()

    def send(self, count, label):
        def one(number):
            body = {"markup": f"<p>{label} {number}", "name": f"{label}-{number}", "labels": {"run": label}}
            return self.ask(number % 2, "POST", "/v1/renders", body)["id"]

        with ThreadPoolExecutor(8) as pool:
            return list(pool.map(one, range(count)))

    def wait(self, label):
        """Until all have ended. One of those that haven't is asked for: to list all is work that would be measured."""
        while any(self.page(label, status, 1)["renders"] for status in ("queued", "running")):
            time.sleep(1)

    def completed(self, label):
        renders, cursor = [], ""
        while True:
            page = self.page(label, "completed", 200, cursor)
            renders += page["renders"]
            if "next" not in page:
                return renders
            cursor = f"&cursor={page['next']}"

    def page(self, label, status, limit, cursor=""):
        return self.ask(0, "GET", f"/v1/renders?status={status}&label=run={label}&limit={limit}{cursor}")

    def cost(self):
        """Processor seconds of servers, workers' own programs, and servers of NATS."""
        return {
            "servers": sum(processor_seconds(server.pid) for server in self.servers),
            "workers": sum(processor_seconds(worker.pid) for worker in self.workers),
            "NATS": sum(processor_seconds(node.pid) for node in self.nats),
        }

    def spent(self, body):
        """Processor seconds while something is done, and how long that took."""
        before, began = self.cost(), time.monotonic()
        body()
        after, took = self.cost(), time.monotonic() - began
        return {name: after[name] - before[name] for name in before}, took

    def idle(self):
        """Processor seconds that a second takes while nothing waits."""
        time.sleep(2)
        spent, took = self.spent(lambda: time.sleep(10))
        return {name: seconds / took for name, seconds in spent.items()}

    def stop(self):
        for process in self.workers + self.servers:
            process.terminate()
        for process in self.workers + self.servers:
            process.wait(90)
        for process in self.nats:
            process.kill()
            process.wait()


def seconds(instant):
    return datetime.fromisoformat(instant.replace("Z", "+00:00")).timestamp()


def scaling(cluster, options):
    print("workers  renders  ideal s  took s  efficiency  ms for each render, and each second without any")
    for count in map(int, options.workers.split(",")):
        total, label = count * options.each, f"w{count}"
        cluster.send(total, label)
        cluster.work(count)
        # Programs that have just begun aren't what is measured.
        (spent, watched), idle = cluster.spent(functools.partial(cluster.wait, label)), cluster.idle()
        renders = cluster.completed(label)
        if len(renders) < total:
            sys.exit(f"{len(renders)} of {total} renders completed")
        took = max(seconds(r["finished"]) for r in renders) - min(seconds(r["started"]) for r in renders)
        ideal = total * options.seconds / count
        costs = ", ".join(f"{name} {spent[name] / total * 1000:.1f} ({idle[name] * 1000:.1f})" for name in spent)
        least = sum(spent[name] - idle[name] * watched for name in spent) / total * 1000
        print(f"{count:7}  {total:7}  {ideal:7.1f}  {took:6.1f}  {ideal / took:10.3f}  {costs}", flush=True)
        print(f"         together {sum(spent.values()) / total * 1000:.1f}, of which {least:.1f} are the renders'",
              flush=True)
        cluster.rest()


def memory(programs):
    return ", ".join(str(Memory(program.pid)) for program in programs)


def waiting(cluster, count):
    print(f"memory of the servers before: {memory(cluster.servers)} MiB")
    began = time.monotonic()
    cluster.send(count, "waiting")
    took = time.monotonic() - began
    print(f"{count} renders accepted in {took:.0f} s: {count / took:.0f} a second")
    print(f"with all of them waiting: {memory(cluster.servers)} MiB, servers of NATS {memory(cluster.nats)} MiB")
    began = time.monotonic()
    cluster.ask(1, "GET", "/v1/renders?limit=50")
    print(f"a page of the list: {(time.monotonic() - began) * 1000:.0f} ms")


def main():
    options = parse_options()
    names = [f"nats{n}" for n in range(options.nodes)] + ["serve0", "serve1"]
    names += [f"work{n}"
              for n in range(max([0, *map(int, options.workers.split(","))]) if options.workers != "0" else 0)]
    folder = Path(tempfile.mkdtemp(prefix="galley-scaling-"))
    with Network(names) as network:
        cluster = Cluster(options, network, folder)
        cluster.token = subprocess.run(
            [str(cluster.galley), "serve", "token", "create", "benchmark", "--file", str(folder / "tokens"), "--scopes",
             "read,render"], check=True, capture_output=True, text=True).stdout.strip()
        try:
            cluster.start()
            if options.workers != "0":
                scaling(cluster, options)
            if options.waiting:
                waiting(cluster, options.waiting)
        finally:
            cluster.stop()
    shutil.rmtree(folder)


main()
