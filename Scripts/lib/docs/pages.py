"""All generated pages of docs/reference, by their path below it; and whether those on disk are the same."""

from lib.docs import catalogues, checks, commands, interfaces, limits

NOTE = '<!-- Made by Scripts/docs generate: change the program, not this page. -->\n\n'


def make(root, galley):
    found = {}
    for part in (commands.pages(galley), checks.pages(root, galley), catalogues.pages(galley),
                 interfaces.pages(root), limits.pages(root)):
        found.update(part)
    return {path: NOTE + text.rstrip() + '\n' for path, text in found.items()}


def write(folder, made):
    for path in present(folder):
        if path not in made:
            (folder / path).unlink()
    for path, text in made.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding='utf-8')
    print(f'{len(made)} pages in {folder}')
    return []


def compare(folder, made):
    problems = [f'docs/reference/{path} is no longer generated' for path in present(folder) if path not in made]
    for path, text in made.items():
        file = folder / path
        if not file.is_file():
            problems.append(f'docs/reference/{path} is missing')
        elif file.read_text(encoding='utf-8') != text:
            problems.append(f'docs/reference/{path} is stale: {difference(file.read_text(encoding="utf-8"), text)}')
    if problems:
        problems.append('run Scripts/docs generate to update docs/reference')
    return problems


def present(folder):
    """The generated pages on disk; pages written by hand lie beside them."""
    return [str(file.relative_to(folder)) for file in sorted(folder.rglob('*.md'))
            if file.read_text(encoding='utf-8').startswith(NOTE)]


def difference(old, new):
    for line, (before, after) in enumerate(zip(old.splitlines(), new.splitlines(), strict=False), start=1):
        if before != after:
            return f'line {line} should be {after!r}'
    return 'the lengths differ'
