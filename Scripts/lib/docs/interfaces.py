"""The pages of events, documents and the HTTP interface, from their schemas."""

import json
import re

from tables import cell, code, table

METHODS = ('get', 'post', 'put', 'delete')


def pages(root):
    return {'events.md': events(root), 'documents.md': documents(root), 'http-api.md': interface(root)}


def events(root):
    """The members of an event, and the names in the tables of Schemas/README.md with where each is explained."""
    schema = read(root / 'Schemas/event.schema.json')
    text = (root / 'Schemas/README.md').read_text(encoding='utf-8')
    body = text.split('\n## Events\n')[1].split('\n## ')[0]
    rows = []
    for section in body.split('\n### ')[1:]:
        heading, _, content = section.partition('\n')
        kind, _, meaning = heading.partition(': ')
        if kind not in schema['properties']['source']['enum']:
            continue
        names = [name for line in content.splitlines() if line.startswith('| `')
                 for name in re.findall(r'`(\w+)`', line.split('|')[1])]
        # The calls and modal changes stand in the text before any table.
        if kind in ('creative', 'modal', 'network'):
            names = re.findall(r'`(\w+)`', re.split(r'\n\n|, each|: `url`', content)[0]) or names
        anchor = re.sub(r'[^\w\- ]', '', heading.lower()).replace(' ', '-')
        link = f'[`{kind}`](../../Schemas/README.md#{anchor})'
        rows.append([link, cell(meaning), ', '.join(code(name) for name in dict.fromkeys(names))])
    missing = set(schema['properties']['source']['enum']) - {row[0].split('`')[1] for row in rows}
    if missing:
        raise SystemExit(f'Schemas/README.md explains no events of {sorted(missing)}')
    return ('# Events\n\nEach line of `events.ndjson` is one event.\n\n' + members(schema)
            + '\nThe names by source; the source leads to what each detail holds.\n\n'
            + table(['source', 'what it is', 'names'], rows)
            + '\nThe [order of events](../../Schemas/README.md#order) follows rules of its own.\n')


def documents(root):
    parts = ['# Documents\n\nThe JSON documents that Galley writes. Each has a schema in [Schemas]'
             '(../../Schemas/README.md), which is an interface: names are never given another meaning.\n']
    for file in sorted((root / 'Schemas').glob('*.schema.json')):
        schema = read(file)
        if file.name == 'event.schema.json':
            continue
        parts.append(f'## {file.name.removesuffix(".schema.json")}\n\n{cell(schema["description"])} '
                     f'[Schema](../../Schemas/{file.name}).\n')
        if schema.get('properties'):
            parts.append(members(schema))
    return '\n'.join(parts)


def members(schema):
    required = schema.get('required', [])
    rows = [[code(name), 'yes' if name in required else 'no', cell(one.get('description', ''))]
            for name, one in schema['properties'].items()]
    return table(['member', 'always there', 'meaning'], rows)


def interface(root):
    document = read(root / 'Sources/Service/Documents/openapi.json')
    groups = {}
    for path, operations in document['paths'].items():
        for method in METHODS:
            if method in operations:
                one = operations[method]
                answers = ', '.join(sorted(status for status in one['responses'] if status < '400'))
                groups.setdefault(one['tags'][0], []).append(
                    [code(f'{method.upper()} {path}'), cell(one['summary']), answers])
    parts = ['# HTTP interface\n\n`GET /v1/openapi.json` of a running server is the whole description. '
             '[Use the service](../how-to/use-the-service.md) shows it at work.\n']
    for group, rows in groups.items():
        parts.append(f'## {group}\n\n' + table(['request', 'what it does', 'answers'], rows))
    return '\n'.join(parts)


def read(file):
    return json.loads(file.read_text(encoding='utf-8'))
