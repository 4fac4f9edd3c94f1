"""What the built program says of itself."""

import json
import subprocess

from lib.common import help_examples


class Program:
    """A build of galley, asked for its machine-readable descriptions."""

    def __init__(self, path, root):
        self.path = path
        self.root = root
        self._commands = None

    def json(self, *words):
        done = subprocess.run([self.path, *words], stdout=subprocess.PIPE, check=True, cwd=self.root)
        return json.loads(done.stdout)

    def examples(self, name):
        return help_examples.of(self.path, name)

    def commands(self):
        """The subcommands that people see; those that answer browsers are described by the server's own program."""
        if self._commands is None:
            found = self.json('--experimental-dump-help')['command']['subcommands']
            shown = [command for command in found if command['shouldDisplay'] and command['commandName'] != 'help']
            self._commands = [
                self.json(command['commandName'], '--experimental-dump-help')['command']
                if command['commandName'] in ('serve', 'work', 'play', 'show') else command for command in shown]
        return self._commands


def leaves(command, before=''):
    """Each command with its full name, groups of commands before what is in them."""
    name = f'{before} {command["commandName"]}'.strip()
    yield name, command
    for inner in command.get('subcommands', []):
        if inner['shouldDisplay'] and inner['commandName'] != 'help':
            yield from leaves(inner, name)


def shown(command):
    return [argument for argument in command.get('arguments', []) if argument['shouldDisplay']]


def spelled(argument):
    """The names of an option, short ones first."""
    names = sorted(argument.get('names', []), key=lambda name: name['kind'] != 'short')
    return [('-' if name['kind'] == 'short' else '--') + name['name'] for name in names]
