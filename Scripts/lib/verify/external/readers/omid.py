"""The IAB's own Open Measurement clients, measuring scripts and reference creatives, run in ads that Galley measures.

Their sources are Closure modules. They are put together here as their build does, without its compiler: one function a
module, in the order in which they need each other.
"""

import json
import re
import shutil
import urllib.parse
from pathlib import Path

from lib.verify.external import program

OWN = Path(__file__).resolve().parent.parent / "own"
CLIPS = Path(__file__).resolve().parents[5] / "Creatives/video"
# Two films of ours, in the place of theirs on another host.
FILMS = [CLIPS / "wrapper/kite.webm", CLIPS / "full-screen/tide.webm"]
MEDIA = ["firstQuartile", "midpoint", "thirdQuartile", "complete"]
REQUIRE = re.compile(r"goog\.require\('([^']+)'\)")
TYPEDEF = re.compile(r"@typedef \{\{(.*?)\}\}\s*\*/\s*let (\w+);", re.S)


def run(score, sources, galley, work):
    tree = sources["omid-js-clients"].files("src", "creatives", "templates", "version.txt")
    modules = Modules(tree)
    pages = {name: make(modules, work / "ads" / name) for name, make in PAGES.items()}
    for clock in ("virtual", "real"):
        records = program.render(
            galley, pages.values(), work / f"out-{clock}", "--omid", "--offline", "--clock", clock, "--timeout", "60",
            "--idle-time", "1")
        for name, folder in pages.items():
            record = records.get(str(folder))
            if record is None or record["outcome"] != "completed":
                score.judge(f"{clock} {name}", False, f"no render: {record and record.get('message')}")
                continue
            JUDGES[name](Case(score, f"{clock} {name}", program.events(record), modules))


class Modules:
    """Their sources by the names they have for each other."""

    def __init__(self, tree):
        self.tree = tree
        self.texts = {}
        for path in sorted([*(tree / "src").rglob("*.js"), *(tree / "creatives").rglob("*.js")]):
            text = path.read_text()
            if found := re.search(r"^goog\.module\('([^']+)'\)", text, re.M):
                self.texts[found[1]] = text
        self.version = (tree / "version.txt").read_text().strip()
        template = (tree / "templates/version-js.template").read_text()
        self.texts["omid.common.version"] = template.replace(
            "${semVersionString}", self.version).replace("${buildVersion}", "galley")

    def bundle(self, *names, change=lambda text: text):
        """A script of these modules and of all they need; the last of them is changed."""
        order = []

        def add(name):
            if name not in order:
                for needed in REQUIRE.findall(self.texts[name]):
                    add(needed)
                order.append(name)

        for name in names:
            add(name)
        parts = [
            "(function (omidGlobal) {\nconst made = {};\nconst omidExports = omidGlobal;\n"
            "const goog = { module: () => {}, require: (name) => made[name] };\n"
        ]
        for name in order:
            text = change(self.texts[name]) if name == names[-1] else self.texts[name]
            parts.append(f"made[{json.dumps(name)}] = (function () {{ let exports = {{}};\n{text}\n"
                         "return exports; })();\n")
        parts.append("})(window);\n")
        return "".join(parts)

    def members(self, name):
        """What a type of theirs has, by its typedef: each member, and whether it may be left out."""
        for body, own in TYPEDEF.findall((self.tree / "src/common/event-typedefs.js").read_text()):
            if own == name:
                text = re.sub(r"^\s*\*", "", body, flags=re.M)
                return {member: "undefined" in kind
                        for member, kind in re.findall(r"(\w+)\s*:\s*([^,\n]+(?:,[^:\n]+\))?)", text)}
        raise KeyError(name)


def made(folder, files, film=False):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    if film:
        for index, path in enumerate(FILMS):
            shutil.copy(path, folder / f"film-{index}.webm")
    return folder


def document(*scripts, body="<h1>Measured</h1>"):
    tags = "".join(f'<script src="{name}"></script>' for name in scripts)
    return ('<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Measured</title>'
            f'<meta name="ad.size" content="width=300,height=250"><body>{body}{tags}</body></html>')


def verification(modules):
    return modules.bundle("omid.verificationClient.VerificationClient")


