"""Builds of the sample game: the committed samples are the script's, and each package is one that its network reads."""

import json
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "Creatives/playable"
PROFILES = ROOT / "Sources/Checks/Profiles/Networks"


def build(*words):
    return subprocess.run([sys.executable, SAMPLES / "build", *words], capture_output=True, text=True)


class PlayableBuildTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="playable builds ")
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.out = Path(cls.scratch.name)
        for words in (["packages", "--wrong"], ["again", "--wrong"], ["samples", "--samples"]):
            done = build("--out", cls.out / words[0], *words[1:])
            assert not done.returncode, done.stderr
        cls.packages = {package.stem: package for package in (cls.out / "packages").iterdir()}

    def test_committed_samples_are_those_of_the_script(self):
        made = {page.parent.name: page.read_text() for page in (self.out / "samples").glob("*/index.html")}
        committed = {scenario.parent.name: (scenario.parent / "index.html").read_text()
                     for scenario in SAMPLES.glob("*/scenario.yaml")}
        self.assertEqual(made.keys(), committed.keys())
        for name, page in made.items():
            self.assertEqual(page, committed[name],
                             f"{name}: run Creatives/playable/build --out Creatives/playable --samples")

    def test_a_second_build_has_the_same_bytes(self):
        for package in self.packages.values():
            self.assertEqual(package.read_bytes(), (self.out / "again" / package.name).read_bytes(), package.name)

    def test_packages_have_the_files_of_their_networks_profiles(self):
        asked = 0
        for name, package in self.packages.items():
            profile = PROFILES / f"{name}.json"
            rules = json.loads(profile.read_text())["rules"] if profile.exists() else []
            for rule in (rule for rule in rules if rule["check"] == "package-shape"):
                kinds = rule.get("packages", [package.suffix[1:]])
                self.assertIn(package.suffix[1:], kinds, name)
                for wanted in rule.get("files", []) if package.suffix == ".zip" else []:
                    asked += 1
                    allowed = {*wanted.replace("{name}", name).split("|")}
                    self.assertTrue(allowed & {*zipfile.ZipFile(package).namelist()}, f"{name}: {wanted}")
        self.assertGreaterEqual(asked, 5)

    def test_a_wrong_game_differs_from_the_right_one(self):
        for name in self.packages:
            right = max((other for other in self.packages if name.startswith(f"{other}-")), key=len, default=None)
            if right:
                self.assertNotEqual(self.packages[name].read_bytes(), self.packages[right].read_bytes(), name)

    def test_named_networks_alone_are_built(self):
        build("--out", self.out / "few", "unity", "meta")
        self.assertEqual(sorted(path.name for path in (self.out / "few").iterdir()), ["meta.html", "unity.html"])

    def test_an_unknown_network_is_refused_before_anything_is_written(self):
        done = build("--out", self.out / "none", "mete")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no network 'mete'", done.stderr)
        self.assertFalse((self.out / "none").exists())

    def test_a_sample_of_a_network_with_mraid_is_refused(self):
        done = build("--out", self.out / "none", "--samples", "unity")
        self.assertEqual(done.returncode, 2)
        self.assertIn("leave out --samples", done.stderr)


if __name__ == "__main__":
    unittest.main()
