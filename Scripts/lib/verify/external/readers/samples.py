"""Video ads of others, each played: it ends in pictures and events, or in the code that the standard has for it."""

import os
import re
import shutil
import urllib.parse

from lib.verify.external import program


def run_iab(score, sources, galley, work):
    folder = sources["vast-samples"].files()
    tree = own_copy(folder, work / "copy", {
        "https://raw.githubusercontent.com/InteractiveAdvertisingBureau/VAST_Samples/master/": "/",
        "https://iab-publicfiles.s3.amazonaws.com/vast/": "/VAST/",
    })
    judge(score, galley, tree, work)


def run_ima(score, sources, galley, work):
    folder = sources["videojs-ima"].files("test/webdriver/content/canned_ads") / "test/webdriver/content/canned_ads"
    tree = own_copy(folder, work / "copy", {
        "http://localhost:8000/test/webdriver/content/canned_ads/": "/",
    })
    judge(score, galley, tree, work)


def own_copy(folder, target, places):
    """A folder for each document, in which what the suite's own server would serve lies beside it."""
    shutil.rmtree(target, ignore_errors=True)
    creatives = {}
    everything = [path for path in sorted(folder.rglob("*")) if path.is_file() and ".git" not in path.parts]
    for number, path in enumerate(path for path in everything if path.suffix == ".xml"):
        place = target / f"{number:03}"
        for other in everything:
            copy = place / safe(other.relative_to(folder))
            copy.parent.mkdir(parents=True, exist_ok=True)
            if other.suffix == ".xml":
                copy.write_text(moved(other.read_text(errors="replace"), places))
            else:
                os.link(other, copy)
        (place / "ad.xml").write_text(moved(path.read_text(errors="replace"), places))
        creatives[str(path.relative_to(folder))] = place
    return creatives


def safe(path):
    return "/".join(part.replace(" ", "-") for part in path.parts)


def moved(text, places):
    for address, own in places.items():
        def local(match, own=own):
            return own + urllib.parse.unquote(match[1]).replace(" ", "-")

        text = re.sub(re.escape(address) + r"([^\s\]<\"']*(?: [^\s\]<\"']+)*)", local, text)
    return text


def judge(score, galley, creatives, work):
    records = program.render(galley, creatives.values(), work / "out", "--offline", "--timeout", "120")
    for name, folder in creatives.items():
        record = records.get(str(folder))
        document = (folder / "ad.xml").read_text()
        if record is None:
            score.judge(name, False, "there is no result")
            continue
        log = program.events(record)
        codes = [str(event["detail"]["code"]) for event in log if (event["source"], event["name"]) == ("vast", "error")]
        if record["outcome"] == "completed":
            shown = [event for event in log if event["name"] == "impression"]
            score.judge(name, bool(shown), "completed without an impression")
            continue
        wanted = expected_end(document)
        if wanted == "behind":
            wanted = expected_end((folder / tag_of(document)).read_text())
        said = re.search(r"VAST error (\d+)", record.get("message", ""))
        found = {*codes, said[1] if said else record.get("code", "")}
        score.judge(name, wanted in found, f"{record.get('message')} (codes {codes}), expected {wanted or 'to play'}")


def tag_of(document):
    """The file that a wrapper leads to, of the copy."""
    return re.findall(r"TagUR[IL]\b[^>]*>\s*(?:<URL>)?\s*(?:<!\[CDATA\[)?\s*/([^<\]\s]*)", document)[0]


def expected_end(document):
    """The standard's code for a document that can't be played here; nil for one that can.

    There is no network: whatever is on other hosts than the suite's isn't there.
    """
    if "<VideoAdServingTemplate" in document:
        return "102"
    if not re.search(r"<(\w+:)?Ad(Break)?\b", document):
        return "303"
    if media := re.findall(r"<MediaFile\b([^>]*)>\s*(?:<!\[CDATA\[)?\s*([^<\]\s]*)", document):
        films = [(head, url) for head, url in media if "VPAID" not in head and not re.search("flv|flash", head)]
        if not films:
            return "901" if all("VPAID" in head for head, _ in media) else "403"
        return "401" if all(re.match("https?:", url) for _, url in films) else None
    if tag := re.search(r"TagUR[IL]\b[^>]*>\s*(?:<URL>)?\s*(?:<!\[CDATA\[)?\s*([^<\]\s]*)", document):
        return "300" if re.match("https?:", tag[1]) else "behind"
    if overlays := re.findall(r"<NonLinear\b[^>]*>", document):
        if all("VPAID" in head for head in overlays):
            return "901"
        shown = re.findall(r"<StaticResource[^>]*image[^>]*>\s*(?:<!\[CDATA\[)?\s*([^<\]\s]*)", document)
        return "503" if not shown else "502" if re.match("https?:", shown[0]) else None
    return "401"
