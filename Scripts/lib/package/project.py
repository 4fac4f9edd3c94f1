"""What is packed: its version, its commit, its day, and what it was built of."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path


class Project:
    """The checkout that the programs were built of."""

    def __init__(self, root, build):
        self.root, self.build = root, build
        # The one place that says the version; the programs print it.
        source = (root / "Sources/Core/Galley.swift").read_text()
        found = re.search(r'static let version = "([0-9][0-9A-Za-z.+~-]*)"', source)
        if not found:
            sys.exit("Sources/Core/Galley.swift doesn't say the version")
        self.version = found[1]
        changed = self.git("status", "--porcelain", "--untracked-files=no")
        self.commit = (self.git("rev-parse", "HEAD") or "unknown") + (" with changes" if changed else "")
        # Seconds since 1970 that stand for every file's time.
        epoch = os.environ.get("SOURCE_DATE_EPOCH") or self.git("log", "-1", "--format=%ct")
        if not epoch.isdigit():
            sys.exit("this is no git checkout: say in SOURCE_DATE_EPOCH which second the packages are of")
        self.epoch = int(epoch)
        os.environ["SOURCE_DATE_EPOCH"] = epoch

    def git(self, *words):
        done = subprocess.run(["git", "-C", self.root, *words], capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else ""

    @property
    def linker_words(self):
        """What the release was linked with besides: smaller tables of the world's languages."""
        words = [sys.executable, self.root / "Scripts/lib/tables.py", self.build]
        return subprocess.run(words, capture_output=True, text=True).stdout.splitlines()

    @property
    def architecture(self):
        """Debian's name of this machine's kind."""
        words = ["dpkg", "--print-architecture"]
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()

    @property
    def swift_packages(self):
        """The Swift packages that the build resolved: identity, version, address and revision of each."""
        resolved = next((path for path in (self.build / "release.resolved", self.root / "Package.resolved")
                         if path.exists()), None)
        if not resolved:
            sys.exit("there is no Package.resolved, so nobody knows what was built: swift package resolve")
        pins = json.loads(resolved.read_text())["pins"]
        return sorted(
            ({"name": pin["identity"], "version": pin["state"].get("version", ""),
              "address": pin["location"].removesuffix(".git"), "revision": pin["state"]["revision"]} for pin in pins),
            key=lambda package: package["name"])

    def licence_files(self):
        """Licences and notices of what is linked into the programs: the name of each, and the files."""
        for package in self.swift_packages:
            folder = self.build / "checkouts" / Path(package["address"]).name
            files = sorted(path for path in folder.glob("*") if re.match(r"(?i)licen[sc]e|notice", path.name))
            if not files:
                sys.exit(f"there is no licence of {package['name']} in {folder}: swift package resolve")
            yield package["name"], files
        swift = subprocess.run(["bash", "-c", "readlink -f $(command -v swift)"], capture_output=True, text=True)
        runtime = Path(swift.stdout.strip()).parent.parent / "share/swift/LICENSE.txt"
        if not runtime.is_file():
            sys.exit(f"there is no licence of Swift's libraries at {runtime}")
        yield "swift", [runtime]

    def run_packages(self):
        """Debian packages that rendering and filming take besides the libraries, with alternatives."""
        lines = (self.root / "Scripts/packages.txt").read_text().splitlines()
        return [" | ".join(line.split()[1].split("|")) for line in lines if line.startswith(("run ", "film "))]
