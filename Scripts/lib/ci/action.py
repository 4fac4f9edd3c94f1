"""The action, carried out as GitHub's runner does: inputs, variables of steps, files of outputs and the summary."""

import re
import shutil

import yaml

from lib.ci import results
from lib.ci.workspace import Workspace

EXPRESSION = re.compile(r'\$\{\{ inputs\.([a-z0-9-]+) \}\}')


def workflow(file, root, place):
    """The jobs of the ready workflow, those steps of them that are the action's."""
    problems = []
    for name, job in yaml.safe_load(file.read_text())['jobs'].items():
        for step in job['steps']:
            if not step['uses'].startswith('your-organisation/galley@'):
                continue
            # Nobody has published a package yet: galley is on the PATH, as in the image.
            inputs = {key: value for key, value in step['with'].items() if key not in ('package', 'sha256')}
            where = place if inputs.get('command') != 'baseline' else place.with_baselines(root)
            found, outputs = carried_out(root, where, inputs, name)
            problems += found + looked_at(where, inputs, outputs, name)
    return problems


def carried_out(root, place, inputs, name, codes=(0, 1, 4)):
    """Gives the problems, and the outputs of the step that has any."""
    document = yaml.safe_load((root / 'action.yml').read_text())
    known = {key: str(value.get('default', '')) for key, value in document['inputs'].items()}
    if unknown := set(inputs) - set(known):
        return [f'{name}: the action has no {", ".join(sorted(unknown))}'], {}
    values = {**known, **{key: str(value) for key, value in inputs.items()}}
    problems, outputs = [], place.folder / f'{name}.outputs'
    outputs.write_text('')
    for step in document['runs']['steps']:
        if 'run' not in step:
            continue
        # What callers say is never part of a shell's text.
        if '${{' in step['run']:
            problems.append(f'{name}: an expression in the text of a command')
        environment = {key: EXPRESSION.sub(lambda match: values[match[1]], value)
                       for key, value in step.get('env', {}).items()}
        environment.update(GITHUB_ACTION_PATH=str(root), GITHUB_OUTPUT=str(outputs),
                           GITHUB_STEP_SUMMARY=str(place.folder / f'{name}.summary.md'))
        problems += place.run(step['run'], name, environment, (0, *codes))
        if place.code != 0:
            break
    if place.code not in codes:
        problems.append(f'{name}: exit code {place.code}')
    return problems, dict(line.split('=', 1) for line in outputs.read_text().splitlines())


def looked_at(place, inputs, outputs, name):
    """The summary, the annotations, and that the outputs lead to files."""
    problems = []
    if outputs.get('exit-code') != str(place.code):
        problems.append(f'{name}: the exit code is {place.code}, and told as {outputs.get("exit-code")}')
    summary = place.folder / f'{name}.summary.md'
    if not summary.is_file() or not 0 < summary.stat().st_size < 1 << 20:
        return problems + [f'{name}: no step summary, or one that GitHub refuses']
    for key in ('html', 'sarif'):
        if key in outputs and not (place.folder / outputs[key]).is_file():
            problems.append(f'{name}: no {outputs[key]}, the output {key}')
    if inputs.get('command') == 'baseline':
        if 'changed' not in summary.read_text():
            problems.append(f'{name}: the summary tells of no change')
        return problems + results.changed(place)
    commands = [line for line in (place.folder / f'{name}.log').read_text().splitlines() if line.startswith('::')]
    kinds = {kind: sum(line.startswith(f'::{kind} ') for line in commands) for kind in ('error', 'warning', 'notice')}
    if max(kinds.values()) > 10 or sum(kinds.values()) != len(commands):
        problems.append(f'{name}: annotations: {kinds} of {len(commands)} commands')
    return problems


def refusals(root, folder, galley):
    """Inputs that are wrong, or that want to be shell: each ends with one annotation and nothing done."""
    problems = []
    trap = folder / 'trap'
    tried = {
        'command': {'command': f'check; touch {trap}'},
        'outside': {'out': '../elsewhere'},
        'lines': {'out': 'proofs\nexit-code=0'},
        'nothing': {'creatives': '\n'},
        'plain': {'package': 'http://example.com/galley.deb', 'sha256': '0' * 64},
        'unchecked': {'package': 'https://example.com/galley.deb'},
        'sum': {'package': 'galley.deb', 'sha256': f'$(touch {trap})'},
        'gone': {'package': f'gone.deb$(touch {trap})\n::warning::gone'},
    }
    for name, inputs in tried.items():
        place = Workspace(folder / name, galley)
        found, outputs = carried_out(root, place, inputs, name, codes=(2,))
        lines = (place.folder / f'{name}.log').read_text().splitlines()
        commands = [line for line in lines if line.startswith('::')]
        if found or outputs or len(commands) != 1 or not commands[0].startswith('::error '):
            problems.append(f'the action, {name}: {found} {outputs} {commands}')
    # Arguments that look like shell reach galley as they are, which refuses them.
    place = Workspace(folder / 'argument', galley)
    found, _ = carried_out(root, place, {'arguments': f'--profile=$(touch {trap})'}, 'argument', codes=(2,))
    problems += found
    if trap.exists():
        problems.append('the action ran what an input said')
    shutil.rmtree(folder)
    return problems
