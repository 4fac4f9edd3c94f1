"""Which public ad goes through which scenario, and what is known to be wrong with it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    # Of the scenario below Tests/Scenarios; the part before the slash is the checkout that the ad is from.
    name: str
    # Below the copy of the checkout.
    creative: str
    # What to know when it passes: a defect of the ad's own, or how our copy differs.
    remark: str = ""
    options: tuple = ()

    @property
    def suite(self):
        return self.name.split("/")[0]


UNITS = "compliance/units"

CASES = [
    Case(
        "iab/loadandevents",
        "loadandevents/ad.html",
        "theirs: throws in its own stateChange listener before ready; never listens to audioVolumeChange",
    ),
    Case("iab/viewability", "viewability/ad.html"),
    Case(
        "iab/resize-negative",
        "resize-negative/resize-test.html",
        "theirs: can't run; startTests gets no mraid from the ready event",
    ),
    Case(
        "iab/resize-negative-repaired",
        "resize-negative-repaired/resize-test.html",
        "repaired: 13 of its 13 tests pass",
    ),
    Case(
        "webtester/expand",
        f"{UNITS}/expand.html",
        "theirs: leaves the body its default margin, so its frame isn't centred",
        ("--screen", "390x844@2"),
    ),
    Case(
        "webtester/twopart-expand",
        f"{UNITS}/twopart-expand-part1.html",
        "theirs: wants no close button, as MRAID 2 allowed; in MRAID 3 the host always draws one",
    ),
    Case("webtester/resize", f"{UNITS}/resize.html"),
    Case("webtester/resize-bottom", f"{UNITS}/resize.html"),
    Case("webtester/resize-err", f"{UNITS}/resize-err.html", "theirs: disables itself unless getVersion() is 2.0"),
    Case(
        "webtester/resize-err-mraid-2", f"{UNITS}/resize-err.html", "in a container of 2.0", ("--container", "mraid-2")
    ),
    Case(
        "webtester/fullpage",
        f"{UNITS}/fullpage.html",
        "theirs: its log falls silent when it starts with the ready event",
    ),
    Case("webtester/fullpage-interstitial", f"{UNITS}/fullpage.html"),
    Case("webtester/interstitial", f"{UNITS}/interstitial.html"),
    Case("webtester/interstitial-end", f"{UNITS}/interstitial.html"),
]
