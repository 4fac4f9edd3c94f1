"""Playwright's pictures that are the same, or not, to its own comparison."""

import subprocess

# Pictures are the same that are so in both looks: no pixel differs plainly, and no area faintly.
LOOKS = [[], ["--threshold", "0.02", "--window", "8", "--max-density", "8"]]


def run(score, sources, galley, work):
    folder = sources["playwright"].files("tests/image_tools") / "tests/image_tools/fixtures"
    for actual in sorted(folder.rglob("*-actual.png")):
        expected = actual.with_name(actual.name.replace("-actual", "-expected"))
        name = str(actual.relative_to(folder)).removesuffix("-actual.png")
        codes = [subprocess.run([str(galley), "diff", str(expected), str(actual), "--quiet", *options],
                                capture_output=True).returncode for options in LOOKS]
        wanted = max(codes) == 0 if "should-match" in actual.parts else max(codes) == 1
        score.judge(name, wanted, f"galley diff ended with {codes}")
