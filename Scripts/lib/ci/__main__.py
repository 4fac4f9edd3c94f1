"""Runs the commands of the ready CI files on this machine, job by job, and looks at what they leave.

GitHub's file goes by the action, whose steps are carried out as a runner does; GitLab's checks in three shares that are
joined: both must come to the same. Containers and what the systems do themselves aren't there: docker and uploads are
stood in for.
"""

import pathlib
import subprocess
import sys
import tempfile

from lib.ci import action, others, results
from lib.ci.workspace import Workspace
from lib.common.command import galley_of, make_parser

# Each file, and the schema of check-jsonschema that it is valid by; Jenkins publishes none.
READY = 'Sources/Application/Starting/CI'
FILES = {
    f'{READY}/github-actions.yml': 'vendor.github-workflows', 'action.yml': 'vendor.github-actions',
    f'{READY}/gitlab-ci.yml': 'vendor.gitlab-ci', f'{READY}/azure-pipelines.yml': 'vendor.azure-pipelines',
    f'{READY}/circleci.yml': 'vendor.circle-ci'}
EXAMPLES = """examples:
  Scripts/ci-example                             all files, over Creatives
  Scripts/ci-example creatives --keep jobs       other creatives; what the jobs leave stays
"""


def arguments():
    parser = make_parser('ci-example', __doc__, epilog=EXAMPLES)
    parser.add_argument('creatives', nargs='?', type=pathlib.Path, help='the folder to check (default: Creatives)')
    parser.add_argument('--keep', type=pathlib.Path, help='a folder for what the jobs leave')
    return parser.parse_args()


def main():
    options = arguments()
    galley = galley_of(options)
    creatives = (options.creatives or options.root / 'Creatives').resolve()
    ready = options.root / READY
    problems = [problem for file, schema in FILES.items() for problem in valid(options.root / file, schema)]
    with tempfile.TemporaryDirectory(prefix='galley-ci-') as scratch:
        scratch = options.keep.resolve() if options.keep else pathlib.Path(scratch)
        whole = Workspace(scratch / 'github', galley, creatives)
        problems += action.workflow(ready / 'github-actions.yml', options.root, whole)
        parts = Workspace(scratch / 'gitlab', galley, creatives)
        problems += others.gitlab(ready / 'gitlab-ci.yml', options.root, parts)
        problems += results.look(whole.folder / 'proofs', ['junit.xml', 'galley.sarif', 'report.html'])
        problems += results.look(parts.folder / 'proofs', ['junit.xml', 'report.html'])
        problems += results.differences(whole.folder / 'proofs', parts.folder / 'proofs')
        problems += rejoined(parts.folder, galley)
        for name in results.unsteady(whole.folder / 'proofs', parts.folder / 'proofs'):
            print(f'judged otherwise the second time: {name}')
        # The same commands again need no more than a few creatives.
        few = options.root / 'Creatives/banner'
        for name, carried_out in (('Jenkinsfile', others.jenkins), ('azure-pipelines.yml', others.azure),
                                  ('circleci.yml', others.circle)):
            place = Workspace(scratch / name.split('.')[0], galley, few)
            problems += carried_out(ready / name, options.root, place)
        problems += action.refusals(options.root, scratch / 'refusals', galley)
    for problem in problems:
        print(f'wrong: {problem}')
    print('the ready files work' if not problems else f'{len(problems)} problems')
    return 1 if problems else 0


def valid(file, schema):
    """What the CI system's own schema says against a file."""
    program = pathlib.Path(sys.executable).parent / 'check-jsonschema'
    # Azure's schema has patterns in JavaScript's older form.
    done = subprocess.run([program, '--regex-variant', 'nonunicode', '--builtin-schema', schema, file],
                          capture_output=True, text=True)
    return [f'{file.name}: {done.stdout}{done.stderr[-500:]}'] if done.returncode else []


def rejoined(folder, galley):
    """The parts in another order come to the same bytes."""
    parts = sorted(map(str, folder.glob('proofs-*')), reverse=True)
    subprocess.run([galley, 'merge-reports', *parts, '--out', folder / 'again'], stdout=subprocess.DEVNULL)
    same = (folder / 'again/report.json').read_bytes() == (folder / 'proofs/report.json').read_bytes()
    return [] if same else ['joining in another order comes to something else']


sys.exit(main())
