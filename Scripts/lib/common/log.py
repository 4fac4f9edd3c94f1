"""Event logs and explorations without what is measured: `t`, and what lies under `timing` or `timings`."""

import json


def read_log(path):
    return "\n".join(json.dumps(plain(json.loads(line)), sort_keys=True) for line in path.read_text().splitlines())


def read_exploration(path):
    """Line by line, so that differences are short."""
    found = json.loads(path.read_text())
    del found["timings"]
    return json.dumps(found, indent=1, sort_keys=True)


def plain(value, depth=0):
    if isinstance(value, dict):
        measured = {"timing"} | ({"t", "seq"} if depth == 0 else set())
        return {name: plain(member, depth + 1) for name, member in value.items() if name not in measured}
    return [plain(member, depth + 1) for member in value] if isinstance(value, list) else value


def difference(common, other):
    """The first place where two logs part, in words."""
    for line, (expected, found) in enumerate(zip(common, other, strict=False), start=1):
        if expected != found:
            return f"line {line} is {found} instead of {expected}"
    return f"it has {len(other)} lines instead of {len(common)}"
