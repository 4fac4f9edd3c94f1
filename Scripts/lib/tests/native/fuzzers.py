"""Fuzzers of the C sources that read what others wrote, by clang's libFuzzer, and faults that they have to find.

A fuzzer is a file of Tests/FuzzedTests. The .toml beside it says how many inputs a short run tries, and names faults:
what is to be replaced by what in a source, once. Each is planted in a copy of the sources, and the fuzzer must crash.
"""

import shutil
import subprocess
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lib.tests.native import compilers

# A fault that isn't found after so many times the inputs of a short run isn't found.
PATIENCE = 10
SEED = 1


@dataclass(frozen=True)
class Fuzzer:
    source: Path
    runs: int
    packages: list[str]
    faults: list[dict[str, str]]

    @property
    def name(self):
        return self.source.stem


def read(root):
    found = []
    for source in sorted((root / "Tests/FuzzedTests").glob("*.c")):
        said = tomllib.loads(source.with_suffix(".toml").read_text())
        found.append(Fuzzer(source, said["runs"], said.get("packages", []), said["fault"]))
    return found


def run(root, place, kept, seconds):
    """Runs all of them and has them find their faults; gives what failed, in words."""
    fuzzers = read(root)
    tasks = [partial(fuzz, root / "Sources", place, fuzzer, kept, seconds) for fuzzer in fuzzers]
    tasks += [partial(find, root, place, fuzzer, number)
              for fuzzer in fuzzers for number in range(len(fuzzer.faults))]
    with ThreadPoolExecutor() as pool:
        failed = [said for said in pool.map(lambda task: task(), tasks) if said]
    faults = sum(len(fuzzer.faults) for fuzzer in fuzzers)
    how = f"for {seconds} s each" if seconds else f"with {sum(fuzzer.runs for fuzzer in fuzzers)} inputs"
    print(f"{len(fuzzers)} fuzzers {how}; {faults} planted faults to be found", flush=True)
    return failed


def build(sources, fuzzer, program, *more):
    words = [compilers.clang(), *compilers.STRICT, *compilers.headers(sources), "-fsanitize=fuzzer,address,undefined",
             "-Wno-unused-parameter", "-fuse-ld=lld", *compilers.words_of(fuzzer.packages, "--cflags"), fuzzer.source]
    if not compilers.passes([*words, *more, "-o", program, "-ldl", "-lpthread",
                             *compilers.words_of(fuzzer.packages, "--libs")]):
        raise SystemExit(f"the fuzzer {fuzzer.name} isn't built")


def started(program, place, words):
    place.mkdir(parents=True, exist_ok=True)
    words = [program, "-verbosity=0", f"-artifact_prefix={place}/", *words]
    return subprocess.run(words, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


def fuzz(sources, place, fuzzer, kept, seconds):
    program = place / f"fuzz-{fuzzer.name}"
    build(sources, fuzzer, program)
    # A long run goes on with the inputs that the last one found worth keeping.
    corpus = kept / fuzzer.name / "inputs"
    corpus.mkdir(parents=True, exist_ok=True)
    words = [f"-max_total_time={seconds}", corpus] if seconds else [f"-runs={fuzzer.runs}", f"-seed={SEED}"]
    done = started(program, kept / fuzzer.name, words)
    if done.returncode == 0:
        return None
    return f"the fuzzer {fuzzer.name} ended with {done.returncode}; its input is in {kept / fuzzer.name}\n" + \
        done.stdout.decode(errors="replace")


def find(root, place, fuzzer, number):
    """Plants one fault; says so if the fuzzer doesn't crash."""
    fault, folder = fuzzer.faults[number], place / f"{fuzzer.name}-{number}"
    plant(root, folder, fault)
    # A fault may leave something unused.
    build(folder / "Sources", fuzzer, folder / "program", "-w")
    done = started(folder / "program", folder, [f"-runs={PATIENCE * fuzzer.runs}", f"-seed={SEED}"])
    return f"the fuzzer {fuzzer.name} doesn't find this: {fault['fault']}" if done.returncode == 0 else None


def plant(root, folder, fault):
    """Copies the sources in C, with the fault among them."""
    for file in sorted((root / "Sources").rglob("*.[ch]")):
        target = folder / file.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    target = folder / fault["file"]
    text = target.read_text()
    if text.count(fault["find"]) != 1:
        raise SystemExit(f"{fault['file']} doesn't have once what this replaces: {fault['fault']}")
    target.write_text(text.replace(fault["find"], fault["replace"]))
