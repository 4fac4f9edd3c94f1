"""The program under attack, run as a user runs it."""

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Ended:
    """How a command ended: its exit code (negative for a signal), its output, and the seconds it took."""

    code: int
    output: bytes
    errors: bytes
    seconds: float

    @property
    def is_orderly(self):
        """Whether it ended by one of Galley's own codes, with no trace of a trap and nothing that steers a terminal."""
        text = self.output + self.errors
        return self.code in (0, 1, 2, 4) and b"Fatal error" not in text and not has_controls(text)


def has_controls(text):
    """Whether text would steer a terminal or be carried out as a command of a CI service."""
    controls = any(byte < 32 and byte not in b"\n\t" or byte == 127 for byte in text)
    lines = [line.lstrip() for line in text.split(b"\n")]
    # GitHub reads a line's beginning, Azure and TeamCity find theirs anywhere.
    commands = any(line.startswith((b"::stop-commands", b"::set-")) for line in lines)
    return controls or commands or b"##vso[" in text or b"##teamcity[" in text


class Galley:
    def __init__(self, path, recorder=False):
        """With `recorder` every render's requests go through a recorder, which is under attack as well."""
        self.path, self.recorder, self.recordings = path, recorder, 0

    def version(self):
        return self.run("--version").output.decode().strip()

    def run(self, *arguments, stdin=None, within=120, cwd=None, environment=None, prepare=None):
        """Runs a command to its end; one that takes longer than so many seconds is ended, with code -9.

        `prepare` is called in the process before it is the command.
        """
        began = time.monotonic()
        with subprocess.Popen(
                [str(self.path), *map(str, arguments)], cwd=cwd, env=environment, preexec_fn=prepare,
                stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
            try:
                output, errors = command.communicate(stdin, timeout=within)
            except subprocess.TimeoutExpired:
                command.kill()
                output, errors = command.communicate()
            return Ended(command.returncode, output, errors, time.monotonic() - began)

    def render(self, creatives, *options, within=1800):
        """Renders a batch; ends the attack where a creative of its own was refused, since it tried nothing then."""
        if self.recorder:
            self.recordings += 1
            options = [*options, "--record",
                       Path(options[options.index("--out") + 1]).parent / f"kept-{self.recordings}"]
        ended = self.run("render", *creatives, *options, "--json", within=within)
        refused = [each for each in self.results(ended) if each.get("code") in ("scenario-invalid", "creative-missing")]
        if refused or not self.results(ended):
            sys.exit(f"the attack itself is at fault: {refused[:1] or ended.errors[-500:]}")
        return ended

    def results(self, ended):
        """The results in the document that a command with --json printed; none when it printed no document."""
        try:
            return json.loads(ended.output)["results"]
        except (ValueError, KeyError):
            return []


def write(path, content):
    """Writes a file with the folders above it, and gives its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def events(folder):
    """The event log of a result; empty when there is none."""
    file = Path(folder) / "events.ndjson"
    return [json.loads(line) for line in file.read_bytes().split(b"\n") if line] if file.is_file() else []
