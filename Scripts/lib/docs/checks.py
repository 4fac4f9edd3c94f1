"""The pages of checks and of networks' profiles."""

import json

from lib.docs.tables import cell, source, table

FAMILIES = 'Creatives/checks'


def pages(root, galley):
    found = {}
    every = galley.json('checks', '--json')
    families: dict[str, list[dict]] = {}
    for check in every:
        families.setdefault(check['family'], []).append(check)
    profiles = [json.loads(file.read_text(encoding='utf-8'))
                for file in sorted((root / 'Sources/Checks/Profiles/Networks').glob('*.json'))]
    own = json.loads((root / 'Sources/Checks/Families/chromium-differences.json').read_text(encoding='utf-8'))
    index = [f'# Checks\n\n{len(every)} checks in {len(families)} families. `galley checks ID` prints a check.\n']
    for family, members in families.items():
        index.append(f'## {family}\n\n' + table(
            ['check', 'severity', 'finding'],
            [[f'[`{one["id"]}`]({family}.md#{one["id"]})', one['severity'], cell(one['title'])] for one in members]))
        found[f'checks/{family}.md'] = f'# Checks: {family}\n\n' + '\n'.join(entry(root, one) for one in members)
    found['checks/README.md'] = '\n'.join(index)
    found['profiles.md'] = networks(profiles, {one['id']: one['family'] for one in every}) + '\n' + engines(own)
    return found


def engines(own):
    """The profile that isn't a network's, of what was tried in two engines."""
    tried = own['tried']
    rows = [
        [f'[`{one["id"]}`](checks/chromiumDiffers.md#{one["id"]})', one['severity'],
         cell(f'Chromium {one["chromium"]}'),
             cell(f'WebKit {one["webkit"]}')] for one in own['differences']]
    return ('## chromium\n\nChromium is the engine of Android\'s web view. Each row was tested in Chromium '
            f'{tried["chromium"]} and WebKitGTK {tried["webkit"]} on {tried["on"]}.\n\n'
            + table(['check', 'severity', 'Chromium', 'WebKit'], rows))


def entry(root, check):
    """One check: why, remedy, source, the networks that have a rule of their own, and creatives that show it."""
    lines = [f'## {check["id"]}\n', f'**{cell(check["title"])}**, {check["severity"]}'
             + (', runs only for a profile that has a rule.' if check.get('needsProfile') else '.') + '\n',
             f'Why: {cell(check["why"])}\n', f'Remedy: {cell(check["remedy"])}\n',
             f'Source: {source(check["source"])}.\n']
    folder = root / FAMILIES / check['family'] / check['id']
    samples = [f'[{name}](../../../{FAMILIES}/{check["family"]}/{check["id"]}/{name})'
               for name in sorted(file.name for file in folder.glob('*') if not file.name.startswith('.'))]
    if samples:
        lines.append('Example creatives: ' + ', '.join(samples) + '.\n')
    images = [(kind, f'images/checks/{check["id"]}-{kind}.png') for kind in ('trips', 'passes')]
    if all((root / 'docs' / path).is_file() for _, path in images):
        lines.append(table(['creative that fails', 'creative that passes'],
                           [[f'![{kind}](../../{path})' for kind, path in images]]))
    if check.get('rules'):
        lines.append(table(['profile', 'rule', 'source'], [
            [f'[`{rule["profile"]}`](../profiles.md#{rule["profile"]})', ruling(rule), source(rule['source'])]
            for rule in check['rules']]))
    return '\n'.join(lines)


def ruling(rule):
    parts = [cell(rule['note'])] if rule.get('note') else []
    if 'limit' in rule:
        parts.append(f'limit {rule["limit"]}')
    if rule.get('sizes'):
        parts.append(f'{len(rule["sizes"])} sizes')
    if rule.get('packageLimits'):
        parts.extend(f'limit {limit} as {package}' for package, limit in rule['packageLimits'].items())
    if rule.get('severity'):
        parts.append(rule['severity'])
    return '; '.join(parts)


def networks(profiles, families):
    parts = ['# Profiles\n\nA profile contains the rules of one network. `--profile NAME` selects a profile, '
             '`--profile all` selects all, `--profile all-playables` those of playables. A profile with a container is '
             'rendered in it, unless `--container` or another profile names a different one.\n']
    parts.append(table(['profile', 'network', 'rules'], [
        [f'[`{one["id"]}`](#{one["id"]})', cell(one['title']), str(len(one['rules']))] for one in profiles]
        + [['[`chromium`](#chromium)', 'no network: differences of Android\'s web view', '']]))
    for one in profiles:
        rows = [[f'[`{rule["check"]}`](checks/{families[rule["check"]]}.md#{rule["check"]})', ruling(rule),
                 source(rule['source'])] for rule in one['rules']]
        container = f' Container: `{one["container"]}`.' if one.get('container') else ''
        parts.append(f'## {one["id"]}\n\n{cell(one["title"])}.{container}\n\n'
                     + table(['check', 'rule', 'source'], rows))
    return '\n'.join(parts)
