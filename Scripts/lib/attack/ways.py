"""The ways by which a creative can have an address loaded: by the page, by the bridge, by a video ad's document."""

import json

from lib.attack.program import write

# By name: markup in which ADDRESS stands for the address, as a page writes it.
MARKUP = {
    "img": '<img src="ADDRESS">',
    "img-srcset": '<img srcset="ADDRESS 2x, ADDRESS 3x">',
    "picture": '<picture><source srcset="ADDRESS"><img></picture>',
    "input": '<input type="image" src="ADDRESS">',
    "script": '<script src="ADDRESS"></script>',
    "module": '<script type="module" src="ADDRESS"></script>',
    "stylesheet": '<link rel="stylesheet" href="ADDRESS">',
    "preload": '<link rel="preload" as="image" href="ADDRESS">',
    "modulepreload": '<link rel="modulepreload" href="ADDRESS">',
    "prefetch": '<link rel="prefetch" href="ADDRESS">',
    "preconnect": '<link rel="preconnect" href="ADDRESS">',
    "dns-prefetch": '<link rel="dns-prefetch" href="ADDRESS">',
    "icon": '<link rel="icon" href="ADDRESS">',
    "manifest": '<link rel="manifest" href="ADDRESS">',
    "iframe": '<iframe src="ADDRESS"></iframe>',
    "iframe-srcdoc": "<iframe srcdoc='<img src=\"ADDRESS\">'></iframe>",
    "iframe-sandbox": '<iframe sandbox="allow-scripts" src="ADDRESS"></iframe>',
    "object": '<object data="ADDRESS"></object>',
    "embed": '<embed src="ADDRESS">',
    "video": '<video src="ADDRESS" autoplay muted></video>',
    "video-poster": '<video poster="ADDRESS"></video>',
    "audio": '<audio src="ADDRESS" autoplay></audio>',
    "track": '<video src="data:video/mp4,x"><track default src="ADDRESS"></video>',
    "svg-image": '<svg><image href="ADDRESS"/></svg>',
    "svg-use": '<svg><use href="ADDRESS#x"/></svg>',
    "css-import": '<style>@import url("ADDRESS");</style>',
    "css-background": '<style>#background { background: url("ADDRESS") }</style><div id="background">x</div>',
    "css-font": '<style>@font-face { font-family: f; src: url("ADDRESS") }</style><p style="font-family: f">x</p>',
    "css-cursor": '<style>body { cursor: url("ADDRESS"), auto }</style>',
    "css-mask": '<div style="mask-image: url(\'ADDRESS\')">x</div>',
    "form": '<form id="form" action="ADDRESS" method="post" target="frame"></form><iframe name="frame"></iframe>'
            "<script>form.submit()</script>",
}

# By name: script in which address is the address.
SCRIPT = {
    "fetch": "fetch(address)",
    "fetch-no-cors": "fetch(address, { mode: 'no-cors', keepalive: true })",
    "xhr": "const r = new XMLHttpRequest(); r.open('GET', address); r.send()",
    "xhr-sync": "const r = new XMLHttpRequest(); r.open('GET', address, false); r.send()",
    "beacon": "navigator.sendBeacon(address, 'x')",
    "websocket": "new WebSocket(address.replace(/^http/, 'ws'))",
    "event-source": "new EventSource(address)",
    "image": "new Image().src = address",
    "sound": "new Audio(address).play()",
    "worker": "new Worker(URL.createObjectURL(new Blob([`fetch(${JSON.stringify(address)})`])))",
    "worker-import": "new Worker(URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(address)})`])))",
    "dynamic-import": "import(address)",
    "font": "new FontFace('f', `url(${address})`).load()",
    "ping": "const a = document.createElement('a'); a.href = '#x'; a.ping = address; document.body.append(a); "
            "a.click()",
    "window-open": "window.open(address)",
    "frame-location": "const f = document.createElement('iframe'); document.body.append(f); "
                      "f.contentWindow.location = address",
    "rtc": "const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:' + new URL(address).host }] });"
           "c.createDataChannel('x'); c.createOffer().then(o => c.setLocalDescription(o))",
    "mraid-store": "mraid.storePicture(address)",
    "mraid-video": "mraid.playVideo(address)",
}

# Those that end the page, or take it over: each has a creative of its own.
ALONE = {
    "location": "location.href = address",
    "refresh": "document.head.insertAdjacentHTML('beforeend', `<meta http-equiv='refresh' "
               "content='0;url=${address}'>`)",
    "mraid-open": "mraid.open(address)",
    "mraid-expand": "mraid.expand(address)",
}


