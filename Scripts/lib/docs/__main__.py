"""Makes docs/reference from what the program prints, holds it fresh, and carries out what the docs tell people to do.

generate   writes docs/reference anew
check      fails when docs/reference is stale, a link leads nowhere, a command in the docs has an unknown option,
           or README.md is too long
tutorials  carries out the commands of docs/tutorials as written, each tutorial in a folder of its own
guides     carries out the commands of README.md and docs/how-to, over creatives that stand for the reader's
pictures   renders docs/images anew: README's pictures, and those of checks
"""

import argparse
import pathlib
import sys

import commandlines
import guides
import links
import pages
import pictures
import program
import readme
import results
import tutorials


def arguments():
    parser = argparse.ArgumentParser(prog='Scripts/docs', description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--galley', type=pathlib.Path, help='another build of galley')
    parser.add_argument('--root', type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument('--build', type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument('action', choices=['generate', 'check', 'tutorials', 'guides', 'pictures'])
    parser.add_argument('names', nargs='*', help='tutorials, guides, or checks and `readme` for pictures; all unless said')
    return parser.parse_args()


def main():
    options = arguments()
    galley = program.Program((options.galley or options.build / 'release/galley').resolve(), options.root)
    if options.action == 'tutorials':
        problems = tutorials.run(options.root, galley, options.names)
    elif options.action == 'guides':
        problems = guides.run(options.root, galley, options.names)
    elif options.action == 'pictures':
        problems = pictures.make(options.root, galley, options.names)
    else:
        problems = results.write(options.root) if options.action == 'generate' else results.compare(options.root)
        made = pages.make(options.root, galley)
        folder = options.root / 'docs/reference'
        problems += pages.write(folder, made) if options.action == 'generate' else pages.compare(folder, made)
        problems += links.broken(options.root)
        problems += commandlines.unknown(options.root, galley)
        problems += readme.faults(options.root)
    for problem in problems:
        print(f'wrong: {problem}', file=sys.stderr)
    return 1 if problems else 0


sys.exit(main())
