"""The libraries that are tried: where their published builds are had, and when what our pages do with them is over."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Build:
    """A file of a published build, by its name, and the package that carries it, where there is one."""

    file: str
    debian: str | None = None
    pypi: str | None = None
    # What the file is called in there, as a pattern, where that is something else.
    carried: str | None = None


@dataclass(frozen=True)
class Library:
    name: str
    builds: list
    # What the page's callbacks are to say, as the second after its motion began at which each does.
    marks: list
    # The second at which the picture comes to rest; none where it never does.
    rest: float | None = None
    # Whole seconds that the page has to tell by the library's own count.
    seconds: int = 0
    page: str | None = None
    # Pictures a second that it draws itself.
    rate: int = 60
    substitutes: dict = field(default_factory=dict)
    # Frames that a callback may come after its instant: each that waits for another adds its own.
    patience: int = 2


def carousel(last, patience) -> dict:
    """A slide begins 0.6 s after the last has come, and takes 0.7 s."""
    marks = [mark for turn in range(last) for mark in ((0.6 + 1.3 * turn, "slide"), (1.3 + 1.3 * turn, "slid"))]
    return {"marks": marks, "patience": patience}


JQUERY = Build("jquery.min.js", debian="libjs-jquery")
GSAP = Build("gsap.min.js")
LOTTIE = Build("lottie.min.js", pypi="streamlit-lottie==0.0.5", carried="2.*.chunk.js")
CREATEJS: dict = {
    "builds": [Build("easeljs.min.js"), Build("tweenjs.min.js")], "page": "createjs", "seconds": 6, "rest": 6,
    "marks": [(1, "text"), (3, "text back"), (4, "swing")],
}

LIBRARIES = [
    Library("gsap", [GSAP], rest=9.6, seconds=6, marks=[
        (1, "headline"), (1.5, "delayed"), (3.6, "timeline turned"), (6.7, "timeline"), (9.6, "spin")]),
    Library("gsap-scrolltrigger", [GSAP, Build("ScrollTrigger.min.js")], page="scrolltrigger", rest=6, seconds=6,
            marks=[(0.6, "entered"), (3.06, "left"), (5, "bar"), (6, "scrolled")]),
    Library("gsap-2", [Build("TweenMax.min.js")], page="tweenmax", rest=8.6, seconds=8, marks=[
        (1, "headline"), (1.5, "delayed"), (8.6, "timeline")]),
    Library("createjs-raf", substitutes={"mode": "RAF"}, **CREATEJS),
    Library("createjs-timeout", substitutes={"mode": "TIMEOUT"}, rate=24, patience=4, **CREATEJS),
    Library("lottie", [LOTTIE], rest=9, seconds=8, patience=3, marks=[
        (3, "loop"), (6, "loop"), (8.967, "complete")]),
    Library("anime-3", [Build("anime.min.js")], page="anime3", rest=6.2, seconds=6, marks=[
        (3.1, "loop"), (6.2, "timeline")]),
    Library("anime-4", [Build("anime.umd.min.js")], page="anime", rest=9.6, seconds=6, marks=[
        (1, "headline"), (3.1, "loop"), (6.2, "timeline"), (9.6, "spin")]),
    Library("swiper-5", [Build("swiper.min.js"), Build("swiper.min.css")], page="swiper", **carousel(3, 6)),
    Library("swiper-11", [Build("swiper-bundle.min.js"), Build("swiper-bundle.min.css")], page="swiper",
            **carousel(3, 6)),
    Library("jquery", [JQUERY], rest=6, seconds=6, marks=[
        (1, "headline"), (2.2, "faded"), (3, "headline back"), (6, "counted")]),
    Library("velocity", [Build("velocity.min.js")], rest=6, seconds=6, patience=6, marks=[
        (1, "headline"), (3, "headline back"), (4, "loops")]),
    Library("three", [Build("three.min.js", debian="libjs-three")], seconds=9, marks=[]),
    Library("raphael", [Build("raphael.min.js", debian="libjs-raphael")], rest=6, marks=[
        (1.5, "circle"), (3, "square"), (6, "bar")]),
    Library("d3", [Build("d3.min.js", debian="libjs-d3")], rest=6, seconds=6, marks=[
        (1, "bar 0"), (1.4, "bar 1"), (1.8, "bar 2"), (2.2, "bar 3")]),
    Library("slick", [JQUERY, Build("slick.min.js", debian="libjs-slick"), Build("slick.css", debian="libjs-slick")],
            **carousel(3, 6)),
]
