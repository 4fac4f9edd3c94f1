"""The pure part of the fake clocks' suites: synchronous calls of a clock become calls that are waited for."""

import sys
import textwrap
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Scripts"))

from lib.verify.external.readers import awaited  # noqa: E402


class AwaitedTests(unittest.TestCase):
    def check(self, before, after):
        self.assertEqual(awaited.script(textwrap.dedent(before)), textwrap.dedent(after))

    def test_a_call_is_waited_for_and_its_function_waits(self):
        self.check("""\
            it("fires", function() {
              this.clock.tick(10);
              const value = clock2.next();
            });
            """, """\
            it("fires", async function() {
              await this.clock.tick(10);
              const value = await clock2.next();
            });
            """)

    def test_blocks_in_between_are_none_of_a_function(self):
        self.check("""\
            const run = () => {
              for (const one of all) {
                if (one) {
                  clock.runAll();
                }
              }
            };
            """, """\
            const run = async () => {
              for (const one of all) {
                if (one) {
                  await clock.runAll();
                }
              }
            };
            """)

    def test_what_calls_such_a_function_at_once_waits_too(self):
        self.check("""\
            it("throws", function() {
              assert.exception(function() {
                clock.tick(1);
              });
              refute.exception(
                () => {
                  test.clock.runToLast();
                },
                { message: "no" }
              );
            });
            """, """\
            it("throws", async function() {
              await assert.exception(async function() {
                await clock.tick(1);
              });
              await refute.exception(
                async () => {
                  await test.clock.runToLast();
                },
                { message: "no" }
              );
            });
            """)

    def test_a_function_in_a_title_is_none(self):
        self.check("""\
            it("works in setTimeout(() => tick()) and async", function() {
              this.clock.tick(1);
            });
            """, """\
            it("works in setTimeout(() => tick()) and async", async function() {
              await this.clock.tick(1);
            });
            """)

    def test_what_waits_already_or_is_no_clock_stays(self):
        text = """\
            it("waits", async function() {
              await clock.next();
              iterable.next();
              return this.clock.tickAsync(1).then(function() {
                assert.equals(clock.now, 1);
              });
            });
            """
        self.check(text, text)


if __name__ == "__main__":
    unittest.main()
