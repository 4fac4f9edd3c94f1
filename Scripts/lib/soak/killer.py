"""Kills workers and web processes of a running command, at random."""

import os
import random
import signal
import threading
from collections import Counter

from marked import WEB_PROCESS, WORKER, marked, marker_of


class Killer(threading.Thread):
    """Every so many seconds on average, kills one worker or web process of the command's own, each as often."""

    def __init__(self, command, every, seed):
        super().__init__(daemon=True)
        self.command = command
        self.every = every
        self.random = random.Random(seed)
        self.marker = None
        self.kills = Counter()
        self.stopped = threading.Event()

    def run(self):
        while self.marker is None and not self.stopped.wait(0.02):
            self.marker = marker_of(self.command)
        while not self.stopped.wait(self.random.uniform(0, 2 * self.every)):
            self.strike()

    def strike(self):
        wanted = self.random.choice([WORKER, WEB_PROCESS])
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
