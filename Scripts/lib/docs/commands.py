"""The pages of the commands, from what swift-argument-parser tells of them."""


from lib.docs.program import leaves, shown, spelled
from lib.docs.tables import cell, code, table


def pages(galley):
    found = {}
    rows = []
    for command in galley.commands():
        name = command['commandName']
        found[f'commands/{name}.md'] = page(galley, command)
        rows.append([f'[`galley {name}`]({name}.md)', cell(command['abstract'])])
    found['commands/README.md'] = (
        '# Commands\n\n' + table(['command', 'description'], rows)
        + '\nThe page [exit codes](../exit-codes.md) lists the exit codes. '
        '`galley --generate-completion-script bash` prints completions for `bash`, `zsh` or `fish`.\n')
    return found


def page(galley, command):
    parts = []
    for name, one in leaves(command):
        depth = '#' * len(name.split())
        parts.append(f'{depth} galley {name}\n\n{one["abstract"]}\n')
        inner = [part for part in one.get('subcommands', []) if part['shouldDisplay'] and part['commandName'] != 'help']
        if inner and not arguments(one):
            continue
        parts.append(f'```\ngalley {name}{usage(one)}\n```\n')
        if one.get('discussion'):
            parts.append(one['discussion'].strip() + '\n')
        parts += sections(one)
        if examples := galley.examples(name):
            width = max(len(call) for call, _ in examples)
            lines = [f'{call:{width}}  # {purpose}' for call, purpose in examples]
            parts.append('Examples:\n\n```sh\n' + '\n'.join(lines) + '\n```\n')
    return '\n'.join(parts)


def arguments(command):
    """All that a command takes, but what every command has."""
    return [one for one in shown(command) if one['valueName'] not in ('help', 'version') or one['kind'] == 'positional']


def usage(command):
    words = ''
    for one in arguments(command):
        if one['kind'] == 'positional':
            word = f'<{one["valueName"]}>' + (' …' if one['isRepeating'] else '')
            words += f' [{word}]' if one['isOptional'] else f' {word}'
    return (' [options]' if any(one['kind'] != 'positional' for one in arguments(command)) else '') + words


def sections(command):
    """A table of arguments, then one for each group of options, in the order in which help has them."""
    groups: dict[str, list[dict]] = {}
    for one in arguments(command):
        title = 'Arguments' if one['kind'] == 'positional' else one.get('sectionTitle', 'Options')
        groups.setdefault(title, []).append(one)
    for title in sorted(groups, key=lambda title: title != 'Arguments'):
        rows = [[names(one), meaning(one)] for one in groups[title]]
        yield table([title.lower(), 'meaning'], rows)


def names(one):
    if one['kind'] == 'positional':
        return code(f'<{one["valueName"]}>')
    text = ', '.join(code(name) for name in spelled(one))
    return text if one['kind'] == 'flag' else f'{text} {code("<" + one["valueName"] + ">")}'


def meaning(one):
    text = cell(one.get('abstract', ''))
    if one.get('allValues'):
        text += ' One of ' + ', '.join(code(value) for value in one['allValues']) + '.'
    default = one.get('defaultValue')
    # A default in the text stands for a value that differs from machine to machine.
    if default and 'default:' not in text:
        text += f' Default: {code(default)}.'
    return text + (' Can be repeated.' if repeats(one, text) else '')


def repeats(one, text):
    return one['isRepeating'] and one['kind'] == 'option' and 'repeatable' not in text