def direct(modules, folder):
    """Their verification client in the ad's own page, beside an ad that expands."""
    return made(folder, {
        "client.js": verification(modules), "report.js": (OWN / "omid_report.js").read_text(),
        "index.html": document("client.js", "report.js"),
        "scenario.yaml": "steps:\n- wait: {event: omid/geometryChange}\n- scroll: 450\n- wait: {seconds: 1}\n"
                         "- background\n"
                         "- wait: {seconds: 1}\n- foreground\n- wait: {seconds: 1}\n",
    })


def framed(modules, folder):
    """The same in a frame that reaches nothing of the page."""
    frame = '<iframe title="tag" sandbox="allow-scripts" src="frame.html" width="280" height="100"></iframe>'
    return made(folder, {
        "client.js": verification(modules), "report.js": (OWN / "omid_report.js").read_text(),
        "frame.html": document("client.js", "report.js"), "index.html": document(body=frame),
    })


def session(modules, folder):
    """Their session client in the ad's own page, and their verification client beside it."""
    return made(folder, {
        "client.js": verification(modules),
        "session.js": modules.bundle(
            "omid.sessionClient.ConstantsExport", "omid.sessionClient.VerificationScriptResource",
            "omid.sessionClient.ServiceCommunication", "omid.sessionClient.Partner", "omid.sessionClient.MediaEvents",
            "omid.sessionClient.AdEvents", "omid.sessionClient.Context"),
        "report.js": (OWN / "omid_report.js").read_text(), "play.js": (OWN / "omid_session.js").read_text(),
        "index.html": document("client.js", "report.js", "session.js", "play.js"),
    })


def framed_session(modules, folder):
    """Their session client in a frame, which the page has introduced to the service."""
    frame = '<iframe title="tag" id="tag" sandbox="allow-scripts" src="frame.html" width="280" height="100"></iframe>'
    script = "<script>tag.onload = () => omidSessionInterface.setSessionClientWindow(tag.contentWindow);</script>"
    return made(folder, {
        "client.js": verification(modules), "report.js": (OWN / "omid_report.js").read_text(),
        "session.js": modules.bundle(
            "omid.sessionClient.ConstantsExport", "omid.sessionClient.ServiceCommunication",
            "omid.sessionClient.Partner", "omid.sessionClient.MediaEvents", "omid.sessionClient.AdEvents",
            "omid.sessionClient.Context"),
        "play.js": (OWN / "omid_session.js").read_text(), "frame.html": document("session.js", "play.js"),
        "index.html": document("client.js", "report.js", body=frame + script),
    })


def creative(kind, page, main, film=False):
    """One of their reference creatives, with their validation script in the place of the vendor's."""
    def make(modules, folder):
        text = (modules.tree / "creatives" / kind / page).read_text()
        text = text.replace("<!-- inject:creative:session:script:js -->", '<script src="session.js"></script>')
        text = re.sub(r'src="https://[^"]*\.mp4" type="video/mp4"', 'src="film-0.webm" type="video/webm"', text)
        text = re.sub(r'src="https://[^"]*\.jpg"',
                      'src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="300" height="250"', text)

        def change(source):
            source = source.replace("[INSERT RESOURCE URL]", "validation.js")
            for index in range(2):
                source = re.sub(r'"https://[^"]*\.mp4"', f'"film-{index}.webm"', source, count=1)
            return source

        return made(folder, {
            "validation.js": modules.bundle("validationVerificationClientMain"),
            "session.js": modules.bundle(main, change=change), "index.html": text,
            "scenario.yaml": "placement: interstitial\nsteps:\n- wait: {seconds: 8}\n",
        }, film)
    return make


