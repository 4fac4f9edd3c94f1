"""The pages of devices and containers."""

import json

from lib.docs.tables import cell, code, table


def pages(galley):
    return {'devices.md': devices(galley.json('devices', '--json')),
            'containers.md': containers(galley.json('containers', '--json'))}


def devices(found):
    rows = [[code(one['name']), cell(one['platform']), size(one['screen']), plain(one['scale']),
             insets(one['safeArea']), 'yes' if one['touch'] else 'no'] for one in found]
    return ('# Devices\n\n`--device NAME` selects a device. Sizes are in dip, for the upright screen.\n\n'
            + table(['device', 'platform', 'screen', 'scale', 'safe area: top, right, bottom, left', 'touch'], rows)
            + '\n`galley devices --json` prints all data, including user agents.\n')


def size(screen):
    return f'{plain(screen["width"])}×{plain(screen["height"])}'


def insets(area):
    return ', '.join(plain(area[side]) for side in ('top', 'right', 'bottom', 'left'))


def plain(number):
    return str(int(number)) if number == int(number) else str(number)


def containers(found):
    parts = ['# Containers\n\n`--container NAME` shows ads as that SDK does. The lists only have differences '
             'with a source.\n']
    parts.append(table(['container', 'description', 'differences'], [
        [f'[`{one["name"]}`](#{one["name"].replace(".", "")})', cell(one['title']), str(len(one['differences']))]
        for one in found]))
    for one in found:
        parts.append(f'## {one["name"]}\n\n{cell(one["title"])}.\n')
        if one['differences']:
            parts.append(table(['difference', 'value', 'note', 'source'], [
                [code(difference['what']), code(json.dumps(difference['value'], sort_keys=True)),
                 cell(difference.get('note', '')), f'[{difference["date"]}]({difference["source"]})']
                for difference in one['differences']]))
    return '\n'.join(parts)
