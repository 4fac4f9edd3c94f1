"""The results as a Markdown table for people and as one document for programs."""

import statistics


def markdown(machine, options, creatives, comparisons):
    lines = [
        f"{machine['cpu']}, {machine['cores']} cores, {machine['memoryMiB']} MiB; {machine['os']},"
        f" Linux {machine['kernel']}.",
        f"Galley {machine['galley']} on WebKitGTK {machine['webkitgtk']}; {machine['chromium']},"
        f" Playwright {machine['playwright']}.",
        f"{len(creatives)} creatives, {options.count} renders a batch, screen {options.screen},"
        f" {options.rounds} rounds in turns; median (lowest–highest).",
        "",
        "| measure | Galley's mode | scale | at a time | Galley | Chromium | Chromium / Galley | aim | |",
        "|---|---|--:|--:|--:|--:|--:|--:|---|",
    ]
    lines += map(row, comparisons)
    return "\n".join(lines + notes(machine, comparisons)) + "\n"


def row(comparison):
    conditions = comparison.conditions
    return (
        f"| {comparison.measure}, {comparison.unit} | {comparison.contender.removeprefix('galley, ')}"
        f" | {conditions['scale']} | {conditions['jobs']} | {spread(comparison.galley)}"
        f" | {spread(comparison.chromium)} | {comparison.speedup:.2f}× | > {comparison.needed:g}×"
        f" | {'met' if comparison.met else 'failed' if comparison.problems else 'missed'} |"
    )


def spread(samples):
    return f"{statistics.median(samples):.0f} ({min(samples):.0f}–{max(samples):.0f})"


def notes(machine, comparisons):
    found = []
    with_driver = [size for comparison in comparisons for size in comparison.notes.get("chromiumWithDriver", [])]
    if with_driver:
        found.append(f"With Playwright's Python and node, Chromium's peak is {spread(with_driver)} MiB over all rows.")
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
                "galley": comparison.contender.removeprefix("galley, "),
                **comparison.conditions,
                "unit": comparison.unit,
                "galleySamples": comparison.galley,
                "chromiumSamples": comparison.chromium,
                "ratio": comparison.speedup,
                "needed": comparison.needed,
                "met": comparison.met,
                "problems": comparison.problems,
                **comparison.notes,
            }
            for comparison in comparisons
        ],
    }
