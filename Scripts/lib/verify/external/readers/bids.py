"""Bid responses: each opens as what it is, or is refused for what is wrong with it."""

import json
import re
import xml.etree.ElementTree

from lib.verify.external import program


def run_server(score, sources, galley, work):
    folder = sources["prebid-server"].files("adapters")
    bodies = {}
    for path in sorted(folder.rglob("exemplary/*.json")):
        name = str(path.relative_to(folder / "adapters")).removesuffix(".json")
        try:
            calls = json.loads(path.read_text()).get("httpCalls", [])
        except ValueError:
            continue
        for number, call in enumerate(calls):
            answer = call.get("mockResponse", {})
            if answer.get("status", 200) == 200 and answer.get("body") not in (None, ""):
                bodies[f"{name}#{number}"] = answer["body"]
    judge(score, galley, bodies, work)


def run_mobile(score, sources, galley, work):
    bodies = {}
    for name, source in sources.items():
        places = {
            "prebid-mobile-ios": ["PrebidMobileTests/RenderingTests/SampleFiles/ORTB-samples",
                                  "PrebidMobileTests/RenderingTests/TestData", "tools/TestUtils/TestUtils/Responses",
                                  "Example/PrebidDemo/stored-configs/stored-responses"],
            "prebid-mobile-android": ["PrebidMobile/PrebidMobile-core/src/test/resources"],
        }[name]
        folder = source.files(*places)
        for path in sorted(path for place in places for path in (folder / place).rglob("*.json")):
            # Not responses: parts of one, requests, and what is merged into requests.
            if re.search(r"OpenRtbMerger|RewardedExt|bidding_(bid|bids|cache|prebid|seatbid)_|request|SSC_|stored-imp",
                         str(path)):
                continue
            try:
                bodies[f"{name}/{path.name}"] = json.loads(path.read_text())
            except ValueError:
                bodies[f"{name}/{path.name}"] = path.read_text()
    judge(score, galley, bodies, work)


def judge(score, galley, bodies, work):
    folder = work / "responses"
    folder.mkdir(exist_ok=True)
    paths = {}
    for number, (name, body) in enumerate(bodies.items()):
        paths[name] = folder / f"{number:04}.json"
        paths[name].write_text(body if isinstance(body, str) else json.dumps(body))
    entries = program.inspect(galley, paths.values())
    for name, body in bodies.items():
        entry = entries[str(paths[name])]
        wanted, why = expected(body)
        found = entry.get("code") or entry.get("shows")
        score.judge(name, found in wanted,
                    f"{found} ({entry.get('message', '')}), expected {' or '.join(wanted)}: {why}")


def expected(body):
    """What a response is to a reader of the standard: what is shown of it, or the codes it may be refused with."""
    if isinstance(body, str):
        text = body.lstrip()
        if re.match(r"(<\?xml[^>]*>\s*)?<VAST", text):
            return expected_vast(text)
        # Not JSON: markup, as an exchange's own answer may be.
        return ["page", "bid-invalid", "response-unrecognized", "html"], "is no JSON"
    if not isinstance(body, dict):
        return ["bid-invalid", "page"], "is no object"
    if "native" in body and "seatbid" not in body or "assets" in body:
        return ["native", "native-invalid"], "a native ad alone"
    problem = invalid(body)
    if problem:
        return ["bid-invalid"], problem
    bids = [bid for seat in body.get("seatbid") or [] for bid in seat.get("bid") or []]
    if not bids:
        return ["bid-missing"], "has no bid"
    first = bids[0]["impid"]
    winner = max((bid for bid in bids if bid["impid"] == first), key=lambda bid: float(bid["price"]))
    return expected_markup(winner)


def number(value):
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return not isinstance(value, bool)


def invalid(body):
    """What of the parts that OpenRTB requires is missing or of another type; nil where nothing is."""
    if body.get("id") in (None, ""):
        return "id is missing"
    seats = body.get("seatbid") or []
    if not isinstance(seats, list):
        return "seatbid isn't a list"
    for seat in seats:
        if not isinstance(seat.get("bid") or [], list):
            return "bid isn't a list"
        for bid in seat.get("bid") or []:
            for key in ("id", "impid"):
                if bid.get(key) in (None, ""):
                    return f"{key} is missing"
            if not number(bid.get("price")):
                return "price is missing or no number"
            if isinstance(bid.get("adm"), (dict, list)):
                return "adm isn't text"
            if bid.get("mtype") not in (None, 1, 2, 3, 4):
                return "mtype is none"
            for key in ("w", "h", "exp", "dur"):
                if bid.get(key) is not None and not number(bid[key]):
                    return f"{key} is no number"
    return None


def expected_markup(bid):
    markup = bid.get("adm")
    if not isinstance(markup, str) or not markup:
        return ["bid-markup-missing"], "the bid has no adm"
    kind = bid.get("mtype")
    if kind == 3:
        return ["bid-unsupported"], "an audio ad"
    if kind == 4:
        return expected_native(markup)
    if kind == 2:
        return expected_vast(markup)
    if kind is None:
        if re.match(r"\s*(<VAST|<\?xml)", markup):
            return expected_vast(markup)
        if '"assets"' in markup:
            return expected_native(markup)
    return ["html"], "markup"


def expected_native(markup):
    try:
        ad = json.loads(markup)
        ad = ad.get("native", ad)
        if ad.get("assets"):
            return ["native"], "a native ad"
    except (ValueError, AttributeError):
        pass
    return ["native-invalid"], "a native ad that can't be read"


def expected_vast(markup):
    """VAST, or why it is none to a reader of XML who wants a document."""
    try:
        root = xml.etree.ElementTree.fromstring(markup.strip())
    except xml.etree.ElementTree.ParseError as error:
        return ["vast-invalid"], f"no XML: {error}"
    if root.tag.rsplit("}")[-1] != "VAST":
        return ["vast-invalid"], f"the root is {root.tag}"
    ads = [part for part in root if part.tag.rsplit("}")[-1] == "Ad"]
    wrappers = [child for ad in ads for child in ad if child.tag.rsplit("}")[-1] == "Wrapper"]
    if ads and len(wrappers) == len(ads) and not any(
            part.tag.rsplit("}")[-1] == "VASTAdTagURI" for wrapper in wrappers for part in wrapper):
        return ["vast-invalid"], "a wrapper that leads nowhere"
    if ads and not any(child.tag.rsplit("}")[-1] in ("InLine", "Wrapper") for ad in ads for child in ad):
        return ["vast-invalid"], "its ads are empty"
    return ["vast"], "VAST"
