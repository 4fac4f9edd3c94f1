"""Links between the documents: each has to lead to a file that is there, and to a heading that it has."""

import re

LINK = re.compile(r'\]\(([^()\s]+)\)|<img [^>]*src="([^"]+)"')
FENCE = re.compile(r'^```.*?^```', re.M | re.S)
HEADING = re.compile(r'^#{1,6} (.+)$', re.M)


def documents(root):
    """The documents of people: those at the top, in docs, and the READMEs of Schemas and Creatives."""
    return (sorted(root.glob('*.md')) + sorted((root / 'docs').rglob('*.md')) + [root / 'Schemas/README.md']
            + sorted((root / 'Creatives').glob('*.md')) + sorted((root / 'Creatives').glob('*/README.md')))


def broken(root):
    problems = []
    headings = {}
    for file in documents(root):
        for match in LINK.finditer(FENCE.sub('', file.read_text(encoding='utf-8'))):
            link = match.group(1) or match.group(2)
            if re.match(r'[a-z]+:', link):
                continue
            path, _, anchor = link.partition('#')
            target = (file.parent / path).resolve() if path else file
            if not target.exists():
                problems.append(f'{file.relative_to(root)}: {link}: no such file')
            elif anchor and target.suffix == '.md':
                if target not in headings:
                    headings[target] = anchors(target.read_text(encoding='utf-8'))
                if anchor not in headings[target]:
                    problems.append(f'{file.relative_to(root)}: {link}: no such heading')
    return problems


def anchors(text):
    """The anchors that GitHub makes of headings; a second heading of the same text gets a number."""
    found = set()
    for heading in HEADING.findall(FENCE.sub('', text)):
        plain = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', heading.replace('`', ''))
        base = re.sub(r'[^\w\- ]', '', plain.strip().lower()).replace(' ', '-')
        number, anchor = 0, base
        while anchor in found:
            number += 1
            anchor = f'{base}-{number}'
        found.add(anchor)
    return found
