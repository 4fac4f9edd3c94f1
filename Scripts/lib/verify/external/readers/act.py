"""ACT rules' examples for what the accessibility checks claim: the failed are found, the passed left alone."""

import json
import re
import shutil
import subprocess

# Rules, and the check that claims the same.
RULES = {
    "b5c3f8": "missing-language",
    "2779a5": "missing-title",
    "23a2a8": "missing-text-alternative",
    "7d6734": "missing-text-alternative",
    "c487ae": "unnamed-link",
    "97a4e1": "unnamed-control",
    "e086e5": "unnamed-control",
    "59796f": "unnamed-control",
    "cae760": "unnamed-frame",
}
EXAMPLE = re.compile(r"^#### (Passed|Failed|Inapplicable) Example (\d+)\s*$(.*?)(?=^#{2,4} |\Z)", re.M | re.S)
CODE = re.compile(r"^```(\w+)\n(.*?)^```", re.M | re.S)


def run(score, sources, galley, work):
    tree = sources["act-rules"].files("_rules", "test-assets", ":(exclude)*.mp4", ":(exclude)*.mp3")
    cases = {}
    for rule, check in RULES.items():
        path, = (tree / "_rules").glob(f"*-{rule}.md")
        for kind, number, text in EXAMPLE.findall(path.read_text()):
            name = f"{rule} {kind} {number} ({check})"
            code = CODE.search(text)
            if not code or code[1] not in ("html", "svg"):
                score.skip(name, "has another document type")
                continue
            if code[1] == "svg":
                score.skip(name, "has another document type")
                continue
            cases[name] = (make(tree, work / "pages" / f"{rule}-{kind}-{number}".lower(), code[2]), check, kind)
    found = check_all(galley, [page for page, _, _ in cases.values()], work / "out")
    for name, (page, check, kind) in cases.items():
        judge(score, name, found.get(page.name), check, kind)


def judge(score, name, findings, check, kind):
    if findings is None:
        score.judge(name, False, "there is no verdict")
    elif kind == "Failed":
        score.judge(name, check in findings, f"nothing is found but {sorted(findings)}")
    else:
        score.judge(name, check not in findings, "; ".join(findings.get(check, [])))


def make(tree, folder, code):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for asset in re.findall(r"/(test-assets/[\w./-]+)", code):
        source = tree / asset
        if source.is_file():
            (folder / asset).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, folder / asset)
    (folder / "index.html").write_text(code)
    return folder


def check_all(galley, pages, out):
    """By the name of each page, what was found by which check."""
    words = [str(galley), "check", *map(str, pages), "--out", str(out), "--json", "--offline"]
    program = subprocess.run(words, capture_output=True, text=True)
    report = json.loads(program.stdout)
    found: dict[str, dict[str, list[str]]] = {}
    for creative in report["creatives"]:
        if "broken" in creative.get("status", ""):
            continue
        checks = found.setdefault(creative["name"], {})
        for finding in creative.get("findings", []):
            checks.setdefault(finding["check"], []).append(finding["message"])
    return found
