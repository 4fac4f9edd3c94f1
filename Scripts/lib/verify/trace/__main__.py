"""Renders two ads with a scenario and hands their traces to Playwright: its commands, and its viewer in Chromium."""

import subprocess
import sys
import tempfile
from pathlib import Path

from lib.common.command import galley_of, make_parser
from lib.verify.trace.commands import Commands
from lib.verify.trace.viewer import Viewer

# One that goes well, and one whose scenario fails; with a console, a request that fails, and an exception.
MARKUP = """<!DOCTYPE html>
<meta name="ad.size" content="width=320,height=50">
<script src="mraid.js"></script>
<style>body { margin: 0; font: 20px sans-serif } #open, #big { width: 320px; height: 50px; background: %(colour)s }
#big { display: none; height: 300px; background: #a52 } #shut { position: absolute; top: 200px; left: 10px }</style>
<div id="open">Open me</div>
<div id="big">It is open<div id="shut">Shut</div></div>
<img src="gone.png" alt="">
<script>
  console.warn("a word of warning");
  document.getElementById("open").addEventListener("click", () => {
    mraid.expand();
    document.getElementById("open").style.display = "none";
    document.getElementById("big").style.display = "block";
    console.log("opened");
  });
  document.getElementById("shut").addEventListener("click", () => { mraid.close(); throw new Error("on purpose"); });
</script>
"""
GOOD = """# Opens it, and shuts it.
- tap: "#open"
- wait: {state: expanded}
- tap: "#shut"
- wait: {state: default}
"""
BAD = """- tap: "#open"
- tap: "#nothere"
"""


def parse_options():
    parser = make_parser("verify-trace", __doc__)
    parser.add_argument("--chromium", default="/usr/bin/chromium", help="another Chromium than Debian's")
    parser.add_argument("--pictures", type=Path, help="a folder for screenshots of the viewer")
    return parser.parse_args()


def main():
    options = parse_options()
    galley = galley_of(options)
    failed = 0
    with tempfile.TemporaryDirectory(prefix="galley-trace-") as scratch:
        folder = Path(scratch)
        for name, steps, colour in (("good", GOOD, "#257"), ("bad", BAD, "#752")):
            ad = folder / name
            ad.mkdir()
            (ad / "index.html").write_text(MARKUP % {"colour": colour})
            (ad / "scenario.yaml").write_text(steps)
            trace = folder / f"{name}.zip"
            done = subprocess.run([galley, "render", ad, "--out", folder / f"out-{name}", "--trace", trace, "--quiet"],
                                  stderr=subprocess.DEVNULL)
            for told, problems in verdicts(galley, folder, name, trace, done.returncode, options):
                failed += bool(problems)
                print(f"{'ok' if not problems else 'not ok'}  {name}: {told}", flush=True)
                for problem in problems:
                    print(f"    {problem}")
    sys.exit(1 if failed else 0)


def verdicts(galley, folder, name, trace, code, options):
    is_bad = name == "bad"
    yield "the render leaves a trace", [] if trace.exists() and code == (1 if is_bad else 0) else [f"exit code {code}"]
    if not trace.exists():
        return
    again = folder / f"{name}-again.zip"
    subprocess.run([galley, "trace", folder / f"out-{name}", "--output", again], check=True)
    is_same = again.read_bytes() == trace.read_bytes()
    yield "galley trace makes the same of the result", [] if is_same else ["it differs"]
    yield from Commands(folder, trace, is_bad).verdicts()
    yield from Viewer(trace, is_bad, options.chromium, options.pictures and options.pictures / name).verdicts()


main()
