"""Repositories that suites are in: fetched, or in a folder of somebody's."""

import dataclasses
import hashlib
import subprocess
import tarfile
from pathlib import Path

REPOSITORIES = {
    "vast": "InteractiveAdvertisingBureau/vast",
    "vast-samples": "InteractiveAdvertisingBureau/VAST_Samples",
    "vast-client-js": "dailymotion/vast-client-js",
    "simid": "InteractiveAdvertisingBureau/SIMID",
    "videojs-ima": "googleads/videojs-ima",
    "prebid-server": "prebid/prebid-server",
    "prebid-mobile-ios": "prebid/prebid-mobile-ios",
    "prebid-mobile-android": "prebid/prebid-mobile-android",
    "playwright": "microsoft/playwright",
    "wpt": "web-platform-tests/wpt",
    # The URL standard's suite, as a reader of addresses keeps it.
    "ada": "ada-url/ada",
    "act-rules": "act-rules/act-rules.github.io",
    "fake-timers": "sinonjs/fake-timers",
    "omid-js-clients": "InteractiveAdvertisingBureau/Open-Measurement-JSClients",
    "anime": "juliangarnier/anime",
    "easeljs": "CreateJS/EaselJS",
    "banners-client": "Hasan-Mahamud-Rana/HTML5-Banners",
    "banners-fy26": "holderalannah/html5banners",
    "banners-gulp": "dark-kitt/HTML5-Banner-Creator",
    "banners-jlaran": "jlaran/html5-banners",
    "banners-lotteries": "shawnnaquin/banner-ads",
    "banners-retail": "firehawkru/html5Banners",
    "banners-wc": "sadathimel/DesignWithDom_HTML5-Banner",
}


@dataclasses.dataclass
class Source:
    """A suite's files, and which version of them."""
    name: str
    folder: Path
    version: str
    scratch: Path

    @staticmethod
    def of(name, folder, build, scratch):
        folder = folder or fetched(name, build)
        git = ["git", "-C", str(folder), "log", "-1", "--format=%h %cs"]
        found = subprocess.run(git, capture_output=True, text=True)
        # A folder within somebody else's repository is none of that.
        top = subprocess.run(["git", "-C", str(folder), "rev-parse", "--show-cdup"], capture_output=True, text=True)
        if found.returncode == 0 and not top.stdout.strip():
            return Source(name, folder, f"{name} {found.stdout.strip()}", scratch)
        return Source(name, folder, f"{name} {digest(folder)}", scratch)

    @property
    def is_bare(self):
        return not (self.folder / ".git").exists() and (self.folder / "HEAD").exists()

    def files(self, *paths):
        """The folder with these paths of it, which exist as files; everything without any."""
        if not self.is_bare:
            return self.folder
        target = self.scratch / "sources" / self.name / hashlib.sha256(repr(paths).encode()).hexdigest()[:8]
        if not target.exists():
            target.mkdir(parents=True)
            words = ["git", "-C", str(self.folder), "archive", "HEAD", *paths]
            with subprocess.Popen(words, stdout=subprocess.PIPE) as git, tarfile.open(
                    fileobj=git.stdout, mode="r|") as archive:
                archive.extractall(target, filter="data")
            if git.returncode:
                raise subprocess.CalledProcessError(git.returncode, words)
        return target


def fetched(name, build):
    """A bare copy of the newest commit, whose contents come when they are wanted."""
    target = build / "external" / f"{name}.git"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        address = f"https://github.com/{REPOSITORIES[name]}.git"
        subprocess.run(["git", "clone", "--quiet", "--bare", "--depth", "1", "--filter=blob:none", address,
                        str(target)], check=True)
    return target


def digest(folder):
    """Of all files, for a folder that no version is known of."""
    sum = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()):
        sum.update(str(path.relative_to(folder)).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return sum.hexdigest()[:10]
