"""Makes every report of a folder that `galley check` left, and has each read by programs of its field."""

import pathlib
import subprocess
import sys
import tempfile

from lib.common.command import galley_of, make_parser
from lib.verify.reports import browser, readers
from lib.verify.reports.schemas import Schemas

FORMATS = {'junit': 'report.xml', 'sarif': 'report.sarif', 'ctrf': 'report.ctrf.json', 'har': 'report.har',
           'html': 'report.html'}


def arguments():
    parser = make_parser('verify-reports', __doc__)
    parser.add_argument('folder', nargs='*', type=pathlib.Path,
                        help='what `galley check --out` left; without one, a few creatives are checked for it')
    parser.add_argument('--schemas', type=pathlib.Path,
                        help='a folder with sarif-schema-2.1.0.json, ctrf.schema.json and HAR\'s har.json with its '
                             'parts, instead of fetching them')
    parser.add_argument('--chromedriver', default='/usr/bin/chromedriver')
    parser.add_argument('--pictures', type=pathlib.Path, help='a folder for screenshots of the page')
    return parser.parse_args()


def main():
    options = arguments()
    galley = galley_of(options)
    schemas = Schemas(options.schemas, options.build / 'reports/schemas')
    failures = 0
    with tempfile.TemporaryDirectory(prefix='galley-reports-') as scratch:
        folders = options.folder or [checked(galley, options.root, pathlib.Path(scratch))]
        for number, folder in enumerate(folders):
            files = reports(galley, folder.resolve(), pathlib.Path(scratch) / f'reports-{number}')
            print(folder)
            for name, problems in verdicts(files, folder, schemas, options):
                failures += 1 if problems else 0
                print(f'  {name:<24} {"; ".join(problems) or "accepted"}')
    return 1 if failures else 0


def checked(galley, root, scratch):
    """A folder with findings and pictures, from creatives that are there."""
    creatives = ['mraid/resize', 'mraid/expand-one-part', 'banner/static', 'hostile/auto-redirect', 'hostile/throws']
    folder = scratch / 'checked'
    done = subprocess.run([galley, 'check', *[root / 'Creatives' / name for name in creatives], '--out', folder],
                          stdout=subprocess.DEVNULL)
    if done.returncode not in (0, 1):
        sys.exit(done.returncode)
    return folder


def reports(galley, folder, target):
    """Writes all formats and returns their paths; the paths to pictures in them start from the folder above."""
    files = {name: target / file for name, file in FORMATS.items()}
    given = [word for name, file in files.items() for word in (f'--{name}', file)]
    subprocess.run([galley, 'report', folder, *given], check=True, cwd=folder.parent)
    return files


def verdicts(files, folder, schemas, options):
    report = readers.load(folder / 'report.json')
    yield 'JUnit, junitparser', readers.junit(files['junit'], report, folder.resolve().parent)
    yield 'SARIF, its schema', schemas.sarif(files['sarif'])
    yield 'SARIF, sarif-tools', readers.sarif(files['sarif'], report)
    yield 'CTRF, its schema', schemas.ctrf(files['ctrf'])
    yield 'CTRF, its own numbers', readers.ctrf(files['ctrf'])
    yield 'HAR, its schema', schemas.har(files['har'])
    yield 'HAR, haralyzer', readers.har(files['har'], report)
    yield from browser.verdicts(files['html'], report, options.chromedriver, options.pictures)


sys.exit(main())
