"""The pages of events, documents and the HTTP interface, from their schemas."""

import json
import re

from lib.docs.tables import cell, code, table

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
            + '\nThe table lists the event names by source. Each source links to the details of its events.\n\n'
            + table(['source', 'description', 'names'], rows)
            + '\nRules define the [order of events](../../Schemas/README.md#order).\n')


def documents(root):
    parts = ['# Documents\n\nGalley writes these JSON documents. Each has a schema in [Schemas]'
             '(../../Schemas/README.md). The schemas are a stable interface: a name never changes its meaning.\n']
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
    return table(['member', 'required', 'meaning'], rows)


def interface(root):
    """The requests by group, what each takes and answers, and the members of what is sent."""
    document = read(root / 'Sources/Service/Documents/openapi.json')
    schemas = document['components']['schemas']
    groups: dict[str, list[tuple]] = {}
    sent: list[str] = []
    for path, operations in document['paths'].items():
        for method in METHODS:
            if method in operations:
                one = operations[method]
                groups.setdefault(one['tags'][0], []).append((f'{method.upper()} {path}', one))
                sent += [name for name in bodies(one).values() if name and name not in sent]
    parts = ['# HTTP interface\n\n`GET /v1/openapi.json` of a running server returns the complete description. '
             '[Use the service](../how-to/use-the-service.md) has examples.\n\n'
             'The response to a refused request is `application/problem+json`: `code` is one of the '
             '[error codes](error-codes.md), `detail` is a message.\n']
    for group, rows in groups.items():
        parts.append(f'## {group}\n\n' + table(
            ['request', 'description', 'parameters and body', 'responses'],
            [[code(name), cell(one['summary']), takes(one), answers(one)] for name, one in rows]))
    parts.append('## Request bodies\n\nMembers that aren\'t required may be left out.\n')
    # What a body holds may have a table of its own.
    for name in sent:
        sent += [inner for inner in named_in(schemas[name]) if inner not in sent]
        parts.append(f'### {name}\n\n' + body(schemas[name]))
    return '\n'.join(parts)


def name_of(schema):
    return schema.get('$ref', '').rpartition('/')[2]


def bodies(operation):
    """By media type the name of what is sent; empty for one without a schema of a name."""
    content = operation.get('requestBody', {}).get('content', {})
    return {media: name_of(one.get('schema', {})) for media, one in content.items()}


def takes(operation):
    """Queries and heads with their meanings, and bodies."""
    lines = [f'{code(one["name"])}: {cell(one.get("description", ""))}' for one in operation.get('parameters', [])
             if one['in'] in ('query', 'header')]
    lines += [f'{code(media)}' + (f': [{name}](#{name.lower()})' if name else '')
              for media, name in bodies(operation).items()]
    return '<br>'.join(lines)


def answers(operation):
    """The status of each answer that isn't a refusal, with what `Accept` may ask for where there are several."""
    lines = []
    for status, one in sorted(operation['responses'].items()):
        if status < '400':
            media = ', '.join(code(name) for name in one.get('content', {}))
            lines.append(f'{status} {media}'.strip())
    return '<br>'.join(lines)


def named_in(schema):
    """The names of schemas that a body's members are of."""
    found = []
    for one in schema.get('properties', {}).values():
        choices = [one, one.get('items', {}), *one.get('oneOf', [])]
        found += [name_of(choice) for choice in choices if name_of(choice)]
    return found


def body(schema):
    required = schema.get('required', [])
    rows = [[code(name), 'yes' if name in required else 'no', kind(one), cell(meaning(one))]
            for name, one in schema.get('properties', {}).items()]
    told = cell(schema.get('description', ''))
    return (f'{told}\n\n' if told else '') + table(['member', 'required', 'type', 'meaning'], rows)


def kind(schema):
    """A member's type in a few words: `number, 0 to 300`."""
    if name := name_of(schema):
        return f'[{name}](#{name.lower()})'
    if 'oneOf' in schema:
        return ' or '.join(dict.fromkeys(kind(one) for one in schema['oneOf']))
    if 'enum' in schema:
        return ', '.join(code(str(one)) for one in schema['enum'])
    text = schema.get('type', '')
    if text == 'array':
        text = f'list of {kind(schema.get("items", {}))}'
    low, high = schema.get('minimum'), schema.get('maximum')
    if low is not None and high is not None:
        text += f', {low} to {high}'
    elif 'maxLength' in schema:
        text += f', at most {schema["maxLength"]} characters'
    return text


def meaning(schema):
    example = next((str(one) for one in schema.get('examples', []) if isinstance(one, str)), '')
    return schema.get('description', '') + (f' Example: `{example}`.' if example else '')


def read(file):
    return json.loads(file.read_text(encoding='utf-8'))
