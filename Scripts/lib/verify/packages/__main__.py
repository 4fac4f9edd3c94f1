"""Installs each package in a fresh Debian system, uses it there as its reader would, and prints what it took.

Takes what `Scripts/package all` left. Inside the systems there is no network, so what is fetched is fetched before,
and what is installed is complete. Needs root.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from lib.common.command import make_parser
from lib.verify.packages import actioned, container, installed, unpacked
from lib.verify.packages.report import Report
from lib.verify.packages.system import System

TRIALS = {"deb": installed.tried, "tarball": unpacked.tried, "action": actioned.tried, "image": container.tried}
EXAMPLES = """examples:
  Scripts/verify-packages                        all of .build/packages
  Scripts/verify-packages --packages out deb     the Debian package of another folder alone
  Scripts/verify-packages --keep pictures        leaves the pictures that each package made
"""


def parse_options():
    parser = make_parser("verify-packages", __doc__, epilog=EXAMPLES, runs_galley=False)
    parser.add_argument("what", nargs="*", choices=(*TRIALS, []), metavar="deb|tarball|action|image",
                        help="default: all; the action is GitHub's, which installs the Debian package")
    parser.add_argument("--packages", type=Path, help="the folder of packages (default: .build/packages)")
    parser.add_argument("--section", help="only this section of the conformance suite")
    parser.add_argument("--keep", type=Path, help="a folder for pictures")
    return parser.parse_args()


def main():
    options = parse_options()
    packages = (options.packages or options.build / "packages").resolve()
    if not (packages / "SHA256SUMS").is_file():
        sys.exit(f"there are no packages in {packages}: Scripts/package all makes them")
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=packages, check=True)
    report = Report(options.keep)
    with tempfile.TemporaryDirectory(prefix="verify-packages-", dir=options.build) as scratch:
        scratch = Path(scratch)
        wanted = options.what or list(TRIALS)
        # A tarball needs the same Debian packages, so it is tried where these are, Galley itself removed.
        system = None
        if {"deb", "tarball", "action"} & set(wanted):
            system = System(scratch / "system", packages, options.build, report)
        for name in TRIALS:
            if name in wanted:
                print(f"{name}:", flush=True)
                TRIALS[name](packages, scratch, system, report, options)
        if system:
            shutil.rmtree(system.root)
    return report.close()


if __name__ == "__main__":
    sys.exit(main())
