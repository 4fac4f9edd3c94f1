"""What jobs leave, and whether two runs left the same."""

import json
import xml.etree.ElementTree


def look(folder, files):
    """The reports are there, and the formats' outer shapes hold."""
    problems = [f'no {folder / name}' for name in ['report.json', *files] if not (folder / name).is_file()]
    if problems:
        return problems
    suites = xml.etree.ElementTree.parse(folder / 'junit.xml').getroot()
    creatives = json.loads((folder / 'report.json').read_text())['creatives']
    if len(suites) != len(creatives):
        problems.append(f'{folder}: {len(suites)} suites for {len(creatives)} creatives')
    for creative in creatives:
        for shot in creative['record']['screenshots']:
            if not (folder / creative['folder'] / shot['path']).is_file():
                problems.append(f'{folder}: no {shot["path"]} of {creative["name"]}')
    return problems


def changed(place):
    """The job that verifies has failed for the changed creative, and left a page that shows it."""
    page = place.folder / 'verified/changes.html'
    if place.code != 1:
        return [f'{place.folder}: exit code {place.code} for a changed creative']
    return [] if page.is_file() and 'changed' in page.read_text() else [f'{page} tells of no change']


def differences(first, second):
    """Where a joined report isn't what one run came to; times don't count."""
    reports = [json.loads((folder / 'report.json').read_text()) for folder in (first, second)]
    problems = [f'{key} differ' for key in sorted({*reports[0], *reports[1]} - {'creatives'})
                if reports[0].get(key) != reports[1].get(key)]
    names = [[creative['name'] for creative in report['creatives']] for report in reports]
    if names[0] != names[1]:
        return problems + [f'other creatives, or in another order: {names[0]} and {names[1]}']
    for one, other in zip(*(report['creatives'] for report in reports), strict=True):
        if timeless(one['record']['creative']) != timeless(other['record']['creative']):
            problems.append(f'{one["name"]}: not the same creative')
    return problems


def unsteady(first, second):
    """Creatives that a second render was judged otherwise in: pages race with themselves, whoever joins them."""
    reports = [json.loads((folder / 'report.json').read_text()) for folder in (first, second)]
    for one, other in zip(*(report['creatives'] for report in reports), strict=False):
        mine, theirs = ({(finding['check'], finding['key']) for finding in creative['findings']}
                        for creative in (one, other))
        if mine != theirs:
            yield f'{one["name"]}: {", ".join(sorted(check for check, _ in mine ^ theirs))}'


# Measured anew in every run.
TIMES = {'t', 'timings', 'attempts', 'value'}


def timeless(value):
    if isinstance(value, dict):
        return {key: timeless(member) for key, member in value.items() if key not in TIMES}
    return [timeless(member) for member in value] if isinstance(value, list) else value
