"""Carries out tutorials as they are written: their shell blocks in order, in one shell, in an empty folder.

A block is ```sh; ```sh exit=1 says that its last command ends with 1. A ```text block after one is what it prints:
each of its lines has to be in the output in this order, and `…` stands for anything.
"""

import contextlib
import os
import pathlib
import re
import shlex
import signal
import subprocess
import tempfile

FENCE = re.compile(r'^```(sh|text)( exit=(\d+))?\n(.*?)^```', re.M | re.S)


def run(root, galley, names):
    problems = []
    for file in sorted((root / 'docs/tutorials').glob('*.md')):
        if file.name == 'README.md' or (names and file.stem not in names):
            continue
        found = tutorial(file, root, galley)
        print(f'{file.stem}: {"as written" if not found else f"{len(found)} problems"}', flush=True)
        problems += [f'{file.name}: {problem}' for problem in found]
    return problems


def tutorial(file, root, galley):
    blocks: list[tuple[str, int, list[str]]] = []
    for kind, _, code, text in FENCE.findall(file.read_text(encoding='utf-8')):
        if kind == 'sh':
            blocks.append((text, int(code or 0), []))
        elif blocks:
            blocks[-1][2].extend(text.splitlines())
    if not blocks:
        return ['has no commands']
    with tempfile.TemporaryDirectory(prefix='galley-tutorial-') as scratch:
        scratch = pathlib.Path(scratch)
        for name in ('bin', 'work', 'outputs'):
            (scratch / name).mkdir()
        # Installed, galley is on the PATH, and the samples are where the tutorial says.
        program = scratch / 'bin/galley'
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(str(galley.path))} "$@"\n')
        program.chmod(0o755)
        codes = shell(blocks, scratch, root)
        problems = []
        for number, (text, code, expected) in enumerate(blocks):
            output = scratch / f'outputs/{number}'
            printed = output.read_text(errors='replace') if output.exists() else ''
            first = text.strip().splitlines()[0]
            if codes.get(number) != code:
                problems.append(f'`{first}` ended with {codes.get(number)} instead of {code}:\n{printed[-2000:]}')
                break
            if line := missing(expected, printed):
                problems.append(f'`{first}` should print {line!r}:\n{printed[-2000:]}')
        return problems


def shell(blocks, scratch, root):
    """The exit code of each block that ended."""
    script = [f'cd {scratch}/work']
    for number, (text, code, _) in enumerate(blocks):
        script += [f'exec >{scratch}/outputs/{number} 2>&1', 'set +e' if code else 'set -e', text,
                   f'echo {number} $? >>{scratch}/codes', 'set +e']
    environment = {**os.environ, 'PATH': f'{scratch}/bin:{os.environ["PATH"]}', 'GALLEY_SOURCE': str(root)}
    environment.pop('CI', None)
    with subprocess.Popen(['bash', '-c', '\n'.join(script)], env=environment, stdin=subprocess.DEVNULL,
                          start_new_session=True) as process:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=600)
        # What a tutorial leaves in the background ends with it.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
    codes = scratch / 'codes'
    lines = codes.read_text().splitlines() if codes.exists() else []
    return {int(number): int(code) for number, code in (line.split() for line in lines)}


def missing(expected, printed):
    """The first expected line that the output doesn't have in its place."""
    lines = iter(printed.splitlines())
    for line in expected:
        if not line.strip() or line.strip() == '…':
            continue
        pattern = re.compile('.*'.join(re.escape(part) for part in ' '.join(line.split()).split('…')))
        if not any(pattern.fullmatch(' '.join(found.split())) for found in lines):
            return line
    return None