def vast(modules, folder):
    """A film whose document names their compliance script, and an ad server's extension their validation script."""
    def verify(name, vendor):
        return (f'<Verification vendor="{vendor}"><JavaScriptResource apiFramework="omid" browserOptional="true">{name}'
                '</JavaScriptResource><VerificationParameters><![CDATA[wanted=1]]></VerificationParameters></Verification>')

    ad = ('<VAST version="4.2"><Ad id="one"><InLine><AdSystem>ours</AdSystem><AdTitle>ours</AdTitle>'
          "<Impression>https://count.example/seen</Impression>"
          f'<AdVerifications>{verify("compliance.js", "iabtechlab.com-omid")}</AdVerifications>'
          '<Extensions><Extension type="AdVerifications">'
          f'<AdVerifications>{verify("validation.js", "iabtechlab.com-omid")}'
          "</AdVerifications></Extension></Extensions><Creatives><Creative><Linear skipoffset=\"00:00:01\">"
          "<Duration>00:00:02</Duration><MediaFiles>"
          '<MediaFile delivery="progressive" type="video/webm" width="320" height="180">film-0.webm</MediaFile>'
          "</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>")
    return made(folder, {
        "ad.xml": ad, "compliance.js": modules.bundle("complianceVerificationClientMain"),
        "validation.js": modules.bundle("validationVerificationClientMain"),
        "scenario.yaml": "placement: interstitial\nsteps:\n- wait: {event: vast/firstQuartile}\n- background\n"
                         "- wait: {seconds: 1}\n- foreground\n- tap: \"#mute\"\n- wait: {event: vast/complete}\n",
    }, film=True)


PAGES = {
    "verification client": direct, "verification client in a frame": framed, "session client": session,
    "session client in a frame": framed_session,
    "creatives/display": creative(
        "display", "html_display_creative.html", "omid.creatives.OmidCreativeSessionMain"),
    "creatives/video": creative(
        "video", "html_video_creative.html", "omid.creatives.OmidVideoCreativeSessionMain", film=True),
    "creatives/video pod": creative(
        "video", "html_video_pod_creative.html", "omid.creatives.OmidVideoPodCreativeSessionMain", film=True),
    "measuring scripts in VAST": vast,
}


class Case:
    """What one ad came to, and what it has to come to."""

    def __init__(self, score, name, events, modules):
        self.score, self.name, self.events, self.modules = score, name, events, modules
        self.heard = said(events)

    def judge(self, what, is_right, remark=""):
        self.score.judge(f"{self.name}: {what}", bool(is_right), remark)

    def hears(self, *types, heard=None):
        """Events in this order; others may come between."""
        names = [event["type"] for event in (self.heard if heard is None else heard) if "type" in event]
        rest = iter(names)
        for number, name in enumerate(types):
            self.judge(f"{name} comes{'' if number == 0 else f' after {types[number - 1]}'}", name in rest,
                       f"heard {names}")

    def says(self, what, value, wanted):
        self.judge(what, value == wanted, f"{value!r} instead of {wanted!r}")

    def has(self, kind, value, skipped=None, whole=False):
        """All that their typedef wants; of a whole one also what it leaves open."""
        skipped = skipped or {}
        for member, is_optional in self.modules.members(kind).items():
            if member in skipped:
                self.score.skip(f"{self.name}: {kind}.{member}", skipped[member])
            elif whole or not is_optional:
                self.judge(f"{kind} has {member}", isinstance(value, dict) and member in value,
                           f"has {sorted(value or [])}")

    def first(self, type, heard=None):
        return next((event for event in (self.heard if heard is None else heard) if event.get("type") == type), {})


def said(events):
    """What pages of the suite logged of what they heard: an object a line, or in parts."""
    found: list[dict] = []
    parts: dict[str, dict[int, str]] = {}
    for event in events:
        text = event["detail"].get("text", "") if event["name"] == "console" else ""
        if match := re.match(r"omid-case (\d+) (\d+)/(\d+) (.*)", text, re.S):
            number, place, count, rest = match.groups()
            parts.setdefault(number, {})[int(place)] = rest
            if len(parts[number]) == int(count):
                found.append(json.loads("".join(parts[number][place] for place in sorted(parts[number]))))
        elif match := re.match(r"[^{]*::(\{.*)", text, re.S):
            # Their validation script: the time, and what came.
            try:
                found.append(json.loads(match[1]))
            except ValueError:
                # A console line has room for two thousand characters; their beginning says what it is.
                if kind := re.search(r'"type":"(\w+)"', match[1]):
                    found.append({"type": kind[1]})
        elif "OmidSupported[" in text:
            found.append({"supported": "OmidSupported[true]" in text})
    return found


