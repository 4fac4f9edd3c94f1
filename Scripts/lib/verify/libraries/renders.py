"""What galley found in a creative: pictures by instant, what the page told its log, how it moved."""

import json
import subprocess
import tempfile
from pathlib import Path


class Render:
    def __init__(self, folder):
        self.result = json.loads((folder / "result.json").read_text())
        self.outcome = self.result["outcome"]
        self.message = self.result.get("message", self.outcome)
        events = [json.loads(line) for line in (folder / "events.ndjson").read_text().splitlines()]
        self.exceptions = [event["detail"]["message"] for event in events
                           if event["name"] in ("exception", "rejection")]
        told = [event["detail"]["text"].split(" ", 2) for event in events if event["name"] == "console"]
        # What happened, as the second since the motion began and its name.
        self.marks = [(float(words[1]), words[2]) for words in told if words[0] == "mark"]
        shots = folder / "screenshots"
        # The ad alone, by instant: what a picture's file holds.
        self.pictures = {shot["at"]: (shots / f"{shot['name']}-ad.png").read_bytes()
                         for shot in self.result["screenshots"] if "at" in shot}
        # The device's whole screen as well, by file.
        self.files = {path.name: path.read_bytes() for path in sorted(shots.glob("*.png"))}
        measurements = folder / "measurements.json"
        self.motion = json.loads(measurements.read_text())["motion"] if measurements.is_file() else None


class Galley:
    def __init__(self, program, out):
        self.program = program
        self.out = out

    def render(self, creatives, *options):
        """Renders creatives; what came of each, by its folder's name."""
        out = tempfile.mkdtemp(prefix="render-", dir=self.out)
        command = [self.program, "render", "--quiet", "--timeout", "240", "--offline", "--seed", "1", "--out", out]
        subprocess.run([str(word) for word in [*command, *options, *creatives]],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return {result.parent.name: Render(result.parent) for result in sorted(Path(out).glob("*/result.json"))}
