"""The tree that every package has: what goes below /usr, or below a folder of one's own."""

import gzip
import os
import shutil
from pathlib import Path

from lib.package import manual

FILES = Path(__file__).parent / "files"
# The page first shown to who has just installed Galley, and one with states.
EXAMPLES = ("banner/static", "mraid/expand-one-part")


class Prefix:
    """Programs with what they need beside them, what shells and `man` look for, and the papers."""

    def __init__(self, folder, project, programs, depends):
        self.folder, self.project = folder, project
        self.libraries = folder / "lib/galley"
        self.papers = folder / "share/doc/galley"
        self.libraries.mkdir(parents=True)
        self.papers.mkdir(parents=True)
        programs.strip_into(self.libraries, project.linker_words)
        # Programs look for each other beside the real file.
        (folder / "bin").mkdir()
        (folder / "bin/galley").symlink_to("../lib/galley/galley")
        # The command looks for the suite above itself.
        self.copy(project.root / "Creatives/conformance", self.libraries / "Creatives/conformance")
        self.copy(FILES / "galley.service", folder / "lib/systemd/system/galley.service")
        self.add_shells(programs)
        for name, page in manual.pages(programs.commands(), project, programs.examples):
            self.zipped(page, folder / f"share/man/man1/{name}.1.gz")
        self.add_papers(depends)
        self.settle(folder)

    def add_shells(self, programs):
        share = self.folder / "share"
        for shell, place in (("bash", "bash-completion/completions/galley"), ("zsh", "zsh/vendor-completions/_galley"),
                             ("fish", "fish/vendor_completions.d/galley.fish")):
            (share / place).parent.mkdir(parents=True)
            script = programs.output("galley", "--generate-completion-script", shell)
            # It is read by a shell and not run.
            (share / place).write_text(script.removeprefix("#!/bin/bash\n"))

    def add_papers(self, depends):
        root = self.project.root
        for example in EXAMPLES:
            self.copy(root / "Creatives" / example, self.papers / "examples" / example.split("/")[1])
        self.copy(root / "docs/how-to/install.md", self.papers / "install.md")
        self.copy(root / "LICENSE", self.papers / "LICENSE")
        # What to install beside a tarball: a package a line, the first of alternatives.
        names = [name.split("|")[0].split("(")[0].strip() for name in depends]
        (self.papers / "depends.txt").write_text("".join(f"{name}\n" for name in names))
        self.zipped((root / "CHANGELOG.md").read_text(), self.papers / "changelog.gz")
        for name, files in self.project.licence_files():
            for file in files:
                self.copy(file, self.papers / "licences" / name / file.name)

    @staticmethod
    def copy(source, target):
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copyfile(source, target)

    @staticmethod
    def zipped(text, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))

    def settle(self, folder):
        """Gives everything the same rights and time, whoever made it and when."""
        for path in sorted(folder.rglob("*"), reverse=True):
            if not path.is_symlink():
                runs = path.is_dir() or path.parent == self.libraries
                path.chmod(0o755 if runs else 0o644)
            os.utime(path, (self.project.epoch,) * 2, follow_symlinks=False)
        folder.chmod(0o755)
        os.utime(folder, (self.project.epoch,) * 2)
