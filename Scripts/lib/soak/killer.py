"""Kills workers, web processes and fork servers of a running command, at random."""

import os
import random
import signal
import threading
from collections import Counter

from lib.soak.marked import FORK_SERVER, WEB_PROCESS, WORKER, marked, marker_of


class Killer(threading.Thread):
    """After so many of a hundred results, each at a moment nobody chose, kills a worker, a web process or a fork
    server.

    It goes by results and not by the clock: a slow machine has no more killed in a render than a fast one.
    """

    def __init__(self, command, out, percent, seed):
        super().__init__(daemon=True)
        self.command = command
        self.out = out
        self.percent = percent
        self.random = random.Random(seed)
        self.marker = None
        self.kills: Counter[str] = Counter()
        self.stopped = threading.Event()

    def run(self):
        results = 0
        while not self.stopped.wait(0.02):
            self.marker = self.marker or marker_of(self.command)
            now = sum(1 for _ in self.out.glob("**/result.json"))
            if self.marker and any(self.random.uniform(0, 100) < self.percent for _ in range(results, now)):
                self.stopped.wait(self.random.uniform(0, 1))
                self.strike()
            results = max(results, now)

    def strike(self):
        wanted = self.random.choice([WORKER, WEB_PROCESS, FORK_SERVER])
        targets = sorted(pid for pid, name in marked(self.marker).items() if name == wanted)
        if not targets:
            return
        try:
            os.kill(self.random.choice(targets), signal.SIGKILL)
        except ProcessLookupError:
            return
        self.kills[wanted] += 1

    def stop(self):
        self.stopped.set()
        self.join()
