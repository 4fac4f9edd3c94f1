"""The page of limits: numbers read out of the sources that hold them, and of the server's document."""

import json
import re

from lib.docs.tables import cell, code, table

# What it limits, the source, the words around the number, and how the number is written on the page.
SOURCES = [
    ('document of a creative', 'Creatives/CreativeBundle.swift', r'largestHTML = ([\d_]+)', '{mb} MB'),
    ('other file of a creative', 'Creatives/CreativeBundle.swift', r'largestFile = ([\d_]+)', '{mb} MB'),
    ('zip file, and its unpacked content', 'Creatives/CreativeBundle.swift', r'largestTotal = ([\d_]+)', '{mb} MB'),
    ('entries of a zip file', 'Creatives/CreativeBundle.swift', r'mostEntries = ([\d_]+)', '{n}'),
    ('unpacked size of a zip entry, relative to its packed size', 'Creatives/CreativeBundle.swift',
     r'highestRatio = ([\d_]+)', '{n} times'),
    ('steps of a scenario', 'RenderModel/Scenario/ScenarioParser.swift', r'maximumSteps = ([\d_]+)', '{n}'),
    ('file of a scenario', 'RenderModel/Scenario/YAMLDocument.swift', r'maximumBytes = ([\d_]+) \* 1024',
     '{n} KiB'),
    ('events in the log of a creative', 'Hosting/Events/Recorder.swift', r'capacity = ([\d_]+)', '{n}'),
    ('log of a creative', 'Hosting/Events/Recorder.swift', r'largest = ([\d_]+) << 20', '{n} MiB'),
    ('screenshots of a creative', 'Rendering/Screen/ScreenshotCapturer.swift', r'capacity = ([\d_]+)', '{n}'),
    ('frames of a filmstrip', 'RenderModel/CaptureSchedule.swift', r'mostFrames = ([\d_]+)', '{n}'),
    ('side of a screen, in dip', 'Device/Device.swift', r'!\(([\d.]+)\)\.contains\(side\)', '{range}'),
    ('scale of a screen', 'Device/Device.swift', r'\(([\d.]+)\)\.contains\(scale\)', '{range}'),
    ('pixels of a PNG file', 'Pixels/PNG/PNGFile.swift', r'static let pixels = ([\d_]+)', '{mb} megapixels'),
    ('two PNG files that are decoded completely', 'Pixels/Comparing/PNGComparison.swift',
     r'wholeLimit = ([\d_]+) << 20', '{n} MiB decoded'),
    ('`--shift` of a comparison', 'galley/Options/ComparisonArguments.swift', r'\(([\d.]+)\)\.contains\(shift\)',
     '{range} pixels'),
    ('`--window` of a comparison', 'galley/Options/ComparisonArguments.swift', r'\(([\d.]+)\)\.contains\(window',
     '{range} pixels'),
]


def pages(root):
    rows = [[what, limit(root / 'Sources' / file, pattern, form)] for what, file, pattern, form in SOURCES]
    document = json.loads((root / 'Sources/Service/Documents/openapi.json').read_text(encoding='utf-8'))
    members = document['components']['schemas']['RenderRequest']['properties']
    bounds = [[code(name), text] for name, one in members.items() if (text := bound(one))]
    return {'limits.md': (
        '# Limits\n\nA full log ends with the event `logTruncated`. Exceeding any other limit is an error.\n\n'
        + table(['subject', 'limit'], rows)
        + '\nThe options `--timeout` and `--memory` limit the time and memory of a render: see '
        '[galley render](commands/render.md). The limits of a server are options of '
        '[galley serve](commands/serve.md).\n\n'
        '## Members of an HTTP request\n\n' + table(['member', 'limit'], bounds))}


def limit(file, pattern, form):
    found = re.findall(pattern, file.read_text(encoding='utf-8'))
    if len(found) != 1:
        raise SystemExit(f'{file} has {len(found)} matches for {pattern}, not 1: correct the pattern in limits.py')
    if '{range}' in form:
        low, high = found[0].split('...')
        return form.format(range=f'{low} to {high}')
    number = int(found[0].replace('_', ''))
    return form.format(n=f'{number:,}', mb=number // 1_000_000)


def bound(one):
    if 'minimum' in one or 'maximum' in one:
        return f'{cell(one.get("minimum", ""))} to {cell(one.get("maximum", ""))}'
    if 'maxLength' in one:
        return f'{one["maxLength"]} characters'
    return f'{one["maxItems"]} entries' if 'maxItems' in one else None
