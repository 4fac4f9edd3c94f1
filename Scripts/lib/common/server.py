"""A server under test, and requests to it with nothing but the standard library."""

import http.client
import json
import os
import signal
import subprocess
import time
from pathlib import Path


class Program:
    """A server that prints its address as one JSON object."""

    def __init__(self, call, log):
        self.call, self.log = [str(word) for word in call], Path(log)
        self.process: subprocess.Popen | None = None
        self.port = None

    def start(self):
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(self.call, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the server didn't start: {self.log.read_text()[-2000:]}")
        self.port = int(json.loads(line)["address"].rsplit(":", 1)[1])

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()

    def stop(self):
        """Tells it to stop, and returns its exit code; none where it never began."""
        if not self.process:
            return None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=90)

    def ask(self, method, path, body=None, headers=None, patience=150):
        """Status, headers and document; raises what http.client does when the server is gone."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=patience)
        try:
            fields = dict(headers or {})
            if body is not None:
                body = json.dumps(body)
                fields["Content-Type"] = "application/json"
            connection.request(method, path, body, fields)
            response = connection.getresponse()
            content = response.read()
            kind = response.headers.get("Content-Type", "")
            return response.status, response.headers, json.loads(content) if "json" in kind else content
        finally:
            connection.close()

    def insist(self, method, path, body=None, headers=None, patience=120):
        """The same, again and again while the server is gone."""
        end = time.monotonic() + patience
        while True:
            try:
                return self.ask(method, path, body, headers)
            except (OSError, http.client.HTTPException):
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def picture(self, body):
        """A PNG in the answer; anything else is an error."""
        status, _, content = self.ask("POST", "/v1/screenshot", body, patience=600)
        if status != 200 or not content.startswith(b"\x89PNG"):
            raise RuntimeError(f"no picture but {status}: {content[:200]}")

    def figures(self):
        """Resident mebibytes and open descriptors."""
        assert self.process
        process = Path(f"/proc/{self.process.pid}")
        pages = int((process / "statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") >> 20, len(list((process / "fd").iterdir()))


class Server(Program):
    """One `galley serve` over a data folder, started again as often as it is killed."""

    def __init__(self, galley, data, jobs, options=()):
        super().__init__(
            [galley, "serve", "--port", 0, "--data", data, "--jobs", jobs, "--json", *options], f"{data}.log")
