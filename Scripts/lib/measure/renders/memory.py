"""Peak memory of everything a contender starts, as the sum of proportional set sizes."""

import os
import threading
import time

from lib.measure.renders.processes import descendants, is_driver


class Sampler:
    """Samples all descendants of this process in a `with` block; `peak` and `peak_without_driver` are in bytes."""

    def __init__(self, interval=0.02):
        self.interval = interval
        self.samples = 0
        self.peak = 0
        self.peak_without_driver = 0
        self.problems = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()

    def _watch(self):
        while not self._ended.is_set():
            begun = time.monotonic()
            self._sample()
            self._ended.wait(max(0.0, self.interval - (time.monotonic() - begun)))

    def _sample(self):
        total = driver = 0
        for pid in descendants(os.getpid()):
            try:
                size = proportional_size(pid)
            except PermissionError:
                self.problems = ["some processes don't show their memory to this user; run as root"]
                continue
            total += size
            driver += size if is_driver(pid) else 0
        self.samples += 1
        self.peak = max(self.peak, total)
        self.peak_without_driver = max(self.peak_without_driver, total - driver)


def proportional_size(pid):
    """Bytes; 0 for a process that has just ended."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as rollup:
            for line in rollup:
                if line.startswith("Pss:"):
                    return int(line.split()[1]) * 1024
    except (FileNotFoundError, ProcessLookupError):
        pass
    return 0
