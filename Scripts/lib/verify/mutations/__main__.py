"""Breaks the container's rules one at a time and looks whether `galley conformance` names each.

A mutation is a file below Tests/Mutations: what to replace in which source, and the creative that must fail then.
Those of the bridge's scripts are tried at once; those in Swift take a compilation each, and --full.
Exits with 1 when one isn't noticed, and with 2 when one can't be applied any more.
"""

import sys
import tempfile
from pathlib import Path

from lib.common.command import galley_of, make_parser
from lib.verify.mutations import mutations
from lib.verify.mutations.conformance import Conformance
from lib.verify.mutations.worker import MutatedWorker


def parse_options():
    parser = make_parser("mutation-check", __doc__)
    parser.add_argument("--sample", action="store_true", help="only the few that are marked as a sample")
    parser.add_argument("--full", action="store_true",
                        help="those in Swift too, each compiled and linked with this checkout's release")
    parser.add_argument("names", nargs="*", metavar="mutation", help="only these: bridge/getters-share")
    return parser.parse_args()


def main():
    options = parse_options()
    chosen = mutations.choose(mutations.read(options.root), options)
    galley = galley_of(options)
    conformance = Conformance(galley, options.root / "Creatives" / "conformance")
    # A mutation proves nothing where the rule is broken before it.
    broken = conformance.failures(sections={mutation.section for mutation in chosen})
    if broken:
        sys.exit(f"the container is broken without any mutation: {', '.join(sorted(broken))}")
    needs_build = any(mutation.needs_build for mutation in chosen)
    worker = MutatedWorker(options.root, options.build, options.build / "mutation-check") if needs_build else None
    width = max(len(mutation.name) for mutation in chosen)
    missed = 0
    with tempfile.TemporaryDirectory(prefix="galley-mutation-") as scratch:
        for mutation in chosen:
            failures = failures_under(mutation, conformance, worker, options.root, Path(scratch))
            noticed = mutation.creative in failures
            missed += not noticed
            detail = failures[mutation.creative] if noticed else f"{mutation.creative} didn't fail: {mutation.rule}"
            print(f"{mutation.name:{width}}  {'noticed' if noticed else 'MISSED '}  {detail}", flush=True)
    print(f"\n{len(chosen)} mutations, {missed or 'none'} missed")
    return 1 if missed else 0


def failures_under(mutation, conformance, worker, root, scratch):
    if mutation.needs_build:
        return conformance.failures(sections={mutation.section}, worker=worker.build(mutation))
    script = scratch / "bridge.js"
    script.write_text(mutation.bridge(root))
    return conformance.failures(sections={mutation.section}, bridge=script)


if __name__ == "__main__":
    sys.exit(main())