def judge_client(case):
    case.says("the client is supported", case.heard[0].get("supported") if case.heard else None, True)
    case.says("the environment is an app", case.heard[0].get("environment") if case.heard else None, "app")
    case.hears("sessionStart", "loaded", "impression", "geometryChange")
    start = case.first("sessionStart").get("data", {})
    context = start.get("context", {})
    case.has("SessionStartEventData", start, {
        "lastActivity": "belongs to televisions"})
    web = "belongs to web integrations"
    case.has("Context", context, {"customReferenceData": web, "underEvaluation": web, "universalAdId": web}, whole=True)
    case.has("OmidJsInfo", context.get("omidJsInfo"), {"sessionClientVersion": "belongs to a session client"},
             whole=True)
    case.has("OmidNativeInfo", context.get("omidNativeInfo"))
    case.has("DeviceInfo", context.get("deviceInfo"))
    case.has("App", context.get("app"), whole=True)
    case.says("the session is an HTML ad's", context.get("adSessionType"), "html")
    case.has("LoadedDisplayEventData", case.first("loaded").get("data"))
    impression = case.first("impression").get("data", {})
    own = "is only the typedef's name: events have viewport and adView"
    case.has("ImpressionEventData", impression, {"eventViewport": own, "eventAdView": own})
    for type in ("impression", "geometryChange"):
        data = case.first(type).get("data", {})
        case.has("GeometryChangeEventData", data)
        case.has("Viewport", data.get("viewport"))
        view = data.get("adView", {})
        case.has("AdViewEventData", view)
        case.has("Geometry", view.get("geometry"))
        case.has("OnScreenGeometry", view.get("onScreenGeometry"))
        case.says(f"all of the ad is in view at {type}", view.get("percentageInView"), 100)
    ids = {event["adSessionId"] for event in case.heard if "adSessionId" in event}
    case.judge("every event is of one session", len(ids) == 1, ids)
    times = [event["timestamp"] for event in case.heard if "timestamp" in event]
    case.judge("times don't go back", times == sorted(times) and len(times) > 3, times)


def judge_direct(case):
    judge_client(case)
    case.says("code in the ad's page has full access",
              case.first("sessionStart").get("data", {}).get("context", {}).get("accessMode"), "full")
    reasons = [event["data"]["adView"]["reasons"] for event in case.heard if event.get("type") == "geometryChange"]
    case.judge("a scrolled ad isn't all in view", any("viewport" in found or "clipped" in found for found in reasons),
               reasons)
    case.judge("in the background nothing is", any("backgrounded" in found for found in reasons), reasons)
    case.hears("geometryChange", "geometryChange", "geometryChange", "geometryChange", "sessionFinish")
    extras: dict = next((event["extras"] for event in case.heard if "extras" in event), {})
    for what, wanted in (("timeout", 1), ("interval", 2), ("late", ["sessionStart", "impression"]),
                         ("attest", [False, "UNSUPPORTED_MECHANISM"]), ("injected", "loaded"), ("url", "failed")):
        case.says(f"{what} of the client", extras.get(what), wanted)


def judge_framed(case):
    judge_client(case)
    case.says("code in a frame has limited access",
              case.first("sessionStart").get("data", {}).get("context", {}).get("accessMode"), "limited")
    case.hears("geometryChange", "sessionFinish")


