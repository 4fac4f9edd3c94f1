"""The action for GitHub: what its steps run, in a system where Galley isn't installed yet."""

import hashlib
import shutil
from pathlib import Path

from lib.verify.packages.installed import BANNER, told

STEPS = Path(__file__).resolve().parents[2] / "action"
PLACE = "/root/action"


def tried(packages, scratch, system, report, options):
    place = system.root / PLACE[1:]
    shutil.copytree(STEPS, place / "steps")
    package = f"/root/{system.package.name}"
    right = hashlib.sha256(system.package.read_bytes()).hexdigest()
    step(system, "install", {"GALLEY_PACKAGE": package, "GALLEY_SHA256": "0" * 64}, codes=(2,))
    report.expect(not (system.root / "usr/bin/galley").exists(), "a package of another checksum was installed")
    report.timed("the action installs the package", step, system, "install",
                 {"GALLEY_PACKAGE": package, "GALLEY_SHA256": right})
    done, _ = report.timed("the action checks a banner", step, system, "run", {
        "GALLEY_CREATIVES": BANNER, "GALLEY_ARGUMENTS": "--profile=iab\n", "GALLEY_OUT": "proofs",
        "GITHUB_OUTPUT": f"{PLACE}/outputs", "GITHUB_STEP_SUMMARY": f"{PLACE}/summary.md"}, codes=(0, 1))
    outputs = dict(line.split("=", 1) for line in (place / "outputs").read_text().splitlines())
    report.expect(outputs.get("exit-code") == str(done.returncode), f"the outputs are {outputs}")
    for name in (outputs.get("html", "?"), outputs.get("sarif", "?"), "proofs/junit.xml", "summary.md"):
        report.expect((place / name).is_file(), f"the action left no {name}")
    told(place / "proofs/static/result.json", report)
    report.timed("apt purges it", system.run, "apt-get", "purge", "--yes", "galley")


def step(system, name, variables, codes=(0,)):
    script = f'cd {PLACE} && exec bash --noprofile --norc -eo pipefail -c "$STEP"'
    variables = {**variables, "STEP": f'"{PLACE}/steps/{name}"', "HOME": "/root"}
    return system.run("sh", "-c", script, environment=variables, allow=codes)
