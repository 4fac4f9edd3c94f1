"""Holds the Python of scripts, tests and samples to a linter and a type checker, as Scripts/pyproject.toml says."""

import os
import subprocess
import sys
from pathlib import Path

from mypy import api

from lib.common.command import make_parser


def parse_options():
    parser = make_parser("test --lint", __doc__, runs_galley=False)
    return parser.parse_args()


def main():
    options = parse_options()
    scripts, tests = options.root / "Scripts", options.root / "Tests"
    # The linter finds its settings, and what they name, from there.
    os.chdir(scripts)
    programs = [options.root / "Creatives/playable/build"]
    files = sorted([*scripts.rglob("*.py"), *tests.rglob("*.py"), *programs])
    found = style(files, options.build / "lint/ruff")
    print(f"ruff: {len(files)} files{', and what is above' if found else ''}", flush=True)
    modules = sorted([*(scripts / "lib").rglob("*.py"), *programs])
    faults = types(modules, options.build / "lint/mypy")
    for fault in faults:
        print(fault)
    print(f"mypy: {len(modules)} files{', and what is above' if faults else ''}")
    return 1 if found or faults else 0


def style(files, cache):
    """Prints what the linter finds; returns whether that is anything."""
    ruff = Path(sys.executable).with_name("ruff")
    words = ["check", "--config", "pyproject.toml", "--quiet", "--output-format", "concise", "--cache-dir", cache]
    return subprocess.run([ruff, *words, *files]).returncode


def types(files, cache):
    """Lines of the type checker's."""
    words = ["--config-file", "pyproject.toml", "--cache-dir", cache, *files]
    report, trouble, code = api.run([str(word) for word in words])
    if trouble or code > 1:
        sys.exit(f"mypy ended with {code}: {trouble}{report}")
    return report.splitlines() if code else []


sys.exit(main())
