import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / 'docs/develop/architecture.md'
MOST_WORDS = 900
TOOLCHAIN = {'Dispatch', 'Foundation', 'FoundationEssentials', 'FoundationNetworking', 'FoundationXML', 'Glibc',
             'Synchronization', 'Testing'}


def targets():
    """The targets of Package.swift that aren't for tests, in their order."""
    text = (ROOT / 'Package.swift').read_text()
    names = re.findall(r'\.(?:systemLibrary|target|executableTarget)\(\s*name: "([^"]+)"', text)
    return [name for name in dict.fromkeys(names) if (ROOT / 'Sources' / name).is_dir()]


def rows():
    """The names in the first column of the page's table, row by row."""
    return [re.findall(r'`([^`]+)`', line.split('|')[1]) for line in PAGE.read_text().splitlines()
            if line.startswith('| `')]


def declared():
    """The names in the declaration of each target of Package.swift, tests included: itself and what it depends on."""
    text = (ROOT / 'Package.swift').read_text()
    parts = re.split(r'\n    \.(?=(?:systemLibrary|target|executableTarget|testTarget)\()', text)[1:]
    lists = [re.findall(r'"([^"]+)"', part) for part in parts]
    return {names[0]: {name.replace('-', '_') for name in names} for names in lists}


def imported(target):
    """The modules that the Swift files of a target import, except those of the toolchain."""
    access, kind = r'(?:(?:internal|package|public|private) )?', r'(?:(?:struct|func|class|enum) )?'
    line = re.compile(rf'^(?:@\w+ )?{access}import {kind}(\w+)', re.MULTILINE)
    folders = [ROOT / 'Sources' / target, ROOT / 'Tests' / target]
    files = [file for folder in folders for file in folder.rglob('*.swift')]
    return {name for file in files for name in line.findall(file.read_text())} - TOOLCHAIN


class ArchitectureTests(unittest.TestCase):
    def test_the_table_has_each_target_once(self):
        self.assertEqual(sorted(name for row in rows() for name in row), sorted(targets()))

    def test_the_table_has_the_order_of_the_package(self):
        single = [row[0] for row in rows() if len(row) == 1]
        self.assertEqual(single, [name for name in targets() if name in single])

    def test_each_folder_of_sources_is_a_target(self):
        folders = {path.name for path in (ROOT / 'Sources').iterdir() if path.is_dir()}
        self.assertEqual(folders, set(targets()))

    def test_each_target_declares_what_it_imports(self):
        names = declared()
        self.assertGreater(len(names), 80)
        missing = {target: imported(target) - own for target, own in names.items()}
        self.assertEqual({target: modules for target, modules in missing.items() if modules}, {})

    def test_the_page_is_short(self):
        self.assertLessEqual(len(PAGE.read_text().split()), MOST_WORDS)


if __name__ == '__main__':
    unittest.main()
