"""Fresh systems of Debian's, made by mmdebstrap."""

import os
import shlex
import subprocess
import sys

SUITE = "bookworm"


def make(target, build, hooks=(), last=(), excludes=(), cached=False):
    """Makes a folder or, of a name that ends so, a .tar. Packages that were fetched once are kept in the build folder.

    Hooks are mmdebstrap's: the system's folder is $1. The last ones come when packages were kept outside. With `cached`
    they stay inside as well, so that apt installs there without a network.
    """
    if os.geteuid() != 0:
        sys.exit("a Debian system is made by root: sudo")
    cache = build / "debian-packages"
    cache.mkdir(parents=True, exist_ok=True)
    kept = shlex.quote(str(cache))
    words = ["mmdebstrap", "--quiet", "--variant=apt", "--skip=download/empty", "--skip=essential/unlink",
             '--setup-hook=mkdir --parents "$1"/var/cache/apt/archives/partial',
             f"--setup-hook=sync-in {kept} /var/cache/apt/archives"]
    words += [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in excludes]
    words += [f"--customize-hook={hook}" for hook in hooks]
    words.append(f"--customize-hook=sync-out /var/cache/apt/archives {kept}")
    words.append("--skip=cleanup/apt" if cached else '--customize-hook=chroot "$1" apt-get clean')
    words += [f"--customize-hook={hook}" for hook in last]
    subprocess.run([*words, SUITE, target], check=True)
    for leftover in ("lock", "partial"):
        subprocess.run(["rm", "--recursive", "--force", cache / leftover], check=True)
