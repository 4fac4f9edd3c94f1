"""The files of GitLab, Jenkins, Azure and CircleCI: their commands in their order, and the settings these see."""

import re

import yaml

from lib.ci import results


def gitlab(file, root, place):
    problems = []
    document = yaml.safe_load(file.read_text())
    jobs = {name: job for name, job in document.items() if isinstance(job, dict) and 'script' in job}
    for stage in document['stages']:
        for name, job in jobs.items():
            if job['stage'] != stage:
                continue
            where = place if name != 'baselines' else place.with_baselines(root)
            total = job.get('parallel', 1)
            for index in range(1, total + 1):
                environment = {'CI_NODE_INDEX': str(index), 'CI_NODE_TOTAL': str(total)}
                problems += where.run('\n'.join(job['script']), f'{name}-{index}', environment)
            problems += results.changed(where) if where is not place else []
    return problems


def jenkins(file, root, place):
    commands = re.findall(r"^\s*sh '([^']*)'$", file.read_text(), re.MULTILINE)
    return in_order(commands, {}, root, place)


def azure(file, root, place):
    document = yaml.safe_load(file.read_text())
    return in_order([step['script'] for step in document['steps'] if 'script' in step], document['variables'], root,
                    place)


def circle(file, root, place):
    job = yaml.safe_load(file.read_text())['jobs']['creatives']
    runs = [step['run'] for step in job['steps'] if isinstance(step, dict) and 'run' in step]
    return in_order([run['command'] for run in runs], job['environment'], root, place)


def in_order(commands, environment, root, place):
    """The two commands that each of them has, a check and a look at the baselines."""
    if len(commands) != 2:
        return [f'{place.folder.name}: {len(commands)} commands']
    baselines = place.with_baselines(root)
    problems = place.run(commands[0], 'check', environment) + baselines.run(commands[1], 'baselines', environment)
    return problems + results.look(place.folder / 'proofs', ['junit.xml', 'report.html']) + results.changed(baselines)
