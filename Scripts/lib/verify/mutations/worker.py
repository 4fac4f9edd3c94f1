"""The worker program with a mutation in it: one module is compiled anew, and the program linked with its objects.

Whole builds would take minutes for each mutation. What the compiler and the linker are called with is in the manifest
that SwiftPM leaves in the build folder; the checkout and its build aren't touched.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PROGRAM = "galley-worker"
# What has to stand beside the program.
NEIGHBOURS = ("galley-enclosure", "galley-fork-client", "*.so", "*.resources")


@dataclass(frozen=True)
class Command:
    """A call of the compiler: its words, and the files that go in and come out."""

    words: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    @property
    def is_optimised(self):
        """Whether functions of the module may be compiled into those that import it."""
        return [word for word in self.words if word in ("-O", "-Onone")][-1] == "-O"


class MutatedWorker:
    def __init__(self, root, build, folder):
        self.root, self.folder = root.resolve(), folder
        self.products = (build / "release").resolve()
        manifest = build / "release.yaml"
        if not manifest.is_file():
            sys.exit(f"there is no release in {build} to link mutations in Swift with: run Scripts/galley first")
        self.modules, self.program = read_manifest(manifest.read_text())

    def build(self, mutation):
        """Compiles and links the program with a mutation, and returns its path."""
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "Modules").mkdir(parents=True)
        source = self.root / mutation.file
        changed = self.folder / source.name
        changed.write_text(mutation.applied(self.root))
        name = source.relative_to(self.root / "Sources").parts[0]
        objects = self.compile(name, {str(source): str(changed)})
        if self.modules[name].is_optimised:
            for other in self.importing(name):
                objects |= self.compile(other, {})
        return self.link(objects)

    def importing(self, name):
        """The program's modules that import this one, directly or by others, in the order of their builds."""
        listed = (self.products / f"{PROGRAM}.product/Objects.LinkFileList").read_text()
        found, waiting = [name], [other for other in self.modules if f"/{other}.build/" in listed and other != name]
        while chosen := [other for other in waiting if self.imports(other, found)]:
            found += chosen
            waiting = [other for other in waiting if other not in chosen]
        order: list[str] = []
        while rest := [other for other in found[1:] if other not in order]:
            order += [other for other in rest if not self.imports(other, rest)]
        return order

    def imports(self, module, others):
        """Whether a module imports one of the others."""
        wanted = {f"{other}.swiftmodule" for other in others}
        return any(Path(path).name in wanted for path in self.modules[module].inputs)

    def compile(self, name, changes):
        """Compiles a module, with other sources for some; returns the new object of each old one."""
        command = self.modules[name]
        place = self.folder / f"{name}.build"
        place.mkdir()
        sources = [path for path in command.inputs if path.endswith(".swift")]
        objects = {path: str(place / Path(path).name) for path in command.outputs if path.endswith(".o")}
        by_name = {Path(path).name.removesuffix(".o"): new for path, new in objects.items()}
        (place / "files.json").write_text(json.dumps(
            {changes.get(path, path): {"object": by_name[Path(path).name]} for path in sources}))
        (place / "sources").write_text("".join(f"'{changes.get(path, path)}'\n" for path in sources))
        words = replaced(command.words, {
            "-emit-module-path": str(self.folder / "Modules" / f"{name}.swiftmodule"),
            "-output-file-map": str(place / "files.json"),
            "-emit-objc-header-path": str(place / f"{name}-Swift.h"),
        })
        words = [f"@{place / 'sources'}" if word.startswith("@") else word for word in words]
        # Modules that were compiled anew come before the build's own.
        self.run([words[0], "-I", str(self.folder / "Modules"), *words[1:]])
        return objects

    def link(self, objects):
        """Links the program with these objects in the place of the build's own."""
        listed = (self.products / f"{PROGRAM}.product/Objects.LinkFileList").read_text().splitlines()
        paths = [line.strip("'\"") for line in listed if line]
        (self.folder / "objects").write_text("".join(f"'{objects.get(path, path)}'\n" for path in paths))
        program = self.folder / PROGRAM
        words = replaced(self.program.words, {"-o": str(program)})
        self.run([f"@{self.folder / 'objects'}" if word.startswith("@") else word for word in words])
        for pattern in NEIGHBOURS:
            for path in self.products.glob(pattern):
                os.symlink(path, self.folder / path.name)
        return program

    def run(self, words):
        # The compiler leaves some files where it is called.
        done = subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            print(done.stdout[-2000:], done.stderr[-2000:], file=sys.stderr)
            sys.exit("the mutated sources don't build")


def read_manifest(text):
    """The compilers' calls by module, and the linker's call for the program."""
    modules: dict[str, Command] = {}
    program = None
    command_pattern = r'^  "C\.([^"]*?)-x86_64[^"]*\.(module|exe)":\n((?:    .*\n)*)'
    for name, kind, body in re.findall(command_pattern, text, re.MULTILINE):
        fields = dict(re.findall(r"^    (inputs|outputs|args): (.*)$", body, re.MULTILINE))
        if "args" not in fields:
            continue
        command = Command(*(tuple(json.loads(fields[key])) for key in ("args", "inputs", "outputs")))
        if kind == "module":
            modules[name] = command
        elif name == PROGRAM:
            program = command
    return modules, program


def replaced(words, values):
    """The words, with other values after some of them."""
    return [values.get(before, word) for before, word in zip(("", *words), words, strict=False)]

