"""Puts public MRAID test ads through our scenarios for them and prints what came of each.

The ads are read from checkouts of yours: InteractiveAdvertisingBureau/MRAID-3.0-Compliance-Ads and mraid/webtester.
They are rendered from a copy in which addresses of hosts that are gone lead to the files of the checkout, and in
which a row marked "repaired" has a defect of the ad's own mended. Exits with 1 when a scenario doesn't hold.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from lib.common.command import make_parser
from lib.verify.public_creatives import copies
from lib.verify.public_creatives.cases import CASES


def parse_options():
    parser = make_parser("verify-public-creatives", __doc__)
    parser.add_argument("--iab", type=folder, metavar="PATH", help="a checkout of MRAID-3.0-Compliance-Ads")
    parser.add_argument("--webtester", type=folder, metavar="PATH", help="a checkout of mraid/webtester")
    parser.add_argument("--out", type=Path, metavar="PATH", help="keep pictures and logs here")
    options = parser.parse_args()
    if not options.iab and not options.webtester:
        parser.error("name at least one checkout, with --iab or --webtester")
    return options


def folder(text):
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text} is no folder")
    return path.resolve()


def render(galley, case, creative, scenario, out):
    """The outcome and, when it isn't `completed`, why."""
    command = [galley, "render", creative, "--scenario", scenario, "--out", out, "--json", *case.options]
    program = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    results = list(out.glob("**/result.json"))
    if len(results) != 1:
        return "failed", program.stderr.strip() or f"galley ended with {program.returncode}"
    result = json.loads(results[0].read_text())
    return result["outcome"], result.get("message", "")


def main():
    options = parse_options()
    galley = options.galley or options.root / "Scripts/galley"
    scenarios = options.root / "Tests/Scenarios"
    failures = 0
    with tempfile.TemporaryDirectory(prefix="galley-public-") as scratch:
        out = (options.out or Path(scratch) / "out").resolve()
        sources = {"iab": options.iab, "webtester": options.webtester}
        made = copies.make({name: path for name, path in sources.items() if path}, Path(scratch))
        cases = [case for case in CASES if case.suite in made]
        width = max(len(case.name) for case in cases)
        for case in cases:
            outcome, message = render(
                galley, case, made[case.suite] / case.creative, scenarios / f"{case.name}.yaml", out / case.name
            )
            passed = outcome == "completed"
            failures += not passed
            word, remark = ("pass", case.remark) if passed else ("FAIL", message)
            print(f"{case.name:{width}}  {word}  {remark}", flush=True)
    print(f"\n{len(cases)} scenarios, {failures or 'none'} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
