"""The documents of a render in the description of the HTTP interface, made of Schemas, which says what they hold."""

import json

INTERFACE = 'Sources/Service/Documents/openapi.json'
# A schema of Schemas by the name it has in the interface.
DOCUMENTS = {'Result': 'result', 'Report': 'report'}


def text(root):
    """The whole description, with those documents as Schemas has them."""
    described = json.loads((root / INTERFACE).read_text(encoding='utf-8'))
    schemas = described['components']['schemas']
    for name, file in DOCUMENTS.items():
        schema = json.loads((root / f'Schemas/{file}.schema.json').read_text(encoding='utf-8'))
        parts = {part: name + part[0].upper() + part[1:] for part in schema.pop('$defs')}
        whole = json.loads((root / f'Schemas/{file}.schema.json').read_text(encoding='utf-8'))
        for part, called in parts.items():
            schemas[called] = adapted(whole['$defs'][part], parts)
        for word in ('$schema', '$id', 'title'):
            schema.pop(word, None)
        schemas[name] = adapted(schema, parts)
    # A report tells of each render what its own document does.
    schemas['ReportCreative']['properties']['record'] = {'$ref': '#/components/schemas/Result'}
    return json.dumps(described, indent=1, ensure_ascii=False) + '\n'


# What JSON calls the types of Python's values.
TYPES = {bool: 'boolean', int: 'integer', str: 'string'}


def adapted(schema, parts):
    """A schema with its references to parts of the interface, and a type wherever there is an enumeration."""
    if isinstance(schema, list):
        return [adapted(one, parts) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {word: adapted(value, parts) for word, value in schema.items()}
    if str(made.get('$ref', '')).startswith('#/$defs/'):
        made = {'$ref': '#/components/schemas/' + parts[made['$ref'].removeprefix('#/$defs/')]}
    if isinstance(made.get('enum'), list) and 'type' not in made:
        made['type'] = 'string'
    if 'const' in made:
        made['type'] = TYPES[type(made['const'])]
    return made


def write(root):
    (root / INTERFACE).write_text(text(root), encoding='utf-8')
    return []


def compare(root):
    if (root / INTERFACE).read_text(encoding='utf-8') == text(root):
        return []
    return [f'{INTERFACE} differs from Schemas in the results: run Scripts/docs generate']
