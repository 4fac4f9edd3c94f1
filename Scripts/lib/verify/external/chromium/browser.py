"""Debian's headless Chromium, a frame at a time: a creative from a folder, without a network, in a time of its own."""

import base64
import json
import mimetypes
import os
import select
import shutil
import subprocess
import tempfile
import time
import urllib.parse
from pathlib import Path

ORIGIN = "https://creative.example"
FRAME = 1000 / 60
# What a call or a step of time may take of the machine's time.
PATIENCE = 60
PROGRAM = "chromium-headless-shell"
SWITCHES = [
    "--force-device-scale-factor=2",
    # Root has no sandbox to put pages into.
    *(["--no-sandbox"] if os.geteuid() == 0 else []), "--remote-debugging-pipe", "--hide-scrollbars",
    "--mute-audio", "--no-first-run",
    # Frames come when they are asked for, and with all that belongs to them.
    "--enable-begin-frame-control", "--run-all-compositor-stages-before-draw",
    "--disable-new-content-rendering-timeout",
    "--disable-threaded-animation", "--disable-threaded-scrolling", "--disable-checker-imaging",
    "--disable-image-animation-resync",
    # Letters as the pinned fonts have them.
    "--font-render-hinting=slight", "--disable-lcd-text", "--force-color-profile=srgb",
    "--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-default-apps",
]

# A page's scripts begin at the very instant that it is asked for. Libraries take an instant of 0 for a clock that isn't
# there, and no other browser gives it. And nobody has a mouse: Chromium says that one is in the corner.
BEGINNING = """(() => {
  const { now } = Performance.prototype;
  Performance.prototype.now = { now() { return Math.max(1, now.call(this)); } }.now;
  for (const over of ["over", "enter", "move", "out", "leave"]) {
    for (const pointer of ["mouse", "pointer"]) {
      addEventListener(pointer + over, (event) => { if (event.isTrusted) event.stopImmediatePropagation(); }, true);
    }
  }
})()"""


class BrowserError(Exception):
    """Chromium didn't do what it was asked for."""


