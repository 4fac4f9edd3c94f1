"""The pure parts of Scripts/verify-external chromium: boxes side by side, and which pages are candidates of the lot."""

import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Scripts"))

from lib.verify.external.chromium import boxes, creatives  # noqa: E402
from lib.verify.external.readers import chromium  # noqa: E402


def row(path, x=0, y=0, width=100, height=20, is_seen=True, kind="box"):
    return [path, x, y, width, height, is_seen, kind, "Arial", "static"]


def shown(*rows, lines=None):
    return SimpleNamespace(survey={"boxes": rows}, lines={"boxes": rows if lines is None else lines})


def said(ours, theirs):
    return [(one.path, one.what) for one in boxes.differences(boxes.read(ours), boxes.read(theirs))]


class PlaceTests(unittest.TestCase):
    def test_the_checkout_is_found_from_where_the_scripts_are(self):
        self.assertTrue((chromium.work_root() / "Package.swift").is_file())
        self.assertTrue(chromium.fonts().is_file())


class DifferenceTests(unittest.TestCase):
    def test_the_same_boxes_have_none(self):
        self.assertEqual(said([row("#ad"), row("p", y=3)], [row("#ad"), row("p", y=3)]), [])

    def test_a_dip_is_rounding_and_more_is_a_difference(self):
        self.assertEqual(said([row("p", x=10)], [row("p", x=11)]), [])
        self.assertEqual(said([row("p", x=10)], [row("p", x=11.5)]), [("p", "place")])
        self.assertEqual(said([row("p")], [row("p", height=21.5)]), [("p", "size")])
        self.assertEqual(said([row("p")], [row("p", width=98.5)]), [("p", "size")])
        self.assertEqual(said([row("p", y=1)], [row("p", y=-1)]), [("p", "place")])

    def test_letters_may_be_a_fiftieth_wider_and_boxes_may_not(self):
        self.assertEqual(said([row("p", kind="text")], [row("p", width=102.9, kind="text")]), [])
        self.assertEqual(said([row("p", kind="text")], [row("p", width=104, kind="text")]), [("p", "size")])
        self.assertEqual(said([row("p")], [row("p", width=102.9)]), [("p", "size")])

    def test_what_one_engine_alone_has_or_shows_is_named(self):
        self.assertEqual(said([row("p")], []), [("p", "only in")])
        self.assertEqual(said([], [row("p")]), [("p", "only in")])
        self.assertEqual(said([row("p")], [row("p", is_seen=False)]), [("p", "seen in")])
        self.assertEqual(said([row("p", is_seen=False)], []), [])

    def test_what_nobody_sees_has_no_place(self):
        self.assertEqual(said([row("p", is_seen=False)], [row("p", x=500, is_seen=False)]), [])


class NearestTests(unittest.TestCase):
    def test_the_frame_that_differs_least_counts(self):
        frames = [shown(row("p", x=20)), shown(row("p", x=10)), shown(row("p", x=0))]
        found = boxes.nearest(shown(row("p", x=10.5)), frames)
        self.assertEqual(found.plain, [])
        self.assertIs(found.order[0], frames[1])
        self.assertEqual(boxes.cause(found), "")

    def test_lines_are_the_cause_where_lines_of_one_height_are_the_same(self):
        one = shown(row("p"), lines=[row("p", height=20)])
        found = boxes.nearest(one, [shown(row("p", height=23), lines=[row("p", height=20)])])
        self.assertEqual(len(found.plain), 1)
        self.assertEqual(boxes.cause(found), ", lines")

    def test_controls_are_the_cause_where_nothing_else_is_left(self):
        wide, narrow = row("input", width=150, kind="control"), row("input", width=170, kind="control")
        self.assertEqual(boxes.cause(boxes.nearest(shown(wide), [shown(narrow)])), ", controls")

    def test_anything_else_has_no_cause_of_its_own(self):
        self.assertEqual(boxes.cause(boxes.nearest(shown(row("p")), [shown(row("p", width=50))])), "")


class LettersTests(unittest.TestCase):
    def test_are_those_of_both_engines_that_are_seen(self):
        one = shown(row("p", kind="text"), row("div"), row("b", kind="text", is_seen=False))
        other = shown(row("input", x=5, kind="control"))
        self.assertEqual(boxes.letters(one, other), [(0, 0, 100, 20), (5, 0, 100, 20)])


class CandidateTests(unittest.TestCase):
    PAGE = "<html><head></head><body><img src='a.png'></body></html>"

    def test_an_ad_says_its_size_and_has_all_it_needs(self):
        self.assertTrue(creatives.is_candidate("a/300x250/index.html", self.PAGE))
        self.assertTrue(creatives.is_candidate("a.html", "<meta name='ad.size' content='width=1'>" + self.PAGE))
        self.assertFalse(creatives.is_candidate("a/index.html", self.PAGE))
        self.assertFalse(creatives.is_candidate("a/300x250/part.html", "<p>no document</p>"))

    def test_what_asks_others_or_other_folders_is_none(self):
        for tag in ("<script src='https://cdn.example/a.js'></script>", "<img src=//cdn.example/a.png>",
                    "<link rel=stylesheet href=\"../a.css\">"):
            self.assertFalse(creatives.is_candidate("300x250.html", self.PAGE + tag), tag)


if __name__ == "__main__":
    unittest.main()
