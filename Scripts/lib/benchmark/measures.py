"""The measures; each yields comparisons of samples taken in turns, in an order that rotates by round."""

import dataclasses
import statistics
import sys
from dataclasses import dataclass, field

from contenders import Chromium, Galley
from memory import Sampler

PROCESS, SESSION, CHROMIUM = Galley("process"), Galley("session"), Chromium()
INSTANTS = [0, 1, 2, 5, 15, 30]
# A second and a half for what takes Chromium thirty.
INSTANTS_AIM = 20.0
THROUGHPUT_AIMS = {PROCESS.name: 3.0, SESSION.name: 15.0}


@dataclass
class Comparison:
    """Galley's and Chromium's samples of one measure; the lower the better."""

    measure: str
    contender: str
    conditions: dict
    unit: str
    galley: list[float]
    chromium: list[float]
    problems: list[str] = field(default_factory=list)
    notes: dict = field(default_factory=dict)

    @property
    def speedup(self):
        """How many times less Galley takes than Chromium."""
        return statistics.median(self.chromium) / statistics.median(self.galley)

    @property
    def met(self):
        """A result with failures in it meets nothing."""
        return not self.problems and self.speedup > self.needed

    @property
    def needed(self):
        """The speed-up aimed at."""
        if self.measure == "instants":
            return INSTANTS_AIM
        return THROUGHPUT_AIMS[self.contender] if self.measure == "throughput" else 1.0


def throughput(creatives, settings, options):
    """Milliseconds per creative of a batch, by scale and concurrency."""
    for scale, jobs, given in conditions(settings, options):
        samples = {PROCESS: [], SESSION: [], CHROMIUM: []}
        problems = {contender: [] for contender in samples}
        for contender in turns(list(samples), options.rounds):
            run = contender.batch(creatives, given)
            samples[contender].append(run.seconds * 1000 / len(creatives))
            problems[contender] += run.problems
            progress("throughput", contender, given, f"{samples[contender][-1]:.0f} ms per creative", run.problems)
        for galley in (PROCESS, SESSION):
            yield Comparison(
                "throughput", galley.name, {"scale": scale, "jobs": jobs}, "ms per creative",
                samples[galley], samples[CHROMIUM],
                unique(problems[galley] + problems[CHROMIUM]),
            )


def cold(creatives, settings, options):
    """Milliseconds from a command's start to its end, for one creative."""
    chosen = creatives[:: max(1, len(creatives) // 3)][:3]
    for scale in options.scales:
        given = dataclasses.replace(settings, scale=scale)
        samples, problems = {PROCESS: [], CHROMIUM: []}, []
        for contender in turns(list(samples), options.rounds):
            for creative in chosen:
                run = contender.cold(creative, given)
                samples[contender].append(run.seconds * 1000)
                problems += run.problems
                progress("cold", contender, given, f"{samples[contender][-1]:.0f} ms", run.problems)
        yield Comparison(
            "cold", PROCESS.name, {"scale": scale, "jobs": 1}, "ms",
            samples[PROCESS], samples[CHROMIUM], unique(problems),
        )


def memory(creatives, settings, options):
    """Mebibytes of the whole process tree at its peak; of Chromium's tree, Playwright's own processes don't count."""
    for scale, jobs, given in conditions(settings, options):
        samples = {PROCESS: [], SESSION: [], CHROMIUM: []}
        with_driver, taken = [], 0
        problems = {contender: [] for contender in samples}
        for contender in turns(list(samples), options.rounds):
            with Sampler() as sampler:
                run = contender.batch(creatives, given)
            peak = sampler.peak_without_driver if contender is CHROMIUM else sampler.peak
            samples[contender].append(peak / 2**20)
            problems[contender] += run.problems + sampler.problems
            with_driver += [sampler.peak / 2**20] if contender is CHROMIUM else []
            taken += sampler.samples
            progress("memory", contender, given, f"{samples[contender][-1]:.0f} MiB", run.problems)
        for galley in (PROCESS, SESSION):
            yield Comparison(
                "memory", galley.name, {"scale": scale, "jobs": jobs}, "MiB",
                samples[galley], samples[CHROMIUM], unique(problems[galley] + problems[CHROMIUM]),
                {"chromiumWithDriver": with_driver, "samplesTaken": taken},
            )


def instants(creatives, settings, options):
    """Milliseconds for pictures of a moving creative at six instants, the last after 30 s."""
    moving = [creative for creative in creatives if creative.name in ("animated", "canvas")] or creatives[:1]
    for scale in options.scales:
        given = dataclasses.replace(settings, scale=scale)
        samples, problems = {PROCESS: [], CHROMIUM: []}, []
        # Chromium's time is the creative's own: more rounds would only wait.
        for contender in turns(list(samples), min(options.rounds, 2)):
            for creative in moving:
                run = contender.instants(creative, INSTANTS, given)
                samples[contender].append(run.seconds * 1000)
                problems += run.problems
                progress("instants", contender, given, f"{samples[contender][-1]:.0f} ms", run.problems)
        yield Comparison(
            "instants", PROCESS.name, {"scale": scale, "jobs": 1}, "ms",
            samples[PROCESS], samples[CHROMIUM], unique(problems),
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


def progress(measure, contender, settings, figure, problems):
    trouble = f"; {problems[0]}" if problems else ""
    print(
        f"{measure}, scale {settings.scale}, {settings.jobs} at a time: {contender.name} {figure}{trouble}",
        file=sys.stderr,
    )
