"""Makes packages of Galley's release: the same programs and Debian packages give the same bytes.

Each call leaves SHA256SUMS and an SBOM beside what it made. The man pages and completions come from the programs, so
these have to run here.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from lib.common.command import make_parser
from lib.package import debian, image, sbom, sums, tarball
from lib.package.prefix import Prefix
from lib.package.programs import Programs
from lib.package.project import Project

KINDS = ("deb", "tarball", "image")
EXAMPLES = """examples:
  Scripts/package all                            builds the release if a source has changed, and makes all three
  Scripts/package deb --out packages             the Debian package alone, into another folder
  Scripts/package tarball --programs build       of programs that are built already
"""


def parse_options():
    parser = make_parser("package", __doc__, epilog=EXAMPLES, runs_galley=False)
    parser.add_argument("what", choices=(*KINDS, "all"), metavar="deb|tarball|image|all",
                        help="what is made; the image has the Debian package inside, which is made with it")
    parser.add_argument("--out", type=Path, help="the folder for the packages (default: .build/packages)")
    parser.add_argument("--programs", type=Path, help="a folder with the release's programs and libraries")
    parser.add_argument("--products", type=str.split, required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = parse_options()
    project = Project(options.root, options.build)
    out = (options.out or options.build / "packages").resolve()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="galley-package-") as scratch:
        scratch = Path(scratch)
        folder = (options.programs or options.build / "release").resolve()
        programs = Programs(folder, options.products, project.version)
        print(f"galley {project.version}, commit {project.commit}", flush=True)
        depends = debian.depends(programs, project, scratch)
        prefix = Prefix(scratch / "tree" / "usr", project, programs, depends)
        print(programs.sizes(prefix.libraries), flush=True)
        made = [sbom.write(out / f"galley-{project.version}.cdx.json", project, depends)]
        if options.what in ("tarball", "all"):
            made.append(tarball.write(out, prefix, project))
        if options.what != "tarball":
            package = debian.write(out, prefix, project, depends)
            made.append(package)
        if options.what in ("image", "all"):
            made += image.write(out, package, project, options.build)
    sums.write(out)
    for path in made:
        print(f"{path.stat().st_size / 1e6:8.1f} MB  {path}")


if __name__ == "__main__":
    sys.exit(main())
