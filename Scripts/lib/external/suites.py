"""The suites: what each is, what it is read from, and how it is run."""

import dataclasses
from typing import Callable

import readers.act
import readers.banners
import readers.bids
import readers.chromium
import readers.clock
import readers.images
import readers.libraries
import readers.macros
import readers.omid
import readers.own
import readers.samples
import readers.schemas
import readers.simid
import readers.timing
import readers.urls
import readers.vast


@dataclasses.dataclass
class Suite:
    name: str
    # As the table has it.
    title: str
    # What a right case is, as the table has it.
    meaning: str
    sources: list[str]
    run: Callable
    # Of the program that it is compared with, where that isn't among the sources.
    version: Callable = lambda: ""


SUITES = [
    Suite("own", "A small part of our own, for CI", "as in the suites below", [], readers.own.run),
    Suite("macros", "IAB, list of VAST macros", "the macro is replaced in an address that is asked", ["vast"],
          readers.macros.run),
    Suite("vast-schemas", "IAB, schemas of VAST 2.0.1 to 4.2, with documents made of them",
          "what xmllint calls valid is read in full, and what it calls invalid isn't taken without a word", ["vast"],
          readers.schemas.run),
    Suite("vast-differential", "vast-client-js, over the documents of four suites",
          "both read the same ads, creatives, media, trackers and errors",
          ["vast-client-js", "vast-samples", "videojs-ima", "prebid-mobile-android"], readers.vast.run),
    Suite("vast-samples", "IAB, VAST_Samples", "it plays, or ends in the standard's code for what it is",
          ["vast-samples"], readers.samples.run_iab),
    Suite("ima-ads", "videojs-ima, canned ads", "it plays, or ends in the standard's code for what it is",
          ["videojs-ima"], readers.samples.run_ima),
    Suite("simid", "IAB, SIMID's example creatives, beside their own player in Chromium",
          "the creative and the player say the same, in the same order", ["simid"], readers.simid.run),
    Suite("prebid-server", "prebid-server, adapters' exemplary bid responses",
          "it is what it is, or is refused for what is wrong with it", ["prebid-server"], readers.bids.run_server),
    Suite("prebid-mobile", "prebid-mobile-ios and -android, fixtures",
          "it is what it is, or is refused for what is wrong with it",
          ["prebid-mobile-ios", "prebid-mobile-android"], readers.bids.run_mobile),
    Suite("image-tools", "Playwright, image_tools", "`galley diff` gives the same verdict: plainly, and of faint areas", ["playwright"],
          readers.images.run),
    Suite("clock", "Playwright, unit tests of its clock", "the test passes in virtual time", ["playwright"],
          readers.clock.run_unit),
    Suite("page-clock", "Playwright, tests of its clock in a page", "the test passes in virtual time", ["playwright"],
          readers.clock.run_page),
    Suite("fake-timers", "sinon's fake timers, their own tests", "the test passes in virtual time", ["fake-timers"],
          readers.clock.run_fake_timers),
    Suite("urls", "WPT, urltestdata.json as ada keeps it",
          "the engine sees the standard's host, and a host nobody may speak to is refused", ["ada"], readers.urls.run),
    Suite("timing", "WPT, timers, frames, animations, transitions and high resolution time",
          "what passes in the machine's time passes in virtual time", ["wpt"], readers.timing.run),
    Suite("anime", "anime.js, its own tests", "the test passes in virtual time", ["anime"], readers.libraries.run_anime),
    Suite("easeljs", "EaselJS, its own tests, with their pictures", "the test passes in virtual time", ["easeljs"],
          readers.libraries.run_easeljs),
    Suite("act-rules", "W3C, ACT rules for names, titles and languages",
          "the check finds what fails, and nothing in what passes or isn't meant", ["act-rules"], readers.act.run),
    Suite("omid", "IAB, Open Measurement JS clients, measuring scripts and reference creatives",
          "measuring code hears the event in its order, with the members of its typedef", ["omid-js-clients"],
          readers.omid.run),
    Suite("banners", "Ads of seven public repositories, 200 by lot", "it has a verdict, and twice the same pictures and log",
          readers.banners.SOURCES, readers.banners.run),
    Suite("chromium-rows", "Chromium, over what Galley says that it does otherwise",
          "both engines do what the row says, and the same where an author minds it", [], readers.chromium.run_rows,
          readers.chromium.version),
    Suite("chromium-samples", "Chromium, over Galley's samples",
          "elements are as large and where they are in Galley, and all but letters is drawn so", [],
          readers.chromium.run_samples, readers.chromium.version),
    Suite("chromium-banners", "Chromium, over 40 pages of public repositories, by lot", "the same", readers.chromium.BANNERS,
          readers.chromium.run_banners, readers.chromium.version),
]
