"""IAB's SIMID creatives: what they and the player say to each other here, beside their own player in Chromium."""

import http.server
import json
import re
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from xml.sax.saxutils import escape

from lib.verify.external import program

ROOT = Path(__file__).resolve().parents[5]
FILM = "Creatives/video/end-card/roast.webm"
HARNESS = Path(__file__).resolve().parent.parent / "own/simid_harness.html"
# Seconds that the reference player may take for a case.
LONGEST = 30
# What is read of the suite: its own films are large, and ours take their place.
PATHS = ("examples/creatives", "examples/player", "examples/simid_protocol.js", "examples/media/visitSiteEndCard.jpg",
         "examples/media/LearnMoreEndCard.jpg")
BANNER = json.dumps({"bannerText": "Draw", "webUrl": "about:blank"})
SURVEY = json.dumps([{"question": f"Number {number}?", "answers": ["Yes", "No", "Perhaps"]} for number in (1, 2)])
SMALL = {"x_val": 5, "y_val": 5, "width": 300, "height": 110, "duration": 3}


def click(selector, heard=None, **more):
    return {"click": selector, **({"heard": heard} if heard else {}), **more}


# By its name: the creative, its parameters, what is done. A step waits for a message of that type, or so many.
CASES = {
    "simid_overlay: nobody touches it": ("simid_overlay", "", []),
    "simid_overlay: pause and play": ("simid_overlay", "", [
        click("#request_pause", "Media:playing"), click("#request_play", "Media:pause")]),
    "simid_overlay: skip": ("simid_overlay", "", [click("#request_skip", "Media:playing")]),
    "simid_overlay: stop": ("simid_overlay", "", [click("#request_stop", "Media:playing")]),
    "simid_overlay: fatal error": ("simid_overlay", "", [click("#fatal_error", "Media:playing")]),
    "simid_overlay: full screen": ("simid_overlay", "", [click("#request_full_screen", "Media:playing")]),
    "simid_overlay: log": ("simid_overlay", "", [
        {"heard": "Media:playing", "into": "#log_input", "fill": "hello"}, click("#log_button")]),
    "simid_overlay: longer": ("simid_overlay", "", [
        {"heard": "Media:playing", "into": "#change_duration_input", "fill": "6"}, click("#change_duration_button")]),
    "simid_overlay: shorter": ("simid_overlay", "", [
        {"heard": "Media:playing", "into": "#change_duration_input", "fill": "2"}, click("#change_duration_button")]),
    "simid_overlay: unknown duration, then a stop": ("simid_overlay", "", [
        {"heard": "Media:playing", "into": "#change_duration_input", "fill": "-2"}, click("#change_duration_button"),
        click("#request_stop", "Media:ended")]),
    "simid_overlay: a duration below 0": ("simid_overlay", "", [
        {"heard": "Media:playing", "into": "#change_duration_input", "fill": "-5"}, click("#change_duration_button")]),
    "survey: nobody answers": ("survey", SURVEY, []),
    "survey: every question answered": ("survey", SURVEY, [
        click("#option0", "Media:playing", wait=1600), click("#option1", wait=1600)]),
    "selector: nobody chooses": ("selector", "", []),
    "selector: the first film": ("selector", "", [click("#video1", "Media:playing", wait=1800)]),
    "extender: longer by itself": ("extender", "", []),
    "banner_nonlinear: nobody touches it": ("banner_nonlinear", BANNER, []),
    "banner_nonlinear: expanded and collapsed": ("banner_nonlinear", BANNER, [
        click("#ad_text", "Player:startCreative", wait=600), click("#minimize_ad", wait=600)]),
    "banner_nonlinear: closed": ("banner_nonlinear", BANNER, [click("#close_ad", "Player:startCreative", wait=600)]),
    "banner_nonlinear: without parameters": ("banner_nonlinear", "", []),
    "banner_nonlinear: parameters that are no JSON": ("banner_nonlinear", "{", []),
    # A finger is a pointer too: to touch it is to grow it, so that nobody meets its button.
    "hover_nonlinear: nobody touches it": ("hover_nonlinear", "", []),
    "testers_nonlinear: expanded, collapsed, closed": ("testers_nonlinear", "", [
        click("#expand_button", "Player:startCreative", wait=600), click("#collapse_button", wait=600),
        click("#close_ad", wait=600)]),
    "testers_nonlinear: resized": ("testers_nonlinear", "", [
        {"heard": "Player:startCreative", "wait": 600, "into": "#resize_x_val", "fill": "10"},
        {"into": "#resize_y_val", "fill": "10"}, {"into": "#resize_width", "fill": "250"},
        {"into": "#resize_height", "fill": "100"}, click("#resize_button")]),
    "testers_nonlinear: resized beyond the player": ("testers_nonlinear", "", [
        {"heard": "Player:startCreative", "wait": 600, "into": "#resize_x_val", "fill": "10"},
        {"into": "#resize_y_val", "fill": "10"}, {"into": "#resize_width", "fill": "2500"},
        {"into": "#resize_height", "fill": "100"}, click("#resize_button")]),
    "simid_map: nobody touches it": ("simid_map", json.dumps({"searchQuery": "park", "buttonLabel": "Park"}), []),
}


