"""The figures as a Markdown table, with the machine they were taken on."""

import os
import platform
import statistics

from lib.measure.renders.machine import cpu_model, field


def machine(programs):
    return {
        "cpu": cpu_model(),
        "cores": len(os.sched_getaffinity(0)),
        "memoryMiB": field("/proc/meminfo", "MemTotal", lambda value: int(value.split()[0]) // 1024),
        "os": platform.freedesktop_os_release().get("PRETTY_NAME", "unknown"),
        "kernel": platform.release(),
        "programs": [program.version for program in programs],
        "load": os.getloadavg()[0],
    }


def markdown(named, rounds, rows):
    names = list(rows[0]["milliseconds"])
    lines = [
        f"{named['cpu']}, {named['cores']} cores, {named['memoryMiB']} MiB; {named['os']}, Linux {named['kernel']}.",
        f"{', '.join(named['programs'])}; whole processes, {rounds} rounds in turns: median ms (lowest–highest),"
        " peak MiB, and times as long as Galley.",
        "",
        "| size | pictures | " + " | ".join(names) + " | aims |",
        "|---|---|" + "--:|" * len(names) + "---|",
    ]
    lines += [line(row, names) for row in rows]
    if named["load"] > len(names):
        lines += ["", f"The machine was busy (load {named['load']:.1f}): trust the ratios less."]
    lines += [note for row in rows for problem in row["problems"].values() for note in ("", f"Problem: {problem}")]
    return "\n".join(lines) + "\n"


def line(row, names):
    cells = [cell(row, name) for name in names]
    aims = [f"{name} {aim:g}×: {outcome(row, name, aim)}" for name, aim in row["aims"].items()]
    return f"| {row['size']} | {row['kind']} | " + " | ".join(cells) + f" | {', '.join(aims)} |"


def outcome(row, name, aim):
    """A comparison with who failed meets nothing, nor does one that Galley failed in."""
    if "Galley" in row["problems"] or name in row["problems"]:
        return "failed"
    return "met" if row["ratios"][name] >= aim else "missed"


def cell(row, name):
    if name in row["problems"]:
        return "failed"
    samples = row["milliseconds"][name]
    shown = f"{statistics.median(samples):.1f} ({min(samples):.1f}–{max(samples):.1f}), {row['peakMiB'][name]:.0f}"
    return shown if name == "Galley" else f"{shown}, {row['ratios'][name]:.1f}×"
