"""A fresh Debian system in a folder, and commands in it."""

import subprocess
import sys
from pathlib import Path

from lib.common import debian_system

ENTER = Path(__file__).with_name("enter.py")
USER = 1000


class System:
    """Made with the packages that Galley needs fetched, and nothing of them installed."""

    def __init__(self, root, packages, build, report):
        self.root, self.report = root, report
        self.package = next(packages.glob("galley_*.deb"), None)
        if not self.package:
            sys.exit(f"there is no galley_*.deb in {packages}")
        inside = f"/root/{self.package.name}"
        report.timed("a bare system made, and what Galley needs fetched", debian_system.make, root, build, hooks=[
            f"copy-in {self.package} /root",
            f'chroot "$1" apt-get install --quiet=2 --yes --download-only --no-install-recommends {inside} >/dev/null',
            f'chroot "$1" useradd --uid {USER} --create-home reader',
        ], cached=True)
        report.say(f"{self.count()} packages in it")

    def count(self):
        """How many Debian packages are installed."""
        return (self.root / "var/lib/dpkg/status").read_text().count("\nStatus: install ok installed\n")

    def run(self, *command, user=None, environment=None, allow=(0,), **options):
        """Runs it without a network; a user's home is in the environment, and nothing of this machine's is."""
        done = subprocess.run(self.words(*command, user=user, environment=environment), capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=900, **options)
        if done.returncode not in allow:
            self.report.fail(f"{' '.join(map(str, command))[:300]}: exit code {done.returncode}\n"
                             f"{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done

    def words(self, *command, user=None, environment=None):
        words = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--net", "--ipc",
                 sys.executable, ENTER, self.root, "env", "-i",
                 "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                 "DEBIAN_FRONTEND=noninteractive"]
        if user:
            words += [f"HOME={self.home(user)}", f"USER={user}"]
        words += [f"{name}={value}" for name, value in (environment or {}).items()]
        if user:
            words += ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups"]
        return [*words, *command]

    def home(self, user):
        accounts = (line.split(":") for line in (self.root / "etc/passwd").read_text().splitlines())
        return next(account[5] for account in accounts if account[0] == user)
