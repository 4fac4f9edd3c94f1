"""Each macro of IAB's list in addresses of a film of ours, and what is asked for it."""

import json
import re
import shutil
from pathlib import Path

from lib.verify.external import program

FILM = "Creatives/video/pod/first.webm"


def run(score, sources, galley, work):
    data = json.loads(
        (sources["vast"].files("vast4macros") / "vast4macros/data/macros-data.json").read_text())
    names = [macro["name"] for macro in data["macros"]]
    ad = work / "ad"
    shutil.rmtree(ad, ignore_errors=True)
    ad.mkdir()
    shutil.copy(Path(__file__).resolve().parents[5] / FILM, ad / "film.webm")
    beacons = "".join(f"<Impression><![CDATA[https://macro.example/{name}?v=[{name}]]]></Impression>" for name in names)
    (ad / "ad.xml").write_text(f"""<VAST version="4.3"><Ad id="m"><InLine><AdSystem>Larch</AdSystem>
<AdTitle>Macros</AdTitle>{beacons}<Creatives><Creative><Linear><Duration>00:00:02</Duration><MediaFiles>
<MediaFile delivery="progressive" type="video/webm" width="640" height="360">film.webm</MediaFile>
</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>""")
    # A beacon that is sent has everything in it, times too; nobody is there to hear it.
    record = program.render(galley, [ad], work / "out", "--send-beacons", "--network", "public").get(str(ad))
    sent: dict[str, str] = {}
    for event in program.events(record) if record else []:
        if event["source"] == "vast" and event["name"] == "impression":
            for url in event["detail"].get("timing", {}).get("urls", []) + event["detail"].get("beacons", []):
                if match := re.match(r"https://macro\.example/(\w+)\?v=(.*)", url):
                    sent.setdefault(match[1], match[2])
    for name in names:
        value = sent.get(name, "nothing is asked")
        score.judge(name, name in sent and "[" not in value and "%5B" not in value, value)
