"""The programs measured: a command for two pictures, and the exit codes that say same and different."""

import os
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass

from lib.measure.diff.pictures import KINDS

PIXELMATCH = "pixelmatch@7.2.0"


@dataclass
class Program:
    name: str
    version: str
    command: list
    same: int
    different: int
    # How many times as long as Galley it is to take.
    aim: float | None = None


def available(galley, pixelmatch, compare, odiff):
    """Galley first, then whoever is there; all look for anti-aliasing that can, at the same threshold."""
    node = Program("pixelmatch", "pixelmatch 7.2.0", ["node", str(pixelmatch / "bin" / "pixelmatch")], 0, 66, 10)
    programs = [Program("Galley", f"galley {output([galley, '--version'])}", [str(galley), "diff"], 0, 1), node]
    if shutil.which(compare):
        version = " ".join(output([compare, "-version"]).split()[1:3])
        programs.append(Program("ImageMagick", version, [compare, "-metric", "AE", "-fuzz", "10%"], 0, 1))
    if odiff:
        command = [str(odiff.resolve()), "--antialiasing", "--threshold=0.1"]
        programs.append(Program("odiff", f"odiff {output([odiff, '--version'])}", command, 0, 22, 2))
    return programs


def installed_pixelmatch(folder):
    """The release that counts, installed from npm when it isn't there."""
    found = folder / "node_modules" / "pixelmatch"
    if not found.exists():
        print(f"installing {PIXELMATCH} in {folder}", file=sys.stderr)
        folder.mkdir(parents=True, exist_ok=True)
        install = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), PIXELMATCH]
        subprocess.run(install, check=True)
    return found.resolve()


def measure(programs, size, kind, pair, rounds):
    """Milliseconds and peak MiB of each program, in turns whose order rotates; the first round is thrown away."""
    samples: dict[str, list[float]] = {program.name: [] for program in programs}
    memory = {program.name: 0.0 for program in programs}
    problems: dict[str, list[str]] = {program.name: [] for program in programs}
    for number in range(rounds + 1):
        shift = number % len(programs)
        for program in programs[shift:] + programs[:shift]:
            milliseconds, peak, code = run(program, pair)
            expected = program.different if KINDS[kind] else program.same
            if code != expected:
                problems[program.name].append(f"{program.name} ended with {code} on {kind}, {size}, not {expected}")
            if number > 0:
                samples[program.name].append(milliseconds)
                memory[program.name] = max(memory[program.name], peak)
    medians = {name: statistics.median(taken) for name, taken in samples.items()}
    shown = ", ".join(f"{name} {value:.1f} ms" for name, value in medians.items())
    print(f"{size}, {kind}: {shown}", file=sys.stderr)
    return {
        "size": size,
        "kind": kind,
        "milliseconds": samples,
        "peakMiB": memory,
        "ratios": {name: medians[name] / medians["Galley"] for name in medians if name != "Galley"},
        "aims": {program.name: program.aim for program in programs if program.aim},
        "problems": {name: found[0] for name, found in problems.items() if found},
    }


def run(program, pair):
    """Starts a command as cheaply as there is, and waits for it."""
    command = [*program.command, *map(str, pair)] + (["null:"] if program.name == "ImageMagick" else [])
    quiet = [(os.POSIX_SPAWN_OPEN, descriptor, "/dev/null", os.O_WRONLY, 0) for descriptor in (1, 2)]
    begun = time.perf_counter()
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=quiet)
    _, status, usage = os.wait4(child, 0)
    milliseconds = (time.perf_counter() - begun) * 1000
    return milliseconds, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


def output(command):
    try:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    except OSError:
        return "not found"
    return (done.stdout.strip().splitlines() or ["unknown"])[0]
