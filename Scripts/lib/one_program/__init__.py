"""Links programs of the release into one file with several names.

They have most in common: Swift's runtime, Foundation, Galley's own rooms. The first program is the file, and each other
name is a link to it. What others take of libraries besides is lent to them when they begin; roles.c says how.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROLES = Path(__file__).with_name("roles.c")
# These answer calls of the engine's in the C library's place, which is no other program's business.
HOST_ROOMS = ("CClock", "CForkServer")
# What Foundation is made of. Modules that were compiled for Swift's shared libraries don't ask for it.
FOUNDATION = ("CoreFoundation", "_FoundationICU", "_FoundationCShims", "_FoundationCollections", "_CFXMLInterface",
              "xml2")
HOST_LIBRARY = "libGalleyHost.so"


class OneProgram:
    """Programs of the folder that SwiftPM linked them in, as one file."""

    def __init__(self, products, names, linker_words, scratch):
        self.products, self.names, self.linker_words, self.scratch = products, names, linker_words, scratch
        self.compiler = toolchain() / "clang"
        needed = {name: libraries(products / name) for name in names}
        self.common = needed[names[0]]
        self.lent = {name: [library for library in needed[name] if library not in self.common] for name in names}
        self.paths = {library: path for found in needed.values() for library, path in found.items()}
        # Each once, in the order of the programs.
        objects = dict.fromkeys(path for name in names for path in self.objects_of(name))
        self.hosts = [path for path in objects if path.parent.name.removesuffix(".build") in HOST_ROOMS]
        self.objects = [path for path in objects if path not in self.hosts]

    def objects_of(self, name):
        listed = (self.products / f"{name}.product/Objects.LinkFileList").read_text().splitlines()
        return [Path(line.strip("'\"")) for line in listed if line]

    def write(self, out):
        """Leaves the program, the links to it and the library that is lent to the worker."""
        host = self.link_host(out) if self.hosts else None
        weak = set().union(*(symbols(self.paths[library]) for lent in self.lent.values() for library in lent))
        if host:
            weak |= symbols(host)
            for name in self.names:
                if any(path in self.hosts for path in self.objects_of(name)):
                    self.lent[name].insert(0, HOST_LIBRARY)
        weak -= set().union(*map(symbols, self.common.values()))
        program = out / self.names[0]
        self.link(program, [self.roles(), *self.settled_objects(weak)])
        if lost := set(libraries(program)) & set().union(*self.lent.values()):
            sys.exit(f"{program} would load what only some programs take: {', '.join(sorted(lost))}")
        for name in self.names[1:]:
            (out / name).unlink(missing_ok=True)
            (out / name).symlink_to(program.name)

    def link_host(self, out):
        """The rooms of HOST_ROOMS as a library."""
        library = out / HOST_LIBRARY
        taken = [path for lent in self.lent.values() for path in map(self.paths.get, lent)]
        run(self.compiler, "-shared", "-fuse-ld=lld", "-o", library, f"-Wl,-soname,{library.name},--as-needed",
            *self.hosts, *taken)
        return library

    def roles(self):
        """The beginning of the program, compiled."""
        arrays, rows, mains = [], [], []
        for name in self.names:
            main = f"{name.replace('-', '_')}_main"
            mains.append(f"int {main}(int, char **);\n")
            listed = "".join(f'"{library}", ' for library in self.lent[name])
            arrays.append(f"static const char *const lent_to_{main}[] = {{{listed}NULL}};\n")
            rows.append(f'  {{"{name}", {main}, lent_to_{main}}},\n')
        most = max(sum(len(library) + 1 for library in lent) for lent in self.lent.values())
        (self.scratch / "roles.h").write_text(
            "".join([*mains, *arrays, f"enum {{ most_lent = {most} }};\n", "static const struct role roles[] = {\n",
                     *rows, "};\n"]))
        made = self.scratch / "roles.o"
        run(self.compiler, "-O2", "-Wall", "-Werror", "-I", self.scratch, "-c", ROLES, "-o", made)
        return made

    def settled_objects(self, weak):
        """The objects; copies of those that refer to what is lent, or that have a name another program has too."""
        named = self.scratch / "weak"
        named.write_text("".join(f"{symbol}\n" for symbol in sorted(weak)))
        lists = self.symbols_by_object()
        for index, path in enumerate(self.objects):
            undefined, defined = lists.get(str(path), (set(), set()))
            # A program's asynchronous main function is called the same in each.
            renamed = [f"--redefine-sym={symbol}={path.parent.name.removesuffix('.build')}_{symbol}"
                       for symbol in sorted(defined) if "async_Main" in symbol]
            if undefined & weak or renamed:
                copy = self.scratch / f"{index}.o"
                run("objcopy", f"--weaken-symbols={named}", *renamed, path, copy)
                path = copy
            yield path

    def symbols_by_object(self):
        """Of each object the names that it refers to, and those that it defines."""
        listed = self.scratch / "objects"
        listed.write_text("".join(f'"{path}"\n' for path in self.objects))
        lists: dict[str, tuple[set[str], set[str]]] = {}
        # Constants that programs share are called by their contents, over several lines.
        for path, kind, symbol in re.findall(r"^(.*\.o):[0-9a-f ]* (\w) (.*)$", run("nm", "-A", f"@{listed}"),
                                             re.MULTILINE):
            lists.setdefault(path, (set(), set()))[kind not in "Uwv"].add(symbol)
        return lists

    def link(self, program, objects):
        listed = self.scratch / "list"
        listed.write_text("".join(f'"{path}"\n' for path in objects))
        # swiftc puts what the objects themselves ask for before every word of the linker's.
        linker = self.scratch / "ld.lld"
        linker.write_text(f'#!/bin/sh\nexec "{self.compiler.with_name("ld.lld")}" --as-needed "$@"\n')
        linker.chmod(0o755)
        words = ["--gc-sections", "-rpath=$ORIGIN", "-z", "pack-relative-relocs", "--no-export-dynamic",
                 *(f"-l{name}" for name in FOUNDATION), *self.common.values(), *self.linker_words]
        run("swiftc", "-emit-executable", "-static-stdlib", "-gnone", "-Xclang-linker", f"--ld-path={linker}", "-o",
            program,
            f"@{listed}", *(part for word in words for part in ("-Xlinker", word)))


def libraries(program):
    """What a program is linked with, and where that is."""
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", program))
    found = dict(re.findall(r"^\s*(\S+) => (/\S+)", run("ldd", program), re.MULTILINE))
    # A build for tests takes Swift's own libraries from the toolchain; here they are inside.
    own = str(toolchain().parent / "lib")
    return {name: found[name] for name in needed
            if not name.startswith("ld-linux") and not found[name].startswith(own)}


def symbols(library):
    """The names that a library defines for others."""
    return {name.partition("@")[0] for name in run("nm", "-D", "-j", "--defined-only", library).split()}


def toolchain():
    """The folder of Swift's own compilers and linker."""
    words = json.loads(run("swift", "-print-target-info"))
    return Path(words["paths"]["runtimeResourcePath"]).parents[1] / "bin"


def run(*words):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{words[0]} failed: {done.stderr.strip()[-2000:]}")
    return done.stdout
