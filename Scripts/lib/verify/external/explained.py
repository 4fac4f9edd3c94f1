"""Cases that go wrong, each with who is at fault and why."""

import json
import re
from pathlib import Path

FILE = Path(__file__).resolve().parent / "explained.json"


def explanations(suite):
    """Patterns of case names with `fault` (suite, engine, engines, other, meant, open) and `reason`."""
    return json.loads(FILE.read_text()).get(suite, []) if FILE.exists() else []


def matches(name, pattern):
    """Whether a name is the pattern, in which a star stands for anything."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name, re.S) is not None


def explanation(suite, name):
    for entry in explanations(suite):
        if any(matches(name, pattern) for pattern in entry["cases"]):
            return entry
    return None


def problems(score, before, version):
    """What makes the run red: a wrong case without an explanation, or one that was right when figures were written."""
    found = []
    for case in score.of("wrong"):
        if not explanation(score.suite, case.name):
            found.append(f"wrong: {case.name}: {case.remark}")
    if before and before["version"] == version:
        known = set(before["wrong"])
        found += [f"was right: {case.name}" for case in score.of("wrong")
                  if case.name not in known and explanation(score.suite, case.name)]
        if len(score.of("right")) < before["right"] and not found:
            found.append(f"{before['right']} cases were right, {len(score.of('right'))} are")
    return found
