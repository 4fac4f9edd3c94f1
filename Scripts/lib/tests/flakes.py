"""Prints a pattern for `swift test --filter` of the tests that failed, when all of them are known flakes.

    flakes.py KNOWN XUNIT...

`KNOWN` has a line for each known flake: the test's suite and name, the day it was entered and the reason, with tabs
between. An entry holds for 60 days: by then the flake is mended, or the test gone. Any other failure ends with code 1
and its name.
"""

import datetime
import re
import sys
import xml.etree.ElementTree as ElementTree

DAYS = 60


def failed(path):
    """The tests that failed, as SUITE/NAME, by an xUnit file; empty for a run that never got to writing one."""
    try:
        cases = ElementTree.parse(path).iter('testcase')
    except (OSError, ElementTree.ParseError):
        return set()
    return {case.get('classname', '').rpartition('.')[2] + '/' + case.get('name', '')
            for case in cases if case.find('failure') is not None}


def known(lines, today):
    """The entries in force."""
    entries = [line.rstrip('\n').split('\t') for line in lines if line.strip() and not line.startswith('#')]
    for entry in entries:
        if len(entry) != 3 or not entry[2].strip():
            raise SystemExit(f'known flakes: {entry} needs a name, a day and a reason')
    return {name for name, day, _ in entries
            if datetime.date.fromisoformat(day) + datetime.timedelta(DAYS) >= today}


def main():
    names = set().union(*map(failed, sys.argv[2:]))
    with open(sys.argv[1], encoding='utf-8') as lines:
        others = names - known(lines, datetime.date.today())
    if others or not names:
        print('failed: ' + (', '.join(sorted(others)) or 'the test run, without saying in which test'), file=sys.stderr)
        return 1
    print('|'.join(re.escape(name) for name in sorted(names)))
    return 0


if __name__ == '__main__':
    sys.exit(main())
