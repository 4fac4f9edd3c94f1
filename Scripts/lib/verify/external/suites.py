"""The suites: what each is, what it is read from, and how it is run."""

import dataclasses
from collections.abc import Callable

from lib.verify.external.readers import (
    act,
    banners,
    bids,
    chromium,
    clock,
    images,
    libraries,
    macros,
    omid,
    own,
    samples,
    schemas,
    simid,
    timing,
    urls,
    vast,
)


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
    Suite("own", "A small part of our own, for CI", "as in the suites below", [], own.run),
    Suite("macros", "IAB, list of VAST macros", "the macro is replaced in a requested address", ["vast"],
          macros.run),
    Suite("vast-schemas", "IAB, schemas of VAST 2.0.1 to 4.2, with documents made of them",
          "documents that are valid for xmllint are read in full, and invalid ones are reported", ["vast"],
          schemas.run),
    Suite("vast-differential", "vast-client-js, over the documents of four suites",
          "both read the same ads, creatives, media, trackers and errors",
          ["vast-client-js", "vast-samples", "videojs-ima", "prebid-mobile-android"], vast.run),
    Suite("vast-samples", "IAB, VAST_Samples", "it plays, or ends with the standard's code for its fault",
          ["vast-samples"], samples.run_iab),
    Suite("ima-ads", "videojs-ima, canned ads", "it plays, or ends with the standard's code for its fault",
          ["videojs-ima"], samples.run_ima),
    Suite("simid", "IAB, SIMID's example creatives, beside their own player in Chromium",
          "the creative and the player send the same messages in the same order", ["simid"], simid.run),
    Suite("prebid-server", "prebid-server, adapters' exemplary bid responses",
          "its type is recognised, or it is refused for its fault", ["prebid-server"], bids.run_server),
    Suite("prebid-mobile", "prebid-mobile-ios and -android, fixtures",
          "its type is recognised, or it is refused for its fault",
          ["prebid-mobile-ios", "prebid-mobile-android"], bids.run_mobile),
    Suite("image-tools", "Playwright, image_tools",
          "`galley diff` gives the same verdict, with default options and for faint areas", ["playwright"],
          images.run),
    Suite("clock", "Playwright, unit tests of its clock", "the test passes in virtual time", ["playwright"],
          clock.run_unit),
    Suite("page-clock", "Playwright, tests of its clock in a page", "the test passes in virtual time", ["playwright"],
          clock.run_page),
    Suite("fake-timers", "sinon's fake timers, their own tests", "the test passes in virtual time", ["fake-timers"],
          clock.run_fake_timers),
    Suite("urls", "WPT, urltestdata.json as ada keeps it",
          "the engine uses the standard's host, and a blocked host is refused", ["ada"], urls.run),
    Suite("timing", "WPT, timers, frames, animations, transitions and high resolution time",
          "tests that pass in machine time pass in virtual time", ["wpt"], timing.run),
    Suite("anime", "anime.js, its own tests", "the test passes in virtual time", ["anime"],
          libraries.run_anime),
    Suite("easeljs", "EaselJS, its own tests, with their pictures", "the test passes in virtual time", ["easeljs"],
          libraries.run_easeljs),
    Suite("act-rules", "W3C, ACT rules for names, titles and languages",
          "the check reports failed examples, and nothing in passed or inapplicable ones", ["act-rules"],
          act.run),
    Suite("omid", "IAB, Open Measurement JS clients, measuring scripts and reference creatives",
          "measuring code receives the events in order, with the members of their typedefs", ["omid-js-clients"],
          omid.run),
    Suite("banners", "Ads of seven public repositories, 200 at random",
          "it has a verdict, and two renders have the same pictures and log",
          banners.SOURCES, banners.run),
    Suite("chromium-rows", "Chromium, on the differences that Galley documents",
          "both engines behave as the row states, and alike with the remedy", [], chromium.run_rows,
          chromium.version),
    Suite("chromium-samples", "Chromium, on Galley's samples",
          "elements have Galley's size and position, and everything except letters looks the same", [],
          chromium.run_samples, chromium.version),
    Suite("chromium-banners", "Chromium, on 40 random pages of public repositories", "the same",
          chromium.BANNERS,
          chromium.run_banners, chromium.version),
]
