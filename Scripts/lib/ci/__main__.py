"""Runs the commands of the ready CI files on this machine, one job after the other, and looks at what they leave.

GitHub's file checks all creatives in one job, GitLab's in three shares that are joined: both must come to the same.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import yaml

import results

# Galley's own exit codes for a run that came to a verdict.
VERDICTS = (0, 1, 4)


def arguments():
    parser = argparse.ArgumentParser(prog='Scripts/ci-example', description=__doc__)
    parser.add_argument('creatives', nargs='?', type=pathlib.Path, help='the folder to check (default: Creatives)')
    parser.add_argument('--galley', type=pathlib.Path, help='another build of galley')
    parser.add_argument('--keep', type=pathlib.Path, help='a folder for what the jobs leave')
    parser.add_argument('--root', type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument('--build', type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = arguments()
    docs = options.root / 'docs/ci'
    galley = (options.galley or options.build / 'release/galley').resolve()
    creatives = (options.creatives or options.root / 'Creatives').resolve()
    problems = valid(docs / 'github-actions.yml', 'vendor.github-workflows')
    problems += valid(docs / 'gitlab-ci.yml', 'vendor.gitlab-ci')
    with tempfile.TemporaryDirectory(prefix='galley-ci-') as scratch:
        scratch = options.keep.resolve() if options.keep else pathlib.Path(scratch)
        whole = workspace(scratch / 'github', galley, creatives)
        problems += github(docs / 'github-actions.yml', whole)
        parts = workspace(scratch / 'gitlab', galley, creatives)
        problems += gitlab(docs / 'gitlab-ci.yml', parts)
        problems += results.look(whole / 'proofs', ['junit.xml', 'galley.sarif', 'report.html'])
        problems += results.look(parts / 'proofs', ['junit.xml', 'report.html'])
        problems += results.differences(whole / 'proofs', parts / 'proofs')
        problems += rejoined(parts, galley)
        for name in results.unsteady(whole / 'proofs', parts / 'proofs'):
            print(f'judged otherwise the second time: {name}')
    for problem in problems:
        print(f'wrong: {problem}')
    print('the ready files work' if not problems else f'{len(problems)} problems')
    return 1 if problems else 0


def valid(file, schema):
    """What the CI system's own schema says against a file."""
    program = pathlib.Path(sys.executable).parent / 'check-jsonschema'
    done = subprocess.run([program, '--builtin-schema', schema, file], capture_output=True, text=True)
    return [f'{file.name}: {done.stdout}'] if done.returncode else []


def workspace(folder, galley, creatives):
    """A checkout as the jobs find it: the creatives, and Galley beside them."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / 'galley/Scripts').mkdir(parents=True)
    program = folder / 'galley/Scripts/galley'
    program.write_text(f'#!/bin/sh\nexec "{galley}" "$@"\n')
    program.chmod(0o755)
    shutil.copytree(creatives, folder / 'creatives')
    return folder


def run(script, folder, environment, what):
    print(f'$ {script}')
    began = time.monotonic()
    done = subprocess.run(['bash', '-euo', 'pipefail', '-c', script], cwd=folder, env={**os.environ, **environment},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    (folder / f'{what}.log').write_text(done.stdout)
    print(f'  exit code {done.returncode} after {time.monotonic() - began:.0f} s')
    return [] if done.returncode in VERDICTS else [f'{what}: exit code {done.returncode}']


def github(file, folder):
    summary = folder / 'summary.md'
    problems = []
    for name, job in yaml.safe_load(file.read_text())['jobs'].items():
        for step in job['steps']:
            if 'run' in step:
                problems += run(step['run'], folder, {'GITHUB_STEP_SUMMARY': str(summary)}, name)
    lines = (folder / 'check.log').read_text().splitlines()
    commands = [line for line in lines if line.startswith('::')]
    kinds = {kind: sum(line.startswith(f'::{kind} ') for line in commands) for kind in ('error', 'warning', 'notice')}
    if max(kinds.values()) > 10 or sum(kinds.values()) != len(commands):
        problems.append(f'annotations: {kinds} of {len(commands)} commands')
    if not summary.is_file() or not 0 < summary.stat().st_size < 1 << 20:
        problems.append('no step summary, or one that GitHub refuses')
    return problems


def gitlab(file, folder):
    problems = []
    document = yaml.safe_load(file.read_text())
    jobs = {name: job for name, job in document.items() if isinstance(job, dict) and 'script' in job}
    for stage in document['stages']:
        for name, job in jobs.items():
            if job['stage'] != stage:
                continue
            total = job.get('parallel', 1)
            for index in range(1, total + 1):
                environment = {'CI_NODE_INDEX': str(index), 'CI_NODE_TOTAL': str(total)}
                problems += run('\n'.join(job['script']), folder, environment, f'{name}-{index}')
    return problems


def rejoined(folder, galley):
    """The parts in another order come to the same bytes."""
    parts = sorted(map(str, folder.glob('proofs-*')), reverse=True)
    subprocess.run([galley, 'merge-reports', *parts, '--out', folder / 'again'], stdout=subprocess.DEVNULL)
    same = (folder / 'again/report.json').read_bytes() == (folder / 'proofs/report.json').read_bytes()
    return [] if same else ['joining in another order comes to something else']


sys.exit(main())
