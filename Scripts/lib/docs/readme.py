"""What README.md and CONTRIBUTING.md have to keep: their length, and README's first commands."""

import re

SETUP = 'Scripts/galley render Creatives/mraid/expand-one-part\nScripts/test\n'


def faults(root):
    problems = []
    readme = (root / 'README.md').read_text(encoding='utf-8')
    first = re.search(r'^```\w*\n(.*?)^```', readme, re.M | re.S)
    if not first or first.group(1) != SETUP:
        problems.append('the first code block of README.md must be the two set-up commands')
    for name, lines, words in (('README.md', 150, 900), ('CONTRIBUTING.md', 150, None)):
        text = (root / name).read_text(encoding='utf-8')
        if len(text.splitlines()) > lines:
            problems.append(f'{name} has {len(text.splitlines())} lines; at most {lines} are allowed')
        if words and len(text.split()) > words:
            problems.append(f'{name} has {len(text.split())} words; at most {words} are allowed')
    return problems