class Chromium:
    """The program, over a pipe."""

    def __init__(self, fonts=None):
        self.profile = tempfile.mkdtemp(prefix="galley-chromium-")
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        environment = os.environ | ({"FONTCONFIG_FILE": str(fonts)} if fonts else {})

        def numbered():
            # Chromium reads from 3 and writes to 4; neither end may be taken by the other's number.
            ends = os.dup(to_browser), os.dup(from_browser)
            for end, number in [(os.dup2(ends[0], 20), 3), (os.dup2(ends[1], 21), 4)]:
                os.dup2(end, number)

        self.process = subprocess.Popen(
            [PROGRAM, *SWITCHES, f"--user-data-dir={self.profile}"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=environment, pass_fds=(3, 4, to_browser, from_browser), preexec_fn=numbered)
        os.close(to_browser)
        os.close(from_browser)
        self.received, self.number, self.answers, self.listeners = b"", 0, {}, {}

    def close(self):
        for end in (self.output, self.input):
            os.close(end)
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def send(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        return self.number

    def call(self, method, session=None, **parameters):
        number = self.send(method, session, **parameters)
        end = time.monotonic() + PATIENCE
        while number not in self.answers:
            self.read(end, method)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error'].get('message')}")
        return answer["result"]

    def read(self, end, what):
        """Takes in what comes next, and hands events to who listens."""
        while b"\0" not in self.received:
            if not select.select([self.input], [], [], max(0, end - time.monotonic()))[0]:
                raise BrowserError(f"{what} took longer than {PATIENCE} s")
            piece = os.read(self.input, 1 << 20)
            if not piece:
                raise BrowserError(f"Chromium ended in {what}")
            self.received += piece
        text, _, self.received = self.received.partition(b"\0")
        message = json.loads(text)
        if "id" in message:
            self.answers[message["id"]] = message
        else:
            for listener in list(self.listeners.values()):
                listener(message)

    def page(self, **setting):
        return Page(self, **setting)


class Page:
    """A creative in a window of its size; `scripts` run before it in every frame."""

    def __init__(self, browser, folder, document, width, height, scale, *, date=0, agent=None, zone=None, language=None,
                 mobile=False, scripts=(), files=None):
        self.browser, self.folder, self.files = browser, Path(folder), files or {}
        # Screenshots are of a whole window, which has whole pixels.
        self.target = browser.call("Target.createTarget", url="about:blank", width=round(width), height=round(height),
                                   enableBeginFrameControl=True)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        self.errors, self.expired, self.ticks, self.passed, self.has_loaded = [], 0, 0.0, 0.0, False
        browser.listeners = {"page": self.listen}
        call = self.call
        call("Page.enable")
        call("Runtime.enable")
        call("Emulation.setDeviceMetricsOverride", width=round(width), height=round(height), deviceScaleFactor=scale,
             mobile=mobile, screenWidth=1280, screenHeight=1024)
        call("Emulation.setTouchEmulationEnabled", enabled=True)
        if agent:
            call("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=language or "en-US")
        if zone:
            call("Emulation.setTimezoneOverride", timezoneId=zone)
        for script in (BEGINNING, *scripts):
            call("Page.addScriptToEvaluateOnNewDocument", source=script)
        call("Fetch.enable", patterns=[{"urlPattern": "*"}])
        base = call("Emulation.setVirtualTimePolicy", policy="pause", initialVirtualTime=date or 1)
        self.ticks = base["virtualTimeTicksBase"]
        self.address = f"{ORIGIN}/{urllib.parse.quote(document)}"
        browser.send("Page.navigate", self.session, url=self.address)
        end = time.monotonic() + PATIENCE
        steps = 0
        while not self.has_loaded and time.monotonic() < end and steps < 600:
            self.step(FRAME)
            steps += 1
        if not self.has_loaded:
            self.errors.append("the page didn't load")

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def listen(self, event):
        if event.get("sessionId") != self.session:
            return
        name, detail = event["method"], event["params"]
        if name == "Fetch.requestPaused":
            self.answer(detail)
        elif name == "Emulation.virtualTimeBudgetExpired":
            self.expired += 1
        elif name == "Page.loadEventFired":
            self.has_loaded = True
        elif name == "Runtime.exceptionThrown":
            thrown = detail["exceptionDetails"]
            self.errors.append(thrown.get("exception", {}).get("description", thrown["text"]).split("\n")[0][:200])
        elif name == "Page.javascriptDialogOpening":
            self.browser.send("Page.handleJavaScriptDialog", self.session, accept=False)

    def answer(self, detail):
        """A file of the creative's, in whole or the part that is asked for; nobody else is spoken to."""
        url = urllib.parse.urlsplit(detail["request"]["url"])

        def reply(method, **more):
            return self.browser.send(method, self.session, requestId=detail["requestId"], **more)

        if url.scheme in ("data", "blob", "about"):
            return reply("Fetch.continueRequest")
        if f"{url.scheme}://{url.netloc}" != ORIGIN:
            return reply("Fetch.failRequest", errorReason="InternetDisconnected")
        path = urllib.parse.unquote(url.path).lstrip("/")
        name = path.rsplit("/", 1)[-1]
        place = (self.folder / path).resolve()
        if name in self.files:
            body = self.files[name]
        elif place.is_relative_to(self.folder.resolve()) and place.is_file():
            body = place.read_bytes()
        else:
            return reply("Fetch.fulfillRequest", responseCode=404, body="")
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        # What other engine sees says no encoding either, so a page's own word counts.
        headers = [{"name": "content-type", "value": kind}, {"name": "accept-ranges", "value": "bytes"},
                   {"name": "access-control-allow-origin", "value": "*"}]
        wanted = {key.lower(): value for key, value in detail["request"]["headers"].items()}.get("range", "")
        code = 200
        if wanted.startswith("bytes="):
            first, _, last = wanted[6:].partition("-")
            start, stop = int(first or 0), min(int(last), len(body) - 1) if last else len(body) - 1
            headers.append({"name": "content-range", "value": f"bytes {start}-{stop}/{len(body)}"})
            body, code = body[start:stop + 1], 206
        return reply("Fetch.fulfillRequest", responseCode=code, responseHeaders=headers,
                     body=base64.b64encode(body).decode())

    def step(self, milliseconds):
        """Lets time pass, and draws the frame at its end."""
        before = self.expired
        self.browser.send("Emulation.setVirtualTimePolicy", self.session, policy="pauseIfNetworkFetchesPending",
                          budget=milliseconds, maxVirtualTimeTaskStarvationCount=1000)
        end = time.monotonic() + PATIENCE
        while self.expired == before:
            self.browser.read(end, "a step of time")
        self.passed += milliseconds
        # What nobody looks at is run and laid out, and not painted.
        return self.frame(noDisplayUpdates=True)

    def frame(self, **more):
        return self.call("HeadlessExperimental.beginFrame", frameTimeTicks=self.ticks + self.passed, interval=FRAME,
                         **more)

    @property
    def now(self):
        """What the page's own clock says."""
        return self.evaluate("performance.now()")

    def advance(self, instant):
        """Lets time pass until the page's own clock says so."""
        while (left := instant - self.now) > 1:
            for _ in range(max(1, int(left // FRAME))):
                self.step(min(FRAME, left))

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in answer:
            detail = answer["exceptionDetails"]
            raise BrowserError(detail.get("exception", {}).get("description", detail["text"]))
        return answer["result"].get("value")

    def picture(self):
        self.passed += 0.01
        found = self.frame(screenshot={"format": "png"})
        if "screenshotData" not in found:
            self.passed += 0.01
            found = self.frame(screenshot={"format": "png"})
        if "screenshotData" not in found:
            raise BrowserError("no picture came")
        return base64.b64decode(found["screenshotData"])

    def close(self):
        self.browser.listeners = {}
        self.browser.call("Target.closeTarget", targetId=self.target)
