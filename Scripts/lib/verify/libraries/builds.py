"""Brings published builds together: from a folder of the user's, else from packages of Debian's and PyPI's."""

import functools
import subprocess
import sys
import zipfile


class Builds:
    def __init__(self, own, scratch):
        self.own = own
        self.scratch = scratch
        # One that has been fetched, or wasn't to be had, is asked for once.
        self.debian = functools.cache(self._debian)
        self.pypi = functools.cache(self._pypi)

    def path(self, build):
        """Where the file is; nothing when no package has it and the user's folder hasn't either."""
        found = next(iter(sorted(self.own.rglob(build.file))), None) if self.own else None
        if not found and (build.debian or build.pypi):
            folder = self.debian(build.debian) if build.debian else self.pypi(build.pypi)
            found = next(iter(sorted(folder.rglob(build.carried or build.file))), None) if folder else None
        return found

    def _debian(self, package):
        folder = self.scratch / "debian" / package
        folder.mkdir(parents=True)
        # apt's own user, which it becomes where it may, has no right to this folder; that it says so is no fault.
        if not succeeds(["apt-get", "download", package], folder):
            return None
        for archive in folder.glob("*.deb"):
            subprocess.run(["dpkg", "-x", archive, folder], check=True)
        return folder

    def _pypi(self, package):
        folder = self.scratch / "pypi" / package
        folder.mkdir(parents=True)
        if not succeeds([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", package], folder):
            return None
        for archive in folder.glob("*.whl"):
            zipfile.ZipFile(archive).extractall(folder)
        return folder


def succeeds(command, folder):
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if found.returncode:
        print(f"{' '.join(command)}: {found.stderr.strip()}", file=sys.stderr)
    return found.returncode == 0
