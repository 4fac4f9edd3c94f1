"""The Debian package: installed, used, served by its unit, and taken away again."""

import json
import re
import subprocess

from lib.verify.packages.report import FIRST_PICTURE, PACKAGE, PROGRAMS

BANNER = "/usr/share/doc/galley/examples/static"
# Runs the unit's command until it has rendered one creative, and then stops it as systemd would.
SERVE = """
"$@" >/tmp/address 2>/tmp/log &
server=$!
for wait in $(seq 300); do
  grep --quiet http /tmp/address && break
  kill -0 $server || { cat /tmp/log >&2; exit 1; }
  sleep 0.1
done
address=$(grep --only-matching 'http.*' /tmp/address)
curl --fail --silent --show-error "$address/readyz" >/dev/null || exit 1
curl --fail --silent --show-error "$address/v1/renders" --header 'Prefer: wait=60' \
  --form creative=@CREATIVE/index.html || exit 1
curl --fail --silent --show-error "$address/v1/screenshot" --header 'Content-Type: application/json' \
  --data '{"markup": "<h1>An ad</h1>", "size": "300x250"}' --output KEPT || exit 1
kill -TERM $server
wait $server
"""


def tried(packages, scratch, system, report, options):
    report.size("package", system.package.stat().st_size, PACKAGE)
    _, installing = report.timed(
        "apt installs it, everything fetched", system.run, "apt-get", "install", "--yes", "--no-install-recommends",
        f"/root/{system.package.name}")
    report.say(f"{system.count()} packages in it now")
    libraries = system.root / "usr/lib/galley"
    files = [path for path in libraries.iterdir() if path.is_file() and not path.is_symlink()]
    report.size("programs", sum(path.stat().st_size for path in files), PROGRAMS)
    _, rendering = report.timed("galley render of a banner, as a user without rights", system.run, "galley", "render",
                                BANNER, "--out", "/home/reader/proofs", user="reader")
    report.expect(installing + rendering <= FIRST_PICTURE,
                  f"installed to first picture: {installing + rendering:.0f} s of {FIRST_PICTURE}")
    proofs = system.root / "home/reader/proofs/static"
    report.picture(proofs / "screenshots/001-default.png", "deb")
    told(proofs / "result.json", report)
    suite = ["galley", "conformance", "--json", *(["--section", options.section] if options.section else [])]
    done, _ = report.timed("galley conformance", system.run, *suite, user="reader", allow=(0, 1))
    judged(done.stdout, report)
    served(system, report)
    shells(system, report)
    report.timed("apt purges it", system.run, "apt-get", "purge", "--yes", "galley")
    left = [str(path.relative_to(system.root)) for path in system.root.rglob("*galley*")
            if path.relative_to(system.root).parts[0] not in ("proc", "sys", "dev", "home", "root")
            and "archives" not in path.parts]
    # What the server rendered is somebody's work.
    left = [path for path in left if not path.startswith("var/lib/galley")]
    report.expect(not left, f"left behind: {', '.join(left)}")


def told(result, report):
    """What the engine's sandbox was, and what the record warns of."""
    record = json.loads(result.read_text())
    report.say(f"engine.sandbox is {str(record['engine']['sandbox']).lower()}, warnings: {record.get('warnings', [])}")
    report.expect(record["engine"]["sandbox"] or record.get("warnings"), "there is no sandbox, and nothing says so")


def judged(text, report):
    counted = json.loads(text) if text.startswith("{") else {}
    report.say(f"{counted.get('passed', 0)} rules hold, {counted.get('failed', 0)} don't")
    report.expect(counted.get("passed", 0) > 0 and not counted.get("failed"), "the conformance suite doesn't pass")


def line_of(key, unit):
    """The value of a unit's first line of that name."""
    return re.findall(rf"(?m)^{key}=(.*)$", unit)[0]


def served(system, report):
    """Starts what the unit starts, as its user."""
    unit = (system.root / "usr/lib/systemd/system/galley.service").read_text()
    settings: dict[str, str] = {}
    for name in re.findall(r"(?m)^EnvironmentFile=-?/(.*)$", unit):
        text = (system.root / name).read_text()
        settings.update(line.split("=", 1) for line in text.splitlines() if re.match(r"[A-Z_]+=", line))
    command: list[str] = []
    for word in line_of("ExecStart", unit).split():
        command += settings.get(word[1:], "").split() if word.startswith("$") else [word]
    # The kernel gives a changed root no namespaces, and what is looked at is the package.
    command.append("--allow-unsandboxed")
    environment = dict(re.findall(r"(?m)^Environment=(\w+)=(.*)$", unit))
    user = line_of("User", unit)
    # What systemd makes for the unit before it starts it.
    for folder in re.findall(r"(?m)^CacheDirectory=(.*)$", unit):
        system.run("install", "--directory", "--owner", user, "--group", user, f"/var/cache/{folder}")
    script = SERVE.replace("CREATIVE", BANNER).replace("KEPT", "/var/lib/galley/trial.png")
    done, _ = report.timed(f"{' '.join(command)}: a render over HTTP, a picture, the end", system.run, "sh", "-c",
                           script, "serve", *command, user=user, environment=environment)
    answer = json.loads(done.stdout) if done.stdout.startswith("{") else {}
    report.say(f"the render is {answer.get('status')}")
    report.expect(answer.get("status") == "completed", f"no render over HTTP: {done.stdout[:300]} {done.stderr[:300]}")
    report.picture(system.root / "var/lib/galley/trial.png", "served")
    report.expect(done.returncode == 0, "the server didn't end well")
    checked = subprocess.run(["systemd-analyze", "verify", "--root", system.root, "--man=no", "galley.service"],
                             capture_output=True, text=True)
    ours = [line for line in checked.stderr.splitlines() if "galley" in line]
    report.expect(not ours, f"systemd says: {'; '.join(ours)}")


def shells(system, report):
    """Pages and completions are there and can be read."""
    pages = sorted((system.root / "usr/share/man/man1").glob("galley*.1.gz"))
    for page in pages:
        text = subprocess.run(["gzip", "--decompress", "--stdout", page], check=True, capture_output=True).stdout
        report.expect(text.startswith(b".TH \"GALLEY"), f"{page.name} is no man page")
    system.run("bash", "-n", "/usr/share/bash-completion/completions/galley")
    report.say(f"{len(pages)} man pages, completions for bash, zsh and fish")
    for name in ("zsh/vendor-completions/_galley", "fish/vendor_completions.d/galley.fish"):
        report.expect((system.root / "usr/share" / name).stat().st_size > 1000, f"no {name}")
