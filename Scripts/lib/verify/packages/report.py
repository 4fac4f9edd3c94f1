"""What was tried, what it took, and whether it was as it has to be."""

import resource
import shutil
import time

# What a package may take: seconds from nothing to the first picture, and bytes.
FIRST_PICTURE = 60
PACKAGE = 45e6
# With those for serving, films and recordings.
PROGRAMS = 90e6


def processors():
    """Seconds that ended processes have computed."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Report:
    """Prints as it goes; wrong things are said once more at the end."""

    def __init__(self, keep):
        self.keep = keep
        self.wrong = []
        if keep:
            keep.mkdir(parents=True, exist_ok=True)

    def timed(self, what, work, *arguments, **options):
        """Does it and prints how long it took; gives what came of it and the seconds.

        Beside others' work more passes than it takes: the processors' time is printed as well.
        """
        began, computed = time.monotonic(), processors()
        outcome = work(*arguments, **options)
        seconds = time.monotonic() - began
        print(f"  {seconds:6.1f} s  {what}; {processors() - computed:.1f} s of a processor", flush=True)
        return outcome, seconds

    def size(self, what, size, most=None):
        print(f"  {size / 1e6:6.1f} MB {what}{f', at most {most / 1e6:.0f}' if most else ''}", flush=True)
        if most and size > most:
            self.fail(f"{what}: {size / 1e6:.1f} MB of {most / 1e6:.0f}")

    def say(self, text):
        print(f"            {text}", flush=True)

    def expect(self, condition, what):
        if not condition:
            self.fail(what)

    def fail(self, what):
        print(f"     WRONG  {what}", flush=True)
        self.wrong.append(what)

    def picture(self, path, name):
        """A picture has to be a PNG file of some size; it is kept if asked."""
        good = path.is_file() and path.stat().st_size > 1000 and path.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
        self.expect(good, f"{name}: no picture at {path.name}")
        if good and self.keep:
            shutil.copyfile(path, self.keep / f"{name}.png")

    def close(self):
        for what in self.wrong:
            print(f"wrong: {what}")
        print("the packages work" if not self.wrong else f"{len(self.wrong)} things are wrong")
        return 1 if self.wrong else 0
