"""Tests that failed: which are run again, how often, and which make the run red."""

import datetime
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / "Scripts/lib/tests/flakes.py"


class FlakeTests(unittest.TestCase):
    def decide(self, failed, known=(), others=1):
        with tempfile.TemporaryDirectory() as folder:
            cases = [f'<testcase classname="A.Tier.{name.split("/")[0]}" name="{name.split("/")[1]}">'
                     f'<failure message="said by {name}"/></testcase>' for name in failed]
            cases += ['<testcase classname="A.B" name="passes()"/>'] * others
            Path(folder, "tests.xml").write_text("<testsuites><testsuite>" + "".join(cases)
                                                 + "</testsuite></testsuites>", encoding="utf-8")
            Path(folder, "known.tsv").write_text("".join("\t".join(entry) + "\n" for entry in known),
                                                 encoding="utf-8")
            return subprocess.run([sys.executable, PROGRAM, f"{folder}/known.tsv", f"{folder}/tests.xml"],
                                  capture_output=True, text=True)

    def test_known_flakes_are_run_again_once(self):
        today = datetime.date.today().isoformat()
        ran = self.decide(["S/a()"], [("S/a()", today, "a reason")])
        self.assertEqual((ran.returncode, ran.stdout), (0, "1 S/a\\(\\)\n"))

    def test_others_are_run_again_three_times_if_they_are_few(self):
        for failed in (["S/a()"], ["S/a()", "T/b(x:)"]):
            ran = self.decide(failed)
            self.assertEqual(ran.returncode, 0)
            self.assertTrue(ran.stdout.startswith("3 "), ran.stdout)
        self.assertIn("T/b(x:): said by T/b(x:)", ran.stderr)
        self.assertEqual(self.decide(["S/a()", "S/b()", "S/c()"]).returncode, 1)

    def test_an_entry_ends_after_sixty_days(self):
        old = (datetime.date.today() - datetime.timedelta(61)).isoformat()
        entries = [(f"S/{name}()", old, "a reason") for name in "abc"]
        self.assertEqual(self.decide(["S/a()", "S/b()", "S/c()"], entries).returncode, 1)

    def test_a_run_that_names_no_test_is_red(self):
        self.assertEqual(self.decide([]).returncode, 1)


if __name__ == "__main__":
    unittest.main()
