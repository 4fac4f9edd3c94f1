"""Puts the stepped clock to the test with the real animation libraries that ads use.

Their published builds come from Debian's packages and PyPI's, which aren't installed, or from a folder of yours in
which files are found by name: gsap.min.js, ScrollTrigger.min.js, TweenMax.min.js, easeljs.min.js, tweenjs.min.js,
anime.min.js (3), anime.umd.min.js (4), swiper.min.js and .css (5), swiper-bundle.min.js and .css (11),
velocity.min.js. What is nowhere is named and left out.

Pages of ours move with them in the ways ads do. It is proven for each that
  same    renders at all instants give the same bytes every time, and callbacks at the same instants, with load on the
          machine;
  right   at 1, 2 and 5 s the pictures are those that the machine's own time gives, within one frame of motion, and
          callbacks come when they are due;
  ends    the record says when the ad comes to rest, or that it moves on.
A render by the machine's time is made again, five times at most: a busy machine is late by itself.
"""

import contextlib
import signal
import sys
import tempfile
from pathlib import Path

from lib.common.command import galley_of, make_parser
from lib.common.samples import load
from lib.verify.libraries import creatives, proofs
from lib.verify.libraries.builds import Builds
from lib.verify.libraries.catalogue import LIBRARIES
from lib.verify.libraries.pictures import Picture
from lib.verify.libraries.renders import Galley

TRIES = 5


def parse_options():
    parser = make_parser("verify-libraries", __doc__)
    parser.add_argument("--libraries", type=Path, metavar="DIR", help="local copies of published builds")
    parser.add_argument("--runs", type=int, default=5, help="renders of each that have to be the same (default: 5)")
    parser.add_argument("--at", default="0,1,2,5,15,30", help="their instants (default: 0,1,2,5,15,30)")
    parser.add_argument("--load", type=int, default=2, help="processes that compute beside them (default: 2)")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="a new folder for the creatives and their renders")
    parser.add_argument("names", nargs="*", help=f"default: all of {' '.join(one.name for one in LIBRARIES)}")
    options = parser.parse_args()
    unknown = set(options.names) - {library.name for library in LIBRARIES}
    if unknown:
        parser.error(f"no library here is called {', '.join(sorted(unknown))}")
    return options


def main():
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    options = parse_options()
    with contextlib.ExitStack() as stack:
        folder = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="galley-libraries-")))
        folder.mkdir(parents=True, exist_ok=True)
        trial = Trial(options, folder.resolve())
        trial.gather()
        trial.prove_same()
        trial.prove_right()
        trial.prove_ends()
        sys.exit(trial.report())


class Trial:
    """All libraries that are there, and the sentences in which a proof doesn't hold."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        (folder / "renders").mkdir()
        self.galley = Galley(galley_of(options), folder / "renders")
        self.libraries, self.missing = [], []
        self.faults: dict[str, dict] = {"same": {}, "right": {}, "ends": {}}

    def gather(self):
        """Makes two creatives of each library: as an ad would be, and with a strip that tells its instants."""
        builds = Builds(self.options.libraries, self.folder)
        for library in LIBRARIES:
            if self.options.names and library.name not in self.options.names:
                continue
            files = [builds.path(build) for build in library.builds]
            if None in files:
                self.missing.append(library.name)
                continue
            self.libraries.append(library)
            for kind in ("plain", "told"):
                creatives.make(library, files, self.folder / kind / library.name, kind == "told")

    def creatives(self, kind):
        return [self.folder / kind / library.name for library in self.libraries]

    def add(self, proof, library, faults):
        self.faults[proof].setdefault(library.name, []).extend(faults)

    def prove_same(self):
        with load(self.options.load):
            runs = [self.galley.render(self.creatives("plain"), "--at", self.options.at)
                    for _ in range(self.options.runs)]
        for library in self.libraries:
            own = [run[library.name] for run in runs]
            self.add("same", library, [f"{one.outcome}: {one.message}" for one in own if one.outcome != "completed"])
            self.add("same", library, [text for one in own for text in one.exceptions])
            self.add("same", library, proofs.same(own))
            self.add("right", library, proofs.told(library, own[0].marks))

    def prove_right(self):
        at = ("--at", "1,2,5")
        stepped = self.galley.render(self.creatives("told"), *at)
        for library in self.libraries:
            shown = {at: Picture(picture) for at, picture in stepped[library.name].pictures.items()}
            self.add("right", library, [fault for at, one in shown.items() for fault in proofs.instants(one, at)])
            for _ in range(TRIES):
                real = self.galley.render([self.folder / "told" / library.name], *at, "--clock", "real")
                faults = list(self.compare(library, real[library.name], shown))
                if not faults:
                    break
            self.add("right", library, faults)

    def compare(self, library, real, shown):
        """A render by the machine's time beside one of the same instants by a stepped clock."""
        if real.outcome != "completed":
            yield f"by the machine's time: {real.message}"
            return
        pictures = {at: Picture(picture) for at, picture in real.pictures.items()}
        unread = [at for at, picture in pictures.items()
                  if picture.instant() is None or at not in shown or shown[at].instant() is None]
        if unread:
            yield f"no instant can be read in the pictures at {unread}"
            return
        asked = {at: proofs.around(library, one, at, shown[at].instant()) for at, one in pictures.items()}
        instants = sorted({instant for some in asked.values() for instant in some})
        found = self.galley.render([self.folder / "told" / library.name], "--at", ",".join(map(str, instants)))
        near = {at: Picture(picture) for at, picture in found[library.name].pictures.items()}
        if near.keys() != set(instants):
            yield f"no pictures at {sorted(set(instants) - near.keys())}: {found[library.name].message}"
            return
        for at, one in pictures.items():
            yield from proofs.right(one, *(near[instant] for instant in asked[at]))

    def prove_ends(self):
        found = self.galley.render(self.creatives("plain"), "--measure", "--measure-time", "31", "--clock", "virtual")
        for library in self.libraries:
            self.add("ends", library, proofs.ends(library, found[library.name].motion))

    def report(self):
        """Prints the table and what doesn't hold; the exit code."""
        print(f"{'library':20}{'same':8}{'right':8}{'ends':8}")
        failed = []
        for library in self.libraries:
            own = {proof: sorted(set(faults[library.name])) for proof, faults in self.faults.items()}
            print(f"{library.name:20}" + "".join(f"{'not ok' if faults else 'ok':8}" for faults in own.values()))
            failed += [library.name] if any(own.values()) else []
            for proof, faults in own.items():
                for fault in faults:
                    print(f"    {proof}: {fault}")
        if self.missing:
            print(f"no build of {', '.join(self.missing)}: --libraries names a folder with theirs")
        print(f"{len(self.libraries) - len(failed)} of {len(self.libraries)} libraries gave the same pictures in "
              f"{self.options.runs} renders, with {self.options.load} processes of load, and the right ones"
              + (f"; not {', '.join(failed)}" if failed else ""))
        return 1 if failed or not self.libraries else 0


main()
