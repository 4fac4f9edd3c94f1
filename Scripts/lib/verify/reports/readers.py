"""Programs that read the formats: what they find has to be what report.json says."""

import json
import pathlib
import subprocess
import sys
import tempfile

import haralyzer
import junitparser


def load(path):
    return json.loads(pathlib.Path(path).read_text())


def differences(**pairs):
    """A line for each pair whose members differ."""
    return [f'{name}: {found!r} instead of {wanted!r}' for name, (found, wanted) in pairs.items() if found != wanted]


def junit(file, report, base):
    document = junitparser.JUnitXml.fromfile(str(file))
    suites = list(document)
    cases = [case for suite in suites for case in suite]
    results = [type(result).__name__ for case in cases for result in case.result]
    problems = differences(
        suites=(len(suites), len(report['creatives']) + len(demanded(report))),
        tests=(document.tests, len(cases)),
        failures=(document.failures, results.count('Failure')),
        errors=(document.errors, results.count('Error')),
        skipped=(document.skipped, results.count('Skipped')))
    failed = {case.classname for case in cases
              if any(isinstance(result, junitparser.Failure) for result in case.result)}
    # What ran out of time may have findings as well.
    wanted = {name(creative) for creative in report['creatives'] if creative['status'] == 'failed'}
    passed = {name(creative) for creative in report['creatives'] if creative['status'] == 'passed'}
    problems += differences(unfailed=(sorted(wanted - failed), []), wronged=(sorted(passed & failed), []))
    return problems + [f'no {path}' for path in attachments(cases) if not (base / path).is_file()]


def demanded(report):
    """The builds of playables that networks have to accept: each is a suite of its own."""
    return {creative['build'] for creative in report['creatives']
            if 'build' in creative and any('asked' in row for row in creative['acceptance'])}


def name(creative):
    return ' '.join(creative['name'].split())


def attachments(cases):
    """The paths as Jenkins and GitLab find them: alone on a line."""
    for case in cases:
        for line in (case.system_out or '').splitlines():
            if line.startswith('[[ATTACHMENT|') and line.endswith(']]'):
                yield line[len('[[ATTACHMENT|'):-len(']]')]


def sarif(file, report):
    """What sarif-tools sums up, suppressed findings left out as by a viewer."""
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / 'out.csv'
        program = pathlib.Path(sys.executable).parent / 'sarif'
        done = subprocess.run([program, 'csv', '--output', target, file], capture_output=True, text=True)
        if done.returncode:
            return [done.stderr.strip().splitlines()[-1]]
    results = load(file)['runs'][0]['results']
    found = sum(len(creative['findings']) for creative in report['creatives'])
    suppressed = sum(len(creative['suppressed']) for creative in report['creatives'])
    prints = [tuple(result['partialFingerprints'].values()) for result in results]
    return differences(results=(len(results), found + suppressed),
                       suppressed=(sum(bool(result['suppressions']) for result in results), suppressed),
                       unfingerprinted=(sum(not value for value in prints), 0))


def ctrf(file):
    results = load(file)['results']
    statuses = [test['status'] for test in results['tests']]
    counted = {status: statuses.count(status) for status in ('passed', 'failed', 'skipped', 'pending', 'other')}
    told = {status: results['summary'][status] for status in counted}
    return differences(counts=(told, counted), tests=(results['summary']['tests'], len(statuses)))


def har(file, report):
    parser = haralyzer.HarParser(load(file))
    pages = [page.page_id for page in parser.pages if page.page_id != 'unknown']
    problems = differences(pages=(sorted(pages), sorted(creative['name'] for creative in report['creatives'])))
    for page in parser.pages:
        for entry in page.entries:
            spent = sum(value for value in entry['timings'].values() if value > 0)
            if abs(spent - entry['time']) > 0.01:
                problems.append(f'{entry["request"]["url"]}: timings of {spent} in a time of {entry["time"]}')
    return problems
