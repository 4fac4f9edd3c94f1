"""The table of the documentation, from the figures on file."""

from lib.verify.external.explained import explanations, matches

BEGIN, END = "<!-- figures of Scripts/verify-external --update -->", "<!-- end of figures -->"
FAULTS = {"suite": "the suite's", "engine": "the engine's", "other": "the other reader's", "meant": "intended",
          "open": "Galley's, not fixed yet", "engines": "difference of engines"}


def write(page, suites, figures):
    text = page.read_text() if page.exists() else f"{BEGIN}\n{END}\n"
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    page.write_text(f"{before}{BEGIN}\n{lines(suites, figures)}\n{END}{after}")


def lines(suites, figures):
    rows = ["| suite | right means | version | on | judged | right | skipped |", "|---|---|---|---|---|---|---|"]
    for suite in suites:
        if not (found := figures.get(suite.name)):
            continue
        skipped = sum(found["skipped"].values())
        judged = found["cases"] - skipped
        share = f"{100 * found['right'] / judged:.1f} %" if judged else ""
        rows.append(f"| `{suite.name}`: {suite.title} | {suite.meaning} | {found['version']} | {found['date']} "
                    f"| {judged} | "
                    f"{found['right']}, {share} | {skipped or ''} |")
    rows += ["", "## What goes wrong", ""]
    for suite in suites:
        found = figures.get(suite.name)
        if not found or not (found["wrong"] or found["skipped"]):
            continue
        rows += [f"### {suite.name}", ""]
        for entry in explanations(suite.name):
            count = sum(any(matches(name, pattern) for pattern in entry["cases"]) for name in found["wrong"])
            if count:
                rows.append(f"- {count}, {FAULTS[entry['fault']]}: {entry['reason']}")
        rows += [f"- {count} skipped: {reason}" for reason, count in found["skipped"].items()]
        rows.append("")
    return "\n".join(rows).rstrip()

