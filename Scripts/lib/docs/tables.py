"""Markdown made of texts that may hold anything."""


def cell(text):
    return str(text).replace('|', '\\|').replace('<', '&lt;').replace('\n', ' ')


def code(text):
    """A code span; inside one, a table wants its bars escaped and nothing else."""
    return f'`{str(text).replace("|", chr(92) + "|")}`'


def table(heads, rows):
    lines = ['| ' + ' | '.join(heads) + ' |', '|' + '---|' * len(heads)]
    lines += ['| ' + ' | '.join(row) + ' |' for row in rows]
    return '\n'.join(lines) + '\n'


def source(value):
    """A citation as a link, with the day of what it says."""
    date = f' ({value["date"]})' if value.get('date') else ''
    if not value['url'].startswith('http'):
        return cell(value['title']) + date
    return f'[{cell(value["title"])}]({value["url"]}){date}'
