"""The tarball: unpacked by a user who may install nothing, where Debian's packages are."""

import sys
import tarfile

from lib.verify.packages.installed import told


def tried(packages, scratch, system, report, options):
    archive = next(packages.glob("galley-*.tar.xz"), None)
    if not archive:
        sys.exit(f"there is no tarball in {packages}")
    report.size("tarball", archive.stat().st_size)
    (system.root / "root" / archive.name).write_bytes(archive.read_bytes())
    report.timed("apt installs what its depends.txt names", depend, system, archive)
    report.timed("unpacked", unpack, system, archive)
    folder = f"/home/reader/{archive.name.removesuffix('.tar.xz')}"
    report.timed("galley render of a banner", system.run, f"{folder}/bin/galley", "render",
                 f"{folder}/share/doc/galley/examples/static", "--out", "/home/reader/unpacked", user="reader")
    proofs = system.root / "home/reader/unpacked/static"
    report.picture(proofs / "screenshots/001-default.png", "tarball")
    told(proofs / "result.json", report)


def depend(system, archive):
    with tarfile.open(archive) as opened:
        member = next(name for name in opened.getnames() if name.endswith("/share/doc/galley/depends.txt"))
        file = opened.extractfile(member)
        assert file
        names = file.read().decode().split()
    system.run("apt-get", "install", "--yes", "--no-install-recommends", *names)


def unpack(system, archive):
    with tarfile.open(archive) as opened:
        opened.extractall(system.root / "home/reader", filter="data")
