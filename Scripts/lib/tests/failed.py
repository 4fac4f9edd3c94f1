"""Prints a pattern for `swift test --filter` of the tests that failed by the xUnit files given; nothing when it is no use.

A few tests that draw and wait in real time fail on a machine that others keep busy. More than a few is no noise.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree

MOST = 5


def failed(path):
    try:
        cases = ElementTree.parse(path).iter("testcase")
    except (OSError, ElementTree.ParseError):
        return []
    return [case.get("name") for case in cases if case.find("failure") is not None]


names = sorted({name for path in sys.argv[1:] for name in failed(path)})
if 0 < len(names) <= MOST:
    print("|".join(f"/{re.escape(name)}" for name in names))