def judge_session(case):
    case.judge("the session client is supported", any(event.get("client") is True for event in case.heard),
               case.heard[:3])
    case.hears("sessionStart", "loaded", "impression", "start", "firstQuartile", "midpoint", "volumeChange",
               "playerStateChange", "adUserInteraction", "bufferStart", "bufferFinish", "pause", "resume",
               "thirdQuartile", "complete", "skipped", "sessionError", "sessionFinish")
    info = case.first("sessionStart").get("data", {}).get("context", {}).get("omidJsInfo", {})
    case.says("the partner is the client's", [info.get("partnerName"), info.get("partnerVersion")], ["Ours", "2.0"])
    case.says("the client's version is told", info.get("sessionClientVersion"), f"{case.modules.version}-galley")
    case.says("the creative type is the client's", case.first("impression").get("data", {}).get("creativeType"),
              "video")
    case.says("the impression type is the client's", case.first("impression").get("data", {}).get("impressionType"),
              "loaded")
    case.has("LoadedVideoEventData", case.first("loaded").get("data"), {
        "skipOffset": "only an ad that can be skipped has it"}
             if "skipOffset" not in case.first("loaded").get("data", {}) else {})
    case.has("StartVideoEventData", case.first("start").get("data"))
    case.has("VolumeChangedEventData", case.first("volumeChange").get("data"))
    case.has("PlayerStateChangedEventData", case.first("playerStateChange").get("data"))
    case.has("AdUserInteraction", case.first("adUserInteraction").get("data"))
    case.says("the error is told", case.first("sessionError").get("data"),
              {"errorType": "media", "message": "it broke"})
    case.says("the content's address is told", case.first("sessionStart").get("data", {}).get("contentUrl"),
              "https://content.example/")
    starts = [event for event in case.heard if event.get("type") == "impression"]
    case.judge("one impression is counted", len(starts) == 1, len(starts))


def judge_display(case):
    case.says("their script is supported", case.heard[0] if case.heard else None, {"supported": True})
    case.hears("sessionStart", "loaded", "impression", "geometryChange", "sessionFinish")
    case.judge("their session client counts the ad, once",
               [event["type"] for event in case.heard if "type" in event].count("impression") == 1)
    views = [event["detail"]["data"]["adView"] for event in case.events if event["source"] == "omid"
             and event["name"] == "geometryChange"]
    case.judge("the element they mark is what is measured", any(view["measuringElement"] for view in views), views[:1])


def judge_video(case):
    case.says("their script is supported", case.heard[0] if case.heard else None, {"supported": True})
    case.hears("sessionStart", "loaded", "impression", "start", *MEDIA, "sessionFinish")


def judge_pod(case):
    # Their scripts are put in with each session; what the log says is what they are told.
    names = [event["name"] for event in case.events if event["source"] == "omid"]
    calls = [event["detail"].get("method") for event in case.events if event["source"] == "omid"
             and event["name"] == "sessionClient"]
    case.judge("their client's first session begins and ends", names.count("sessionFinish") >= 1, names)
    case.judge("a second one begins after it", names.count("sessionStart") >= 2, names)
    case.judge("their calls are heard", {"startSession", "finishSession"} <= set(calls), calls)
    last = names[len(names) - 1 - names[::-1].index("sessionStart"):] if "sessionStart" in names else []
    for name in ("loaded", *MEDIA):
        case.judge(f"the second session has {name}", name in last, last)


def judge_vast(case):
    case.says("their script is supported", case.heard[0] if case.heard else None, {"supported": True})
    order = ["sessionStart", "loaded", "impression", "start", "playerStateChange", "firstQuartile", "pause", "resume",
             "volumeChange", "midpoint", "thirdQuartile", "complete", "sessionFinish"]
    case.hears(*order)
    asked = [event["detail"]["url"] for event in case.events if event["name"] == "resource"
             and "compliance.iabtechnologylab.com" in event["detail"].get("url", "")]
    asked += [url for event in case.events if event["name"] in ("resources", "requests")
              for url in event["detail"].get("urls", [])]
    reports = [dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query)) for url in asked]
    case.judge("their compliance script says that it is supported",
               any(report.get("supported") == "yes" for report in reports), reports[:2])
    types = {report.get("type") for report in reports}
    for type in order:
        case.judge(f"their compliance script reports {type}", type in types, sorted(filter(None, types)))
    start = next((report for report in reports if report.get("type") == "sessionStart"), {})
    case.says("and its access", start.get("data[context][accessMode]"), "limited")
    case.says("and its session's type", start.get("data[context][adSessionType]"), "native")
    validation = case.first("sessionStart")
    case.judge("scripts of the same vendor are both run", bool(validation), case.heard[:2])


JUDGES = {
    "verification client": judge_direct, "verification client in a frame": judge_framed,
    "session client": judge_session,
    "session client in a frame": judge_session, "creatives/display": judge_display, "creatives/video": judge_video,
    "creatives/video pod": judge_pod, "measuring scripts in VAST": judge_vast,
}
