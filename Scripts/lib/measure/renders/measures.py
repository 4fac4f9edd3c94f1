"""The measures; each yields comparisons of samples taken in turns, in an order that rotates by round."""

import dataclasses
import statistics
import sys
from dataclasses import dataclass, field

from lib.measure.renders.contenders import Browser, Galley, HeadlessShell
from lib.measure.renders.memory import Sampler

PROCESS, SESSION = Galley("process"), Galley("session")
# Left alone, a moving ad has a screenshot of its end frame as well: these take one, once it is shown, as browsers do.
ONE = [Galley("process", "--at", "0"), Galley("session", "--at", "0")]
CHROMIUM, SHELL = Browser("chromium", ["--headless"]), HeadlessShell("headless shell")
BROWSERS = [CHROMIUM, SHELL]
INSTANTS = [0, 1, 2, 5, 15, 30]
STATIC = "static"


@dataclass
class Aim:
    """How many times less than the better browser Galley is to take, and how much at most."""

    ratio: float
    most: float | None = None


THROUGHPUT_AIMS = {PROCESS.name: {1: Aim(4), 3: Aim(6)}, SESSION.name: {1: Aim(10), 3: Aim(15)}}
STATIC_AIM = Aim(0, most=110)
COLD_AIM = Aim(2, most=450)
INSTANTS_AIM = Aim(25, most=1200)
MEMORY_AIM = Aim(1 / 0.6)
# Told, but nothing is aimed at.
ANY = Aim(0)


@dataclass
class Comparison:
    """Samples of one measure, by contender; the lower the better."""

    measure: str
    galley: str
    conditions: dict
    unit: str
    samples: dict[str, list[float]]
    aim: Aim
    problems: list[str] = field(default_factory=list)
    notes: dict = field(default_factory=dict)

    def median(self, name):
        return statistics.median(self.samples[name])

    @property
    def peer(self):
        """The browser that takes less."""
        return min((browser.name for browser in BROWSERS), key=self.median)

    @property
    def ratio(self):
        """How many times less Galley takes than the better browser."""
        return self.median(self.peer) / self.median(self.galley)

    @property
    def is_aim(self):
        return self.aim != ANY

    @property
    def met(self):
        """A result with failures in it meets nothing."""
        within = self.aim.most is None or self.median(self.galley) <= self.aim.most
        return not self.problems and within and self.ratio >= self.aim.ratio


class Runs:
    """What contenders took for the same work, round after round."""

    def __init__(self, contenders):
        self._runs: dict[str, list[tuple]] = {contender.name: [] for contender in contenders}

    def add(self, contender, run, share=1):
        """Counts a run; `share` is how many creatives were in it."""
        self._runs[contender.name].append((run.seconds * 1000 / share, run.processor * 1000 / share, run.problems))

    def last(self, contender):
        wall, processor, problems = self._runs[contender.name][-1]
        return f"{wall:.0f} ms, {processor:.0f} ms of processors" + (f"; {problems[0]}" if problems else "")

    def comparisons(self, measure, contenders, conditions, unit, aims):
        """One of wall time and one of processor time for each of Galley's ways; `aims` says which those are held to."""
        for galley in (contender for contender in contenders if contender not in BROWSERS):
            names = [galley.name, *(browser.name for browser in BROWSERS)]
            problems = unique(problem for name in names for _, _, found in self._runs[name] for problem in found)
            for which, (time, aim) in enumerate(zip(("wall", "processor"), aims(galley), strict=True)):
                samples = {name: [run[which] for run in self._runs[name]] for name in names}
                yield Comparison(f"{measure}, {time}", galley.name, conditions, unit, samples, aim, problems)


def throughput(work, settings, options):
    """Milliseconds per creative of a batch with one screenshot of each, by scale and concurrency."""
    yield from batches("throughput", work.batch, work.batch, ONE, settings, options)


def full(work, settings, options):
    """The same, but Galley plays the creatives' scenarios: all states, a screenshot of each; browsers do as before."""
    yield from batches("all states", work.scenarios, work.batch, [PROCESS, SESSION], settings, options)


def static(work, settings, options):
    """Milliseconds per static banner of a batch."""
    banners = [creative for creative in work.copies if creative.name == STATIC] or work.copies[:1]
    batch = (banners * options.count)[: options.count]
    yield from batches("static banner", batch, batch, [PROCESS], settings, options)


