"""Generates docs/reference from the program, checks that it is current, and runs the commands in the docs.

generate   writes docs/reference
check      fails if docs/reference is stale, a link is broken, a command in the docs has an unknown option,
           or README.md is too long
tutorials  runs the commands of docs/tutorials as written, each tutorial in its own folder
guides     runs the commands of README.md and docs/how-to with sample creatives
pictures   renders docs/images: the images of README.md and of checks
"""

import sys

from lib.common.command import galley_of, make_parser
from lib.docs import commandlines, guides, links, pages, pictures, program, readme, results, tutorials


def arguments():
    parser = make_parser('docs', __doc__)
    parser.add_argument('action', choices=['generate', 'check', 'tutorials', 'guides', 'pictures'])
    parser.add_argument('names', nargs='*',
                        help='tutorials, guides, or checks and `readme` for pictures (default: all)')
    return parser.parse_args()


def main():
    options = arguments()
    galley = program.Program(galley_of(options), options.root)
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
