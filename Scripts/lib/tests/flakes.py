"""Decides whether tests that failed are run again: prints how many times, and a pattern for `swift test --filter`.

    flakes.py KNOWN XUNIT...

`KNOWN` has a line for each known flake: the test's suite and name, the day it was entered and the reason, with tabs
between. An entry holds for 60 days: by then the flake is mended, or the test gone. Known flakes are run again once. Up
to two other tests that failed in the whole run are run again three times, and all three have to pass: hundreds of tests
on two cores keep one from its time now and then, and a fault that is there each time stays red. More of them, or a run
that doesn't say which test failed, end with code 1. What each failed test said is printed to standard error.
"""

import datetime
import re
import sys
import xml.etree.ElementTree as ElementTree

DAYS = 60
NEW = 2
RUNS = 3


def failed(path):
    """The tests that failed, as SUITE/NAME, with what each said, by an xUnit file; empty for a run that wrote none."""
    try:
        cases = ElementTree.parse(path).iter('testcase')
    except (OSError, ElementTree.ParseError):
        return {}
    failures = ((case, case.find('failure')) for case in cases)
    return {case.get('classname', '').rpartition('.')[2] + '/' + case.get('name', ''): failure.get('message', '')
            for case, failure in failures if failure is not None}


def known(lines, today):
    """The entries in force."""
    entries = [line.rstrip('\n').split('\t') for line in lines if line.strip() and not line.startswith('#')]
    for entry in entries:
        if len(entry) != 3 or not entry[2].strip():
            raise SystemExit(f'known flakes: {entry} needs a name, a day and a reason')
    return {name for name, day, _ in entries
            if datetime.date.fromisoformat(day) + datetime.timedelta(DAYS) >= today}


def main():
    failures = {name: said for path in sys.argv[2:] for name, said in failed(path).items()}
    for name, said in sorted(failures.items()):
        print(f'failed: {name}: {said}', file=sys.stderr)
    if not failures:
        print('failed: the test run, without saying in which test', file=sys.stderr)
        return 1
    with open(sys.argv[1], encoding='utf-8') as lines:
        others = failures.keys() - known(lines, datetime.date.today())
    if len(others) > NEW:
        return 1
    print(RUNS if others else 1, '|'.join(re.escape(name) for name in sorted(failures)))
    return 0


if __name__ == '__main__':
    sys.exit(main())
