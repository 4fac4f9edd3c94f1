"""The results as a Markdown table for people and as one document for programs."""

import dataclasses
import statistics

from lib.measure.renders.measures import BROWSERS


def markdown(machine, options, creatives, comparisons):
    lines = [
        f"{machine['cpu']}, {machine['cores']} cores, {machine['memoryMiB']} MiB; {machine['os']},"
        f" Linux {machine['kernel']}.",
        f"Galley {machine['galley']} on WebKitGTK {machine['webkitgtk']}; {machine['chromium']} and its headless shell,"
        f" Playwright {machine['playwright']}.",
        f"{len(creatives)} creatives, {options.count} renders a batch, screen {options.screen},"
        f" {options.rounds} rounds in turns; median (lowest–highest).",
        "",
        "| measure | Galley's mode | scale | at a time | Galley | Chromium | headless shell "
        "| the better / Galley | aim | |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|---|",
    ]
    lines += map(row, comparisons)
    return "\n".join(lines + notes(machine, comparisons)) + "\n"


def row(comparison):
    conditions, samples = comparison.conditions, comparison.samples
    figures = [spread(samples[name]) for name in (comparison.galley, *(browser.name for browser in BROWSERS))]
    return (
        f"| {comparison.measure}, {comparison.unit} | {comparison.galley.removeprefix('galley, ')}"
        f" | {conditions['scale']} | {conditions['jobs']} | {' | '.join(figures)} | {comparison.ratio:.2f}×"
        f" | {aim(comparison)} | {verdict(comparison)} |"
    )


def aim(comparison):
    if not comparison.is_aim:
        return ""
    ratio, most = comparison.aim.ratio, comparison.aim.most
    return ", ".join(([f"≥ {ratio:.3g}×"] if ratio else []) + ([f"≤ {most:g}"] if most else []))


def verdict(comparison):
    if comparison.problems:
        return "failed"
    return "" if not comparison.is_aim else "met" if comparison.met else "missed"


def spread(samples):
    return f"{statistics.median(samples):.0f} ({min(samples):.0f}–{max(samples):.0f})"


def notes(machine, comparisons):
    found = []
    with_driver = [size for comparison in comparisons for size in comparison.notes.get("browsersWithDriver", [])]
    if with_driver:
        found.append(f"With Playwright's Python and node, the browsers' peak is "
                     f"{spread(with_driver)} MiB over all rows.")
    if not machine["countsAllProcesses"]:
        found.append("No control group could be made: processes that nobody waited for aren't in the processor time.")
    if machine["load"] > 0.5:
        found.append(f"The machine was busy at the start (load {machine['load']:.1f}): trust the ratios less.")
    problems = dict.fromkeys(problem for comparison in comparisons for problem in comparison.problems)
    found += [f"Problem: {problem}" for problem in problems]
    return [line for note in found for line in ("", note)]


def document(machine, options, creatives, comparisons):
    return {
        "machine": machine,
        "creatives": [str(creative) for creative in creatives],
        "count": options.count,
        "rounds": options.rounds,
        "screen": options.screen,
        "results": [
            {
                "measure": comparison.measure,
                "galley": comparison.galley.removeprefix("galley, "),
                **comparison.conditions,
                "unit": comparison.unit,
                "samples": comparison.samples,
                "peer": comparison.peer,
                "ratio": comparison.ratio,
                "aim": dataclasses.asdict(comparison.aim) if comparison.is_aim else None,
                "met": comparison.met,
                "problems": comparison.problems,
                **comparison.notes,
            }
            for comparison in comparisons
        ],
    }
