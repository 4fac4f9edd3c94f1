"""The mutations: small files that say what to break and which creative must notice."""

import sys
import tomllib
from dataclasses import dataclass

BRIDGE = "Sources/MRAID/Bridge/bridge.js"
# What other scripts of the bridge's folder become part of, and where.
PLACEHOLDER = "__GALLEY_OTHER__"


@dataclass(frozen=True)
class Mutation:
    # Its file below Tests/Mutations, without the ending.
    name: str
    # The rule that it breaks, in words.
    rule: str
    # The section and the creative that `galley conformance` must name.
    section: int
    creative: str
    # What is replaced by what; `find` has to be there exactly once.
    file: str
    find: str
    replace: str
    sample: bool = False

    @property
    def needs_build(self):
        return self.file.endswith(".swift")

    def applied(self, root):
        """The file's text with the mutation in it."""
        text = (root / self.file).read_text()
        count = text.count(self.find)
        if count != 1:
            refuse(f"{self.name} can't be applied: what it replaces is {count} times in {self.file}")
        return text.replace(self.find, self.replace)

    def bridge(self, root):
        """The whole bridge script with the mutation in it."""
        text = self.applied(root)
        return text if self.file == BRIDGE else (root / BRIDGE).read_text().replace(PLACEHOLDER, text)


def refuse(message):
    print(message, file=sys.stderr)
    sys.exit(2)


def read(root):
    """All of them, each looked at: one that no longer applies or names no creative of the suite is refused."""
    folder = root / "Tests" / "Mutations"
    found = []
    for file in sorted(folder.glob("*/*.toml")):
        name = str(file.relative_to(folder).with_suffix(""))
        try:
            mutation = Mutation(name=name, **tomllib.loads(file.read_text()))
        except (TypeError, tomllib.TOMLDecodeError) as error:
            refuse(f"{name} can't be read: {error}")
        mutation.applied(root)
        if not (root / "Creatives" / "conformance" / f"{mutation.creative}.html").is_file():
            refuse(f"{name} names {mutation.creative}, which isn't in the suite")
        found.append(mutation)
    return found


def choose(every, options):
    """Those that the command line asks for."""
    if options.names:
        unknown = set(options.names) - {mutation.name for mutation in every}
        if unknown:
            refuse(f"there is no mutation {', '.join(sorted(unknown))}")
        return [mutation for mutation in every if mutation.name in options.names]
    if options.sample:
        return [mutation for mutation in every if mutation.sample]
    return [mutation for mutation in every if options.full or not mutation.needs_build]
