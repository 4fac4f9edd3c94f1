"""Programs of a queue for a test: servers of NATS, servers and workers of Galley, each as a machine that may die."""

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from lib.common.server import Program
from lib.soak.marked import marker_of


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Nats:
    """A cluster of servers of NATS with disks of their own."""

    def __init__(self, folder, count=3):
        self.folder = Path(folder)
        self.ports = [(free_port(), free_port()) for _ in range(count)]
        self.processes: list = [None] * count

    @property
    def address(self):
        return ",".join(f"nats://127.0.0.1:{port}" for port, _ in self.ports)

    def start(self, number):
        port, routes = self.ports[number]
        place = self.folder / f"nats-{number}"
        place.mkdir(parents=True, exist_ok=True)
        others = ", ".join(f"nats://127.0.0.1:{other}" for _, other in self.ports)
        cluster = ""
        if len(self.ports) > 1:
            cluster = f"cluster {{ name: c, listen: 127.0.0.1:{routes}, routes: [{others}] }}"
        (place / "nats.conf").write_text(
            f'server_name: n{number}\nlisten: "127.0.0.1:{port}"\n'
            f'jetstream {{ store_dir: "{place}/store" }}\n{cluster}\n')
        with open(place / "log", "a") as log:
            self.processes[number] = subprocess.Popen(
                [shutil.which("nats-server") or "/usr/sbin/nats-server", "-c", str(place / "nats.conf")], stderr=log)

    def start_all(self):
        for number in range(len(self.ports)):
            self.start(number)
        for port, _ in self.ports:
            self.await_port(port)
        # A cluster has to choose who leads before it keeps anything.
        time.sleep(3 if len(self.ports) > 1 else 0.2)

    @staticmethod
    def await_port(port):
        end = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def kill(self, number):
        self.processes[number].kill()
        self.processes[number].wait()

    def freeze(self, number):
        self.processes[number].send_signal(signal.SIGSTOP)

    def thaw(self, number):
        self.processes[number].send_signal(signal.SIGCONT)

    def stop_all(self):
        for process in self.processes:
            if process and process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
                process.wait()

    def processor_seconds(self):
        return sum(processor_seconds(process.pid) for process in self.processes if process)


class ClusterServer(Program):
    """A `galley serve --queue` over a folder of its own."""

    def __init__(self, galley, data, nats, options=()):
        super().__init__(
            [galley, "serve", "--port", 0, "--data", data, "--queue", nats.address, "--json",
             "--cluster-key", Path(data).parent / "cluster-key", "--queue-replicas", min(3, len(nats.ports)), *options],
            f"{data}.log")


class Worker:
    """A `galley work`; with `simulated` it has that program in the place of the engine's."""

    def __init__(self, galley, log, nats, jobs=1, simulated=None, options=()):
        self.call = [str(word) for word in (
            galley, "work", "--queue", nats.address, "--jobs", jobs, "--queue-replicas", min(3, len(nats.ports)),
            *options)]
        self.log = Path(log)
        self.environment = dict(os.environ)
        self.is_simulated = bool(simulated)
        if simulated:
            self.environment["GALLEY_WORKER_PATH"] = str(simulated)
        self.process: subprocess.Popen | None = None
        # What the processes that it started are known by, of each of its lives.
        self.markers = set()

    def start(self):
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(
                self.call, stdout=subprocess.DEVNULL, stderr=log, env=self.environment, start_new_session=True)

    def note(self):
        if self.process and (marker := marker_of(self.process.pid)):
            self.markers.add(marker)

    def kill(self):
        self.note()
        if self.process:
            self.process.kill()
            self.process.wait()

    def stop(self, patience=90):
        """Tells it to stop, and returns its exit code; none where it never began."""
        self.note()
        if not self.process:
            return None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=patience)


def processor_seconds(pid):
    """Processor time of a process and of what it has waited for; 0 when it is gone."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class Memory:
    """What a process has in memory, in MiB: all of it, and what of that is nobody else's and no file's."""

    def __init__(self, pid):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        sizes = {words[0]: int(words[1]) / 1024 for words in map(str.split, lines)
                 if words[0] in ("VmRSS:", "RssAnon:")}
        self.all, self.own = sizes["VmRSS:"], sizes["RssAnon:"]

    def __str__(self):
        return f"{self.all:.0f} ({self.own:.0f} its own)"
