"""The same VAST documents, read by Galley and by vast-client-js, a player's library of another house."""

import json
import re
import subprocess
from pathlib import Path

from lib.verify.external import program

WHERE = {
    "vast-samples": [],
    "vast-client-js": ["spec/samples"],
    "videojs-ima": ["test/webdriver/content/canned_ads"],
    "prebid-mobile-android": ["PrebidMobile/PrebidMobile-core/src/test/resources"],
}


def run(score, sources, galley, work):
    library = sources["vast-client-js"].files("dist", "spec/samples", "package.json")
    documents = {}
    for name, source in sources.items():
        folder = library if name == "vast-client-js" else source.files(*WHERE[name])
        for path in sorted(folder.rglob("*.xml")):
            if re.search(r"<(\w+:)?VAST|<VideoAdServingTemplate", path.read_text(errors="replace")) and not re.search(
                    r"<vmap:VMAP", path.read_text(errors="replace")):
                documents[path] = f"{name}/{path.relative_to(folder)}"
    other = read_other(library, documents)
    own = program.inspect(galley, documents)
    for path, name in documents.items():
        found = differences(own_form(own[str(path)]), other[str(path)])
        score.judge(name, not found, "; ".join(found))


def read_other(library, documents):
    script = Path(__file__).with_name("vast_client.mjs")
    words = ["node", str(script), str(library), *map(str, documents)]
    lines = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    return {found["file"]: other_form(found) for found in map(json.loads, lines)}


def text(value):
    """Text as both have it: without space around it, nothing where there is none."""
    return value.strip() or None if isinstance(value, str) else value


def texts(values):
    return sorted(filter(None, map(text, values or [])))


def seconds(offset):
    """A moment as a share or in seconds."""
    if offset is None or not isinstance(offset, str) or offset.endswith("%"):
        return offset
    if match := re.fullmatch(r"(\d+):(\d+):(\d+(?:\.\d+)?)", offset):
        return int(match[1]) * 3600 + int(match[2]) * 60 + float(match[3])
    return float(offset)


def events(tracking):
    """Addresses by event, moments of progress written alike."""
    return {name: texts(urls) for name, urls in sorted(tracking.items()) if texts(urls)}


def own_form(entry):
    if "message" in entry:
        return {"failure": entry["message"]}
    vast = entry["vast"]
    return {"version": vast["version"], "errors": texts(vast.get("errors")),
            "ads": list(map(own_ad, vast.get("ads", [])))}


def own_ad(ad):
    return {
        "id": text(ad.get("id")), "sequence": ad.get("sequence"), "title": text(ad.get("title")),
        "system": text(ad.get("system")), "wrapper": text(ad.get("tag")), "adServingId": text(ad.get("adServingId")),
        "impressions": texts(ad.get("impressions")), "errors": texts(ad.get("errors")),
        "verifications": sorted((part.get("vendor"), resource) for part in ad.get("verifications", [])
                                for resource in part.get("resources", [])),
        "viewable": texts(ad.get("viewable")), "creatives": list(map(own_creative, ad.get("creatives", []))),
    }


def own_creative(creative):
    tracking: dict[str, list] = {}
    for one in creative.get("tracking", []):
        name = one["event"]
        if name == "progress" and "offset" in one:
            name = f"progress-{seconds(one['offset'])}"
        tracking.setdefault(name, []).append(one["url"])
    shared = {"kind": creative["kind"], "id": text(creative.get("id")), "tracking": events(tracking)}
    if creative["kind"] == "linear":
        return shared | {
            "duration": creative.get("duration"), "skip": seconds(creative.get("skipOffset")),
            "clickThrough": text(creative.get("clickThrough")), "clickTracking": texts(creative.get("clickTracking")),
            "customClicks": texts(creative.get("customClicks")), "icons": len(creative.get("icons", [])),
            "media": [[file["url"], file["type"], file["width"], file["height"], file.get("apiFramework")]
                      for file in creative.get("media", [])],
            "interactive": texts(file["url"] for file in creative.get("interactive", [])),
            "captions": texts(file["url"] for file in creative.get("captions", [])),
            "parameters": text(creative.get("parameters")),
        }
    parts = creative.get("companions") or creative.get("overlays") or []
    return shared | {"parts": [
        [part.get("width") or 0, part.get("height") or 0,
         texts(value for resource in part.get("resources", []) for key, value in resource.items() if key != "type"),
         text(part.get("clickThrough"))] for part in parts]}


def other_form(found):
    if "failure" in found:
        return {"failure": found["failure"]}
    return {"version": found["version"], "errors": texts(found["errors"]), "ads": list(map(other_ad, found["ads"]))}


def other_ad(ad):
    return {
        "id": text(ad["id"]), "sequence": int(ad["sequence"]) if ad["sequence"] else None, "title": text(ad["title"]),
        "system": text(ad["system"]), "wrapper": text(ad["wrapper"]), "adServingId": text(ad["adServingId"]),
        "impressions": texts(ad["impressions"]), "errors": texts(ad["errors"]),
        "verifications": sorted((vendor, text(resource)) for vendor, resource in ad["verifications"]),
        "viewable": texts(ad["viewable"]), "creatives": list(map(other_creative, ad["creatives"])),
    }


def other_creative(creative):
    tracking = {}
    for name, urls in creative["tracking"].items():
        if match := re.fullmatch(r"progress-(.*)", name):
            name = f"progress-{seconds(match[1])}"
        tracking[name] = urls
    shared = {"kind": creative["kind"], "id": text(creative["id"]), "tracking": events(tracking)}
    if creative["kind"] == "linear":
        return shared | {
            "duration": creative["duration"], "skip": None if creative["skip"] == -1 else creative["skip"],
            "clickThrough": text(creative["clickThrough"]),
            "clickTracking": texts(creative["clickTracking"]), "customClicks": texts(creative["customClicks"]),
            "icons": creative["icons"],
            "media": [[url, (kind or "").lower(), int(width), int(height), framework or None]
                      for url, kind, width, height, framework in creative["media"]],
            "interactive": texts(creative["interactive"]), "captions": texts(creative["captions"]),
            "parameters": text(creative["parameters"]),
        }
    return shared | {"parts": [[float(width or 0), float(height or 0), texts(resources), text(link)]
                               for width, height, resources, link in creative["parts"]]}


def differences(own, other, path=""):
    """Where the two part, in words; of two refusals the words don't matter."""
    if "failure" in own and "failure" in other:
        return []
    if "failure" in own or "failure" in other:
        return [f"Galley: {own.get('failure', 'read')}; vast-client-js: {other.get('failure', 'read')}"]
    return list(parted(own, other, path))


def parted(own, other, path):
    if isinstance(own, dict):
        for key in own:
            yield from parted(own[key], other.get(key), f"{path}.{key}" if path else key)
    elif isinstance(own, list) and isinstance(other, list) and len(own) == len(other):
        for index, pair in enumerate(zip(own, other, strict=True)):
            yield from parted(*pair, f"{path}[{index}]")
    elif own != other:
        yield f"{path}: {json.dumps(own)[:160]} and {json.dumps(other)[:160]}"
