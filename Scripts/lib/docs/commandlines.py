"""Commands that the documentation shows: each subcommand and option has to be one of the program's."""

import re

from lib.docs.links import documents
from lib.docs.program import leaves, spelled

FENCE = re.compile(r'^```(?:sh|console)[^\n]*\n(.*?)^```', re.M | re.S)
CALL = re.compile(r'(?:^|[|&(;]|\$\(|\$ )\s*(?:Scripts/|\./)?galley ([^\n|&;)#]*)', re.M)
SPAN = re.compile(r'`galley ([a-z][^`\n]*)`')
OPTION = re.compile(r'(?:^|\s)(--[a-z][a-z-]*|-[a-zA-Z])(?=$|[\s=])')


def unknown(root, galley):
    """Subcommands and options in the docs that the program doesn't have."""
    known = {}
    for command in galley.commands():
        for name, one in leaves(command):
            known[name] = {name for argument in one.get('arguments', []) for name in spelled(argument)}
    problems = []
    for file in documents(root):
        if file.name == 'CHANGELOG.md':
            # It tells of names that were given up.
            continue
        text = file.read_text(encoding='utf-8').replace('\\\n', ' ')
        calls = [call for block in FENCE.findall(text) for call in CALL.findall(block)] + SPAN.findall(text)
        for call in calls:
            problems += [f'{file.relative_to(root)}: galley {call.strip()}: {fault}' for fault in faults(call, known)]
    return problems


def faults(call, known):
    words = call.split()
    if words[0].startswith('-'):
        return []
    depth = next((depth for depth in (3, 2, 1) if ' '.join(words[:depth]) in known), 0)
    if depth == 0:
        return ['there is no such command'] if re.fullmatch(r'[a-z-]+', words[0]) and words[0] != 'help' else []
    name = ' '.join(words[:depth])
    if words[depth:depth + 1] == ['…']:
        return []
    return [f'no option {option}' for option in OPTION.findall(call) if option not in known[name]]