def run(score, sources, galley, work):
    examples = sources["simid"].files(*PATHS) / "examples"
    site = make_site(examples, work / "site")
    browser = shutil.which("chromium")
    folders = {name: make_creative(site, work / "ads" / f"{place:02}", *case)
               for place, (name, case) in enumerate(CASES.items())}
    records: dict[str, dict] = {}
    # In a full screen the app's own close control would lie above those of overlays.
    for linear, place in ((True, ["interstitial"]), (False, ["banner", "--size", "360x260"])):
        chosen = [folder for name, folder in folders.items() if is_linear(CASES[name][0]) == linear]
        records |= program.render(galley, chosen, work / "out" / place[0], "--placement", *place, "--offline",
                                  "--timeout", "60")
    for name, (creative, parameters, steps) in CASES.items():
        if browser is None:
            score.skip(name, "there is no Chromium to run the reference player in")
            continue
        theirs = reference(browser, site, creative, parameters, steps)
        if not theirs:
            score.skip(name, "the creative says nothing to its own player: it waits for another server")
            continue
        judge(score, name, theirs, records.get(str(folders[name])))


def make_site(examples, site):
    """What the suite's own server would serve, with a film of ours and the harness."""
    shutil.rmtree(site, ignore_errors=True)
    for folder in ("creatives", "player"):
        shutil.copytree(examples / folder, site / folder)
    shutil.copy(examples / "simid_protocol.js", site)
    (site / "media").mkdir()
    for path in (examples / "media").glob("*.jpg"):
        shutil.copy(path, site / "media")
    for name in ("film.webm", "media/shortAd.mp4"):
        shutil.copy(ROOT / FILM, site / name)
    shutil.copy(HARNESS, site / "harness.html")
    return site


def is_linear(creative):
    return "nonlinear" not in creative


def make_creative(site, folder, creative, parameters, steps):
    """A document around the creative, and what a person does with it."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(site, folder, ignore=shutil.ignore_patterns("player", "harness.html"))
    page = f"creatives/{creative}.html"
    own = f"<AdParameters>{escape(parameters)}</AdParameters>" if parameters else ""
    if is_linear(creative):
        ad = f"""<Linear><Duration>00:00:04</Duration>{own}<MediaFiles>
<MediaFile delivery="progressive" type="video/webm" width="480" height="270">film.webm</MediaFile>
<InteractiveCreativeFile type="text/html" apiFramework="SIMID" variableDuration="true">{page}</InteractiveCreativeFile>
</MediaFiles></Linear>"""
    else:
        ad = f"""<NonLinearAds><NonLinear width="{SMALL['width']}" height="{SMALL['height']}" apiFramework="SIMID"
minSuggestedDuration="00:00:{SMALL['duration']:02}"><IFrameResource>{page}</IFrameResource>{own}</NonLinear></NonLinearAds>"""
    (folder / "ad.xml").write_text(f"""<VAST version="4.2"><Ad id="1"><InLine><AdSystem>Larch</AdSystem>
