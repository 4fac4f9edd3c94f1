"""The formats' own JSON schemas: from a folder, or fetched once from where they are published."""

import json
import pathlib
import sys
import urllib.request

import jsonschema
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT6

OASIS = 'https://raw.githubusercontent.com/oasis-tcs/sarif-spec/main/sarif-2.1/schema/'
CTRF = 'https://raw.githubusercontent.com/ctrf-io/ctrf/main/schema/'
HAR = 'https://raw.githubusercontent.com/ahmadnassri/har-schema/master/lib/'
# Where Debian's node-har-schema has the same.
INSTALLED_HAR = pathlib.Path('/usr/share/nodejs/har-schema/lib')
PARTS = ['afterRequest', 'beforeRequest', 'browser', 'cache', 'content', 'cookie', 'creator', 'entry', 'har', 'header',
         'log', 'page', 'pageTimings', 'postData', 'query', 'request', 'response', 'timings']
EMPTY = Registry()


class Schemas:
    def __init__(self, folder, cache):
        self.folder = folder
        self.cache = cache

    def sarif(self, file):
        return self.problems(self.read('sarif-schema-2.1.0.json', OASIS), file)

    def ctrf(self, file):
        return self.problems(self.read('ctrf.schema.json', CTRF), file)

    def har(self, file):
        parts = {f'{part}.json': self.read(f'{part}.json', HAR) for part in PARTS}
        # They name one another by file, and themselves by file or with a fragment.
        resources = [(name, Resource.from_contents({**part, '$id': name}, DRAFT6)) for name, part in parts.items()]
        registry = Registry().with_resources(resources)
        return self.problems({**parts['har.json'], '$id': 'har.json'}, file, registry)

    def problems(self, schema, file, registry=EMPTY):
        document = json.loads(pathlib.Path(file).read_text())
        kind = jsonschema.validators.validator_for(schema, jsonschema.Draft6Validator)
        errors = kind(schema, registry=registry, format_checker=kind.FORMAT_CHECKER).iter_errors(document)
        return [f'{"/".join(map(str, error.absolute_path))}: {error.message[:200]}' for error in list(errors)[:5]]

    def read(self, name, source):
        for folder in (self.folder, INSTALLED_HAR):
            if folder and (folder / name).exists():
                return json.loads((folder / name).read_text())
        file = self.cache / name
        if not file.exists():
            try:
                with urllib.request.urlopen(source + name, timeout=60) as answer:
                    text = answer.read()
            except OSError as error:
                sys.exit(f'{source}{name} can\'t be fetched ({error}): name a folder that has it with --schemas')
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text)
        return json.loads(file.read_text())
