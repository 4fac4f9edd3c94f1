"""One program of several: each is itself by its name, and has what it takes of libraries for itself alone."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "Scripts"))
from lib.one_program import OneProgram, libraries, run, toolchain

# Says what its main function is told apart by, who its parent is, what is preloaded, and its process's name.
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
__attribute__((weak)) int async_Main(void) { return NUMBER; }
int EXTRA(void);
int MAIN(int count, char **words) {
  const char *ahead = getenv("LD_PRELOAD"), *lent = getenv("GALLEY_LENT_AFTER");
  char name[16];
  prctl(PR_GET_NAME, name);
  printf("%d %d %d %s %s %s %s\\n", async_Main(), EXTRA(), getppid() == -7, ahead ? ahead : "-", lent ? lent : "-",
    name, words[count - 1]);
  return count;
}
"""
EXTRA = {
    "galley": "int galley_extra(void) { return 1; }",
    # By a call, and by a function's address, which the loader looks up before the program begins.
    "galley-worker": """
#include <zlib.h>
static uLong (*volatile bound)(uLong) = compressBound;
int galley_worker_extra(void) { return bound(0) > 0 && crc32(0, (const unsigned char *)"a", 1) == 0xE8B7BE43; }
""",
}
PARENT = "int getppid(void) { return -7; }"


class OneProgramTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="one program ")
        cls.products, cls.out = Path(cls.scratch.name) / "products", Path(cls.scratch.name) / "out"
        (cls.products / "CClock.build").mkdir(parents=True)
        cls.out.mkdir()
        host = cls.compiled("CClock.build/parent.c.o", PARENT)
        for number, (name, extra) in enumerate(EXTRA.items(), 1):
            module = name.replace("-", "_")
            (cls.products / f"{module}.build").mkdir()
            main = PROGRAM
            for word, text in (("MAIN", f"{module}_main"), ("EXTRA", f"{module}_extra"), ("NUMBER", str(number))):
                main = main.replace(word, text)
            objects = [cls.compiled(f"{module}.build/main.c.o", main), cls.compiled(f"{module}.build/extra.c.o", extra)]
            more = [] if number == 1 else [host]
            (cls.products / f"{name}.product").mkdir()
            listed = "".join(f"{path}\n" for path in [*objects, *more])
            (cls.products / f"{name}.product/Objects.LinkFileList").write_text(listed)
            run(toolchain() / "clang", "-fuse-ld=lld", f"-Wl,--defsym,main={module}_main", "-o", cls.products / name,
                *objects, *more, "-Wl,--as-needed", "-lz")
        OneProgram(cls.products, list(EXTRA), [], Path(cls.scratch.name)).write(cls.out)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def compiled(cls, name, source):
        path = cls.products / name
        path.with_suffix(".c").write_text(source)
        run(toolchain() / "clang", "-fPIC", "-c", path.with_suffix(".c"), "-o", path)
        return path

    def said(self, name, *words, **variables):
        environment = {key: value for key, value in os.environ.items()
                       if key not in ("LD_PRELOAD", "GALLEY_LENT_AFTER")}
        return subprocess.run([self.out / name, *words], env={**environment, **variables}, capture_output=True,
                              text=True)

    def test_each_is_itself_by_its_name(self):
        self.assertEqual(self.said("galley", "a word").stdout, "1 1 0 - - galley a word\n")
        self.assertEqual(self.said("galley-worker", "a word").stdout, "2 1 1 - - galley-worker a word\n")
        self.assertEqual(self.said("galley-worker", "a", "b").returncode, 3)

    def test_another_name_is_the_first(self):
        (self.out / "proof").symlink_to("galley")
        self.assertEqual(self.said("proof", "x").stdout, "1 1 0 - - proof x\n")

    def test_only_who_takes_a_library_loads_it(self):
        self.assertIn("libz.so.1", libraries(self.products / "galley-worker"))
        self.assertNotIn("libz.so.1", libraries(self.out / "galley"))

    def test_what_was_preloaded_before_stays(self):
        done = self.said("galley-worker", "x", LD_PRELOAD="libm.so.6")
        self.assertEqual(done.stdout, "2 1 1 libm.so.6 - galley-worker x\n")

    def test_a_library_that_is_missing_is_named(self):
        library = self.out / "libGalleyHost.so"
        library.rename(library.with_suffix(".away"))
        try:
            done = self.said("galley-worker")
        finally:
            library.with_suffix(".away").rename(library)
        self.assertEqual(done.returncode, 127)
        self.assertIn("galley-worker: libGalleyHost.so: the library isn't installed, or can't be loaded", done.stderr)


if __name__ == "__main__":
    unittest.main()
