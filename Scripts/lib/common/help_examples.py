"""The examples that end a command's help."""

import subprocess


def of(program, name):
    """The calls and what each is for; `name` is what follows galley."""
    done = subprocess.run([program, *name.split(), '--help'], stdout=subprocess.PIPE, text=True, check=True)
    lines = [line.strip() for line in done.stdout.partition('\nEXAMPLES:\n')[2].splitlines()]
    return [(call, purpose.removeprefix('# ')) for purpose, call in zip(lines[::2], lines[1::2], strict=False)]
