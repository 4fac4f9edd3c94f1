"""Puts Galley through test suites that others wrote, and keeps the score.

Without names all suites run. Each is fetched with git into the build folder, or taken from a folder of yours: a
checkout, a bare repository, or just its files. Nothing of them is kept in this repository. The score is, in
Scripts/lib/verify/external/figures.json, and in explained.json the reason for each case that goes wrong.

Exits with 1 when a case goes wrong that isn't explained, or that was right when the figures were written.
"""

import datetime
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from lib.common.command import galley_of, make_parser
from lib.verify.external import explained
from lib.verify.external.score import Score
from lib.verify.external.sources import Source
from lib.verify.external.suites import SUITES

# Problems that are printed of a suite.
MOST = 20
FIGURES = Path(__file__).resolve().parent / "figures.json"


def parse_options():
    names = ", ".join(suite.name for suite in SUITES)
    parser = make_parser("verify-external", __doc__, epilog=f"suites: {names}")
    parser.add_argument("names", nargs="*", metavar="SUITE",
                        help="default: all, or those that --suite names; chromium stands for all that begin so")
    parser.add_argument("--suite", action="append", default=[], metavar="SOURCE=FOLDER",
                        help="take this repository from a folder; may be given often")
    parser.add_argument("--update", action="store_true", help="write the figures, and the table of the documentation")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every case there")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep what was rendered")
    parser.add_argument("--list", action="store_true", help="list the suites and what each is read from")
    options = parser.parse_args()
    # The beginning of names stands for all of them: chromium.
    options.names = [suite.name for suite in SUITES for name in options.names if suite.name == name
                     or suite.name.startswith(f"{name}-")] + [name for name in options.names if not known_name(name)]
    if unknown := set(options.names) - {suite.name for suite in SUITES}:
        parser.error(f"no suite is called {', '.join(sorted(unknown))}; there are {names}")
    options.folders = {}
    for text in options.suite:
        name, equals, folder = text.partition("=")
        if not equals or not Path(folder).is_dir():
            parser.error(f"--suite {text}: write SOURCE=FOLDER, with a folder that is there")
        options.folders[name] = Path(folder).resolve()
    known = {source for suite in SUITES for source in suite.sources}
    if unknown := set(options.folders) - known:
        parser.error(f"no source is called {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    return options


def known_name(name):
    return any(suite.name == name or suite.name.startswith(f"{name}-") for suite in SUITES)


def chosen(options):
    if options.names:
        return [suite for suite in SUITES if suite.name in options.names]
    if options.folders:
        return [suite for suite in SUITES if suite.sources and set(suite.sources) <= set(options.folders)]
    return SUITES


def main():
    options = parse_options()
    if options.list:
        for suite in SUITES:
            print(f"{suite.name:16} {suite.title}: {', '.join(suite.sources)}")
        return 0
    galley = galley_of(options)
    figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    is_red, cases = False, {}
    with tempfile.TemporaryDirectory(prefix="galley-external-") as scratch:
        for suite in chosen(options):
            work = (options.keep or Path(scratch)).resolve() / suite.name
            work.mkdir(parents=True, exist_ok=True)
            try:
                sources = {name: Source.of(name, options.folders.get(name), options.build, Path(scratch))
                           for name in suite.sources}
            except subprocess.CalledProcessError as error:
                print(f"{suite.name:16} can't be fetched: {error}")
                is_red = True
                continue
            score = Score(suite.name)
            suite.run(score, sources, galley, work)
            versions = " ".join(filter(None, [suite.version(), *(source.version for source in sources.values())]))
            problems = explained.problems(score, figures.get(suite.name), versions)
            is_red = is_red or bool(problems)
            print(f"{suite.name:16} {score.line}")
            for problem in problems[:MOST]:
                print(f"{'':16} {problem[:300]}")
            if len(problems) > MOST:
                print(f"{'':16} and {len(problems) - MOST} more: --json has all")
            cases[suite.name] = [vars(case) for case in score.cases]
            if options.update:
                figures[suite.name] = score.figures(versions, datetime.date.today().isoformat())
    if options.json:
        options.json.write_text(json.dumps(cases, indent=1) + "\n")
    if options.update:
        FIGURES.write_text(json.dumps(figures, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
        from lib.verify.external import table
        table.write(options.root / "docs/explanation/proof.md", SUITES, figures)
    return 1 if is_red else 0


if __name__ == "__main__":
    sys.exit(main())