<AdTitle>Test</AdTitle><Impression>https://count.larch.example/seen</Impression>
<Creatives><Creative>{ad}</Creative></Creatives></InLine></Ad></VAST>""")
    (folder / "scenario.yaml").write_text("steps:\n" + "".join(
        f"  - {json.dumps(step)}\n" for step in scenario(steps)))
    return folder


def scenario(steps):
    done = [{"wait": {"event": "simid/visible", "timeout": 20}}] if steps else []
    for step in steps:
        if name := step.get("heard"):
            name = "visible" if name == "Player:startCreative" else name.partition(":")[2]
            done.append({"wait": {"event": f"simid/{name}", "timeout": 30}})
        done.append({"wait": {"seconds": step.get("wait", 100) / 1000}})
        if "fill" in step:
            done += [{"tap": step["into"]}, {"type": {"text": step["fill"], "into": step["into"]}}]
        if "click" in step:
            done.append({"tap": step["click"]})
    return done + [{"wait": {"event": "simid/unloaded", "timeout": 40}}]


class Desk(http.server.SimpleHTTPRequestHandler):
    """Serves the suite, says what is to be done, and hears what was said."""
    site: Path
    plan: dict
    answers: list
    heard: threading.Event

    def __init__(self, *words, **more):
        super().__init__(*words, directory=str(self.site), **more)

    def do_GET(self):
        if self.path != "/plan":
            super().do_GET()
            return
        body = json.dumps(self.plan).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.answers.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()
        self.heard.set()

    def log_message(self, *words):
        pass


class Patient(http.server.ThreadingHTTPServer):
    def handle_error(self, *words):
        """Nothing: a browser that ends leaves what it had asked for."""


def reference(browser, site, creative, parameters, steps):
    """What the reference player and the creative said, in order."""
    fields = {"creative_url": f"/creatives/{creative}.html", "ad_params": parameters, **SMALL}
    answers: list[dict] = []
    heard = threading.Event()
    plan = {"isLinear": is_linear(creative), "fields": fields, "steps": steps, "timeout": (LONGEST - 12) * 1000}
    desk = type("OneDesk", (Desk,), {"site": site, "plan": plan, "answers": answers, "heard": heard})
    server = Patient(("127.0.0.1", 0), desk)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="galley-simid-", ignore_cleanup_errors=True) as profile:
        words = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--mute-audio", "--no-first-run",
                 "--autoplay-policy=no-user-gesture-required", f"--user-data-dir={profile}",
                 f"http://127.0.0.1:{server.server_port}/harness.html"]
        chromium = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            heard.wait(LONGEST)
        finally:
            chromium.terminate()
            try:
                chromium.wait(10)
            except subprocess.TimeoutExpired:
                chromium.kill()
                chromium.wait()
            server.shutdown()
            server.server_close()
    return [token(one["from"], one["type"], one.get("of")) for one in (answers[0]["said"] if answers else [])]


def token(speaker, kind, of=None):
    """A message in words that both write alike."""
    kind = re.sub("^SIMID:", "", kind)
    answered = f" {last(of)}" if kind in ("resolve", "reject") else ""
    return f"{speaker} {kind}{answered}".strip().lower()


def last(kind):
    return (kind or "").rpartition(":")[2]


def ours(record):
    said = []
    for event in program.events(record):
        if event["source"] != "simid" or "id" not in event["detail"]:
            continue
        detail = event["detail"]
        said.append(token(detail["from"], detail.get("type", event["name"]), detail.get("of")))
    return said


def order(said):
    """What is compared in its order: not the film's own moments, nor what players may tell of sizes and flaws."""
    return [one for one in said if not re.match("player (media:|player:(resize|log)$)", one)]


def moments(said):
    """Which of the film's moments were told at all, but those that come or don't by a tenth of a second."""
    chance = ("timeupdate", "volumechange", "durationchange")
    return {one for one in said if one.startswith("player media:") and not one.endswith(chance)}


def judge(score, name, theirs, record):
    if record is None:
        score.judge(name, False, "there is no result")
        return
    mine = ours(record)
    if order(mine) != order(theirs):
        score.judge(name, False, f"here {order(mine)}, there {order(theirs)}")
        return
    score.judge(name, moments(mine) == moments(theirs),
                f"here {sorted(moments(mine))}, there {sorted(moments(theirs))}")