def addressed(address, way):
    """An address that names its way, so that who asked for it can be told."""
    scheme, _, rest = address.partition("://")
    if not rest or scheme not in ("http", "https"):
        return address
    return f"{address}{'&' if '?' in rest else '/' if '/' not in rest else ''}{way}"


def page(address, only=None):
    """A page that tries every way at once."""
    markup = "\n".join(text.replace("ADDRESS", quoted(addressed(address, name))) for name, text in MARKUP.items()
                       if only is None or name in only)
    tries = "\n".join(
        f"try {{ (() => {{ const address = {in_script(addressed(address, name))}; {text} }})() }} catch (error) {{}}"
        for name, text in SCRIPT.items() if only is None or name in only)
    return document(f"{markup}<script>{with_bridge(tries)}</script>")


def alone(address, way):
    """A page that tries one of the ways that take it over."""
    script = f"const address = {in_script(addressed(address, way))}; {ALONE[way]}"
    return document(f"<script>{with_bridge(script)}</script>")


def document(body):
    return f'<!doctype html><meta charset="utf-8"><script src="mraid.js"></script><body><p>ad</p>{body}'


def with_bridge(script):
    """Runs a script once the bridge is ready, or at once where there is none."""
    return (f"(() => {{ const run = () => {{ {script} }};"
            "if (!window.mraid || mraid.getState() !== 'loading') run(); else mraid.addEventListener('ready', run); "
            "})()")


def quoted(address):
    return address.replace("&", "&amp;").replace('"', "&quot;")


def in_script(address):
    return json.dumps(address).replace("</", "<\\/")


def vast(address):
    """A video ad that names the address wherever a response can."""
    a = quoted(address)
    return f"""<VAST version="4.2"><Ad id="1"><InLine><AdSystem>x</AdSystem><AdTitle>x</AdTitle>
<Error>{a}</Error><Impression>{a}</Impression><Creatives><Creative><Linear><Duration>00:00:05</Duration>
<TrackingEvents><Tracking event="start">{a}</Tracking></TrackingEvents>
<VideoClicks><ClickThrough>{a}</ClickThrough><ClickTracking>{a}</ClickTracking></VideoClicks>
<MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="320" height="180">{a}</MediaFile></MediaFiles>
<Icons><Icon program="x" width="20" height="20" xPosition="left" yPosition="top">
<StaticResource creativeType="image/png">{a}
</StaticResource></Icon></Icons></Linear></Creative><Creative><CompanionAds><Companion width="320" height="50">
<StaticResource creativeType="image/png">{a}</StaticResource></Companion><Companion width="300" height="250">
<IFrameResource>{a}</IFrameResource></Companion></CompanionAds></Creative></Creatives></InLine></Ad></VAST>"""


def wrapper(address):
    return ('<VAST version="4.2"><Ad id="1"><Wrapper><AdSystem>x</AdSystem>'
            f'<VASTAdTagURI>{quoted(address)}</VASTAdTagURI>'
            f"<Impression>{quoted(address)}</Impression></Wrapper></Ad></VAST>")


def bid(address):
    return json.dumps({"id": "1", "seatbid": [{"bid": [{
        "id": "1", "impid": "1", "price": 1, "adm": f'<img src="{quoted(address)}">', "nurl": address, "burl": address,
        "w": 320, "h": 50}]}]})


SCENARIO = "- wait: 0.4\n"


def creatives(folder, number, address, hosts=True):
    """Writes every creative that tries an address; gives their paths."""
    top = folder / f"{number:04}"
    made = [write(top / "page" / "index.html", page(address)).parent]
    write(top / "page" / "scenario.yaml", SCENARIO)
    if hosts:
        for way in ALONE:
            made.append(write(top / way / "index.html", alone(address, way)).parent)
            write(top / way / "scenario.yaml", SCENARIO)
        made.append(write(top / "vast" / "ad.xml", vast(address)))
        made.append(write(top / "wrapper" / "ad.xml", wrapper(address)))
        made.append(write(top / "bid" / "bid.json", bid(address)))
    return made


def count(hosts=True):
    """How many ways there are for an address."""
    # A response names it in eleven places, a wrapper in two, a bid in three.
    return len(MARKUP) + len(SCRIPT) + (len(ALONE) + 11 + 2 + 3 if hosts else 0)
