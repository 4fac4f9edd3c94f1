"""A small cluster under attack: a server of NATS with the roles of deploy/, two servers of Galley and a worker."""

import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


class Cluster:
    """Servers of NATS and of Galley, and a worker, with the roles of deploy/."""

    def __init__(self, galley, folder):
        self.folder, self.processes, self.galley = folder, [], str(galley.path)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        shutil.copy(ROOT / "deploy/nats-roles.conf", folder / "roles.conf")
        (folder / "nats.conf").write_text(
            f'listen: "127.0.0.1:{self.port}"\njetstream {{ store_dir: "{folder}/nats" }}\ninclude "roles.conf"\n')
        self.start([shutil.which("nats-server") or "/usr/sbin/nats-server", "-c", folder / "nats.conf"], "nats")
        self.wait_for_nats()
        self.tokens = {}
        for name, scopes in [("admin", "admin"), ("me", "read,render")]:
            made = galley.run("serve", "token", "create", name, "--file", folder / "tokens", "--scopes", scopes)
            self.tokens[name] = made.output.decode().split()[-1]
        (folder / "canary").mkdir()
        (folder / "canary/file").write_text("here")
        self.servers = [self.serve(name) for name in ("one", "two")]
        self.work()

    def address(self, user):
        return f"nats://{user}:change-me-{user}@127.0.0.1:{self.port}"

    def work(self):
        return self.start(
            [self.galley, "work", "--queue", self.address("worker-1"), "--queue-user", "worker-1", "--jobs", "1"],
            "work")

    def start(self, words, name, **options):
        with open(self.folder / f"{name}.log", "w") as log:
            process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stderr=log,
                                       start_new_session=True, **{"stdout": log, **options})
        self.processes.append(process)
        return process

    def wait_for_nats(self):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                return socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("nats-server didn't start")

    def serve(self, name):
        process = self.start(
            [self.galley, "serve", "--port", "0", "--json", "--data", self.folder / "data" / name, "--queue",
             self.address("server"), "--cluster-key", self.folder / "cluster-key", "--tokens", self.folder / "tokens"],
            name, stdout=subprocess.PIPE)
        line = process.stdout.readline()
        if not line:
            raise RuntimeError((self.folder / f"{name}.log").read_text()[-2000:])
        return json.loads(line)["address"]

    def stop(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def call(self, server, path, body=None, token="admin", headers=()):
        request = urllib.request.Request(
            server + path, data=json.dumps(body).encode() if body is not None else None,
            headers={"Content-Type": "application/json", **dict(headers)})
        if token:
            request.add_header("Authorization", f"Bearer {self.tokens.get(token, token)}")
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def render(self, server):
        status, body = self.call(server, "/v1/renders", {"markup": "<h1>ad"}, headers=[("Prefer", "wait=80")])
        return json.loads(body) if status < 300 else {"status": status}

    def state(self):
        """What must stay as it is: answers of both servers, renders, files that servers don't fetch for themselves."""
        seen = []
        for server in self.servers:
            for path in ("/healthz", "/readyz"):
                seen.append(self.call(server, path)[0])
            status, body = self.call(server, "/v1/renders?limit=100")
            seen.append((status, sorted((each["id"], each["status"]) for each in json.loads(body).get("renders", []))))
            seen.append(self.call(server, "/v1/baselines")[1])
        seen.append([process.poll() for process in self.processes])
        seen.append(sorted(str(path.relative_to(self.folder)) for path in self.folder.iterdir()))
        seen.append((self.folder / "canary/file").read_text())
        seen.append(hashlib.sha256((self.folder / "tokens").read_bytes()).hexdigest())
        return seen
