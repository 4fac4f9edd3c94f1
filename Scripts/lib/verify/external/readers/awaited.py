"""Synchronous calls of a fake clock made calls that are waited for, in what esbuild prints.

There a statement has lines of its own, indented by its depth, so that what a line is in stands above it, further left.
"""

import re

WAITS = "tick|next|runAll|runToLast|runToFrame|runMicrotasks"
CALL = re.compile(rf"(?<!await )(?<![\w.])((?:\w+\.)?clock\d?\.(?:{WAITS})\()")
# What calls the function that it is given, and waits for its end.
CALLER = re.compile(r"(?<!await )(?<![\w.])((?:assert|refute)\.exception\()")
# Where a function begins, and its body below.
HEAD = re.compile(r"(async )?((?:\bfunction\b(?: \w+)?\([^()]*\)|\([^()]*\) =>) \{)$")


def script(text):
    lines = text.split("\n")
    for number in range(len(lines)):
        if CALL.search(lines[number]):
            lines[number] = CALL.sub(r"await \1", lines[number])
            wait(lines, number)
    return "\n".join(lines)


def wait(lines, number):
    """Makes the function that a line is in one that waits, and what calls that function at once as well."""
    head = enclosing(lines, number, HEAD.search)
    if head is None or (found := HEAD.search(lines[head])) and found[1]:
        return
    lines[head] = HEAD.sub(r"async \2", lines[head])
    caller = head if CALLER.search(lines[head]) else enclosing(lines, head, lambda line: True)
    if caller is not None and CALLER.search(lines[caller]):
        lines[caller] = CALLER.sub(r"await \1", lines[caller])
        wait(lines, caller)


def enclosing(lines, number, is_meant):
    """The nearest line above that is further left, and so on, until one is meant."""
    depth = indent(lines[number])
    for above in range(number - 1, -1, -1):
        if lines[above].strip() and indent(lines[above]) < depth:
            if is_meant(lines[above]):
                return above
            depth = indent(lines[above])
    return None


def indent(line):
    return len(line) - len(line.lstrip(" "))
