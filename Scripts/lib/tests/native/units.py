"""The tests of the C sources that can stand alone, each a program that a compiler's sanitizers watch."""

import subprocess

from lib.tests.native import compilers

THREADS = "thread_slots"


def run(root, place):
    """Runs all of them; gives the names of those that failed."""
    compiler = compilers.system()
    tests = sorted((root / "Tests/SanitizedTests").glob("*.c"))
    failed = [test.stem for test in tests if not holds(root, place, compiler, test, "address,undefined")]
    print(f"{len(tests)} C tests by {compiler} with address and undefined behaviour sanitizers", flush=True)
    # Some compilers come without ThreadSanitizer, and on some kernels its programs don't start.
    if not has_threads(compiler, place):
        print(f"no C test with ThreadSanitizer: it doesn't work with {compiler} here", flush=True)
        return failed
    test = root / f"Tests/SanitizedTests/{THREADS}.c"
    failed += [] if holds(root, place, compiler, test, "thread") else [f"{THREADS} with ThreadSanitizer"]
    print("1 C test with ThreadSanitizer", flush=True)
    return failed


def holds(root, place, compiler, test, sanitizers):
    program = place / test.stem
    words = [compiler, *compilers.STRICT, *compilers.headers(root / "Sources"), f"-fsanitize={sanitizers}"]
    return compilers.passes([*words, test, "-o", program, "-ldl", "-lpthread"]) and \
        compilers.passes(["timeout", "60", program])


def has_threads(compiler, place):
    words = [compiler, "-x", "c", "-fsanitize=thread", "-", "-o", place / "trial"]
    made = subprocess.run(words, input=b"int main(void) { return 0; }", stderr=subprocess.DEVNULL, check=False)
    return made.returncode == 0 and compilers.passes([place / "trial"], stderr=subprocess.DEVNULL)
