"""The release's programs and libraries, as they were built."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from lib.common import help_examples
from lib.one_program import OneProgram

# The one is linked to nothing, since it begins where there is nothing. The other is begun with each worker, and a small
# program is there sooner.
APART = ("galley-fork-client", "galley-enclosure")


class Programs:
    """The files of the products that the build makes, in one folder."""

    def __init__(self, folder, products, version):
        self.folder = folder
        self.programs = [folder / name for name in products if (folder / name).is_file()]
        self.libraries = [folder / f"lib{name}.so" for name in products if (folder / f"lib{name}.so").is_file()]
        found = {path.name for path in self.files}
        if missing := [name for name in products if not {name, f"lib{name}.so"} & found]:
            sys.exit(f"{folder} has no {', '.join(missing)}")
        said = self.output("galley", "--version").strip()
        if said != version:
            sys.exit(f"{folder}/galley is of version {said}, and the sources are of {version}")

    @property
    def files(self):
        return self.programs + self.libraries

    def output(self, program, *words):
        done = subprocess.run([self.folder / program, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            sys.exit(f"{program} {' '.join(words)}: exit code {done.returncode}: {done.stderr}")
        return done.stdout

    def commands(self):
        """What the programs' own help says, command by command; what answers browsers is another program's to say."""
        whole = json.loads(self.output("galley", "--experimental-dump-help"))["command"]
        whole["subcommands"] = [
            json.loads(self.output("galley-server", command["commandName"], "--experimental-dump-help"))["command"]
            if command["commandName"] in ("serve", "play", "show") else command
            for command in whole["subcommands"]]
        return whole

    def examples(self, name):
        """What a command's help ends with; the name is what follows galley."""
        return help_examples.of(self.folder / "galley", name)

    def strip_into(self, target, linker_words):
        """Copies without symbols, which are most of a program; as one program where its parts are at hand."""
        with tempfile.TemporaryDirectory(prefix="galley-one-program-") as scratch:
            scratch = Path(scratch)
            files = self.files
            if (self.folder / "galley.product").is_dir():
                (scratch / "out").mkdir()
                names = [path.name for path in self.programs if path.name not in APART]
                OneProgram(self.folder, names, linker_words, scratch).write(scratch / "out")
                apart = [path for path in self.programs if path.name in APART]
                files = [*apart, *self.libraries, *sorted((scratch / "out").iterdir())]
            for file in files:
                self.strip(file, target / file.name)

    @staticmethod
    def strip(file, target):
        if file.is_symlink():
            target.symlink_to(file.readlink())
            return
        kind = "--strip-unneeded" if file.suffix == ".so" else "--strip-all"
        subprocess.run(["strip", kind, "--remove-section=.comment", "-o", target, file], check=True)
        target.chmod(0o755)

    @staticmethod
    def sizes(folder):
        """The programs and libraries of a folder by size, in words."""
        files = sorted((path for path in folder.iterdir() if path.is_file() and not path.is_symlink()),
                       key=lambda path: -path.stat().st_size)
        whole = sum(path.stat().st_size for path in files)
        parts = ", ".join(f"{path.name} {path.stat().st_size / 1e6:.1f}" for path in files)
        return f"programs {whole / 1e6:.1f} MB: {parts}"