def batches(measure, for_galley, for_browsers, ways, settings, options):
    def aims(galley):
        if measure == "static banner":
            return ANY, STATIC_AIM
        return (THROUGHPUT_AIMS[galley.name].get(scale, ANY) if measure == "throughput" else ANY), ANY

    for scale, jobs, given in conditions(settings, options):
        contenders = [*ways, *BROWSERS]
        runs = Runs(contenders)
        for contender in turns(contenders, options.rounds):
            batch = for_browsers if contender in BROWSERS else for_galley
            runs.add(contender, contender.batch(batch, given), share=len(batch))
            progress(measure, contender, given, runs.last(contender))
        yield from runs.comparisons(measure, contenders, {"scale": scale, "jobs": jobs}, "ms per creative", aims)


def cold(work, settings, options):
    """Milliseconds from a command's start to its end, for one creative; a static banner, and three that differ."""
    static = [creative for creative in work.copies if creative.name == STATIC] or work.copies[:1]
    for measure, chosen, aim in (
        ("cold, static banner", static[:1], COLD_AIM),
        ("cold", work.copies[:: max(1, len(work.copies) // 3)][:3], ANY),
    ):
        yield from singly(
            measure, [ONE[0], *BROWSERS], settings, options, options.rounds, chosen,
            lambda contender, creative, given: contender.cold(creative, given),
            lambda _, aim=aim: (aim, ANY),
        )


def instants(work, settings, options):
    """Milliseconds for pictures of a moving creative at six instants, the last after 30 s."""
    moving = [creative for creative in work.copies if creative.name in ("animated", "canvas")] or work.copies[:1]
    # A browser's time is the creative's own: more rounds would only wait.
    yield from singly(
        "instants", [PROCESS, *BROWSERS], settings, options, min(options.rounds, 2), moving,
        lambda contender, creative, given: contender.instants(creative, INSTANTS, given),
        lambda _: (INSTANTS_AIM, ANY),
    )


def singly(measure, contenders, settings, options, rounds, creatives, take, aims):
    for scale in options.scales:
        given = dataclasses.replace(settings, scale=scale)
        runs = Runs(contenders)
        for contender in turns(contenders, rounds):
            for creative in creatives:
                runs.add(contender, take(contender, creative, given))
                progress(measure, contender, given, runs.last(contender))
        yield from runs.comparisons(measure, contenders, {"scale": scale, "jobs": 1}, "ms", aims)


def memory(work, settings, options):
    """Mebibytes of the whole process tree at its peak; what processes share counts once.

    Of a browser's tree, Playwright's own processes don't count.
    """
    for scale, jobs, given in conditions(settings, options):
        samples: dict[str, list[float]] = {}
        problems: dict[str, list[str]] = {}
        with_driver, taken = [], 0
        for contender in turns([*ONE, *BROWSERS], options.rounds):
            with Sampler() as sampler:
                run = contender.batch(work.batch, given)
            peak = (sampler.peak_without_driver if contender in BROWSERS else sampler.peak) / 2**20
            samples.setdefault(contender.name, []).append(peak)
            problems.setdefault(contender.name, []).extend(run.problems + sampler.problems)
            with_driver += [sampler.peak / 2**20] if contender in BROWSERS else []
            taken += sampler.samples
            progress("memory", contender, given, f"{peak:.0f} MiB" + (f"; {run.problems[0]}" if run.problems else ""))
        for galley in ONE:
            names = [galley.name, *(browser.name for browser in BROWSERS)]
            yield Comparison(
                "memory", galley.name, {"scale": scale, "jobs": jobs}, "MiB", {name: samples[name] for name in names},
                MEMORY_AIM if jobs == 2 else ANY, unique(problem for name in names for problem in problems[name]),
                {"browsersWithDriver": with_driver, "samplesTaken": taken},
            )


def conditions(settings, options):
    for scale in options.scales:
        for jobs in options.jobs:
            yield scale, jobs, dataclasses.replace(settings, scale=scale, jobs=jobs)


def turns(contenders, rounds):
    """All contenders in each round, every round beginning with another one."""
    for round in range(rounds):
        shift = round % len(contenders)
        yield from contenders[shift:] + contenders[:shift]


def unique(problems):
    return list(dict.fromkeys(problems))


def progress(measure, contender, settings, figure):
    print(
        f"{measure}, scale {settings.scale}, {settings.jobs} at a time: {contender.name} {figure}", file=sys.stderr
    )
