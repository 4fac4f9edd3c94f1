"""Creatives that loop, crash, flood and grow: each ends with a verdict, in time, and harms no other."""

import os

from lib.attack import ways
from lib.attack.program import write

# What a render may take: seconds, MiB of memory, and MiB of disk.
SECONDS, MEMORY, DISK = 6, 400, 120

SCRIPTS = {
    "an endless loop": "for (;;);",
    "a loop that asks for the time": "for (;;) Date.now()",
    "endless promises": "(function again () { Promise.resolve().then(again) })()",
    "endless messages": "const c = new MessageChannel(); c.port1.onmessage = () => c.port2.postMessage(1); "
                        "c.port2.postMessage(1)",
    "endless recursion": "(function again () { again(); again() })()",
    "a hard expression": "/^(a+)+$/.test('a'.repeat(40) + 'b')",
    "dialogs": "for (;;) alert('x'.repeat(1e5))",
    "prints": "for (let i = 0; i < 1e4; i++) print()",
    "a growing array": "const all = []; for (;;) all.push(new Float64Array(1e6).fill(1))",
    "growing strings": "let text = 'x'; for (;;) text = text + text",
    "blobs": "const all = []; setInterval(() => all.push(new Blob([new Uint8Array(2e7).fill(7)])), 1)",
    "IndexedDB": "const r = indexedDB.open('x'); r.onupgradeneeded = () => r.result.createObjectStore('s', { "
                 "autoIncrement: true });"
                 "r.onsuccess = () => { const put = () => { try { const t = r.result.transaction('s', 'readwrite');"
                 "t.objectStore('s').put(new Uint8Array(2e7).fill(1)); t.oncomplete = t.onabort = put } catch (e) {} "
                 "}; put() }",
    "localStorage": "for (let i = 0; ; i++) { try { localStorage['k' + i] = 'x'.repeat(1e6) } catch (e) { i = 0 } }",
    "caches": "caches.open('x').then(async c => { for (let i = 0; ; i++) await c.put('/' + i, "
              "new Response('x'.repeat(1e7))) })",
    "cookies": "for (let i = 0; i < 1e6; i++) document.cookie = 'k' + i + '=' + 'x'.repeat(4000)",
    "history": "for (let i = 0; i < 1e6; i++) history.pushState('x'.repeat(1e5), '', '#' + i)",
    "title": "setInterval(() => document.title = 'x'.repeat(1e7) + Math.random(), 1)",
    "console": "for (;;) console.log('x'.repeat(1e6))",
    "console at rest": "setInterval(() => { for (let i = 0; i < 1e4; i++) console.error({ i }) }, 1)",
    "errors": "setInterval(() => { for (let i = 0; i < 1e3; i++) Promise.reject(new Error('x'.repeat(1e5))) }, 1)",
    "fetches": "setInterval(() => { for (let i = 0; i < 50; i++) fetch('/no?' + 'x'.repeat(1e6) + "
               "Math.random()).catch(() => {}) }, 10)",
    "images": "setInterval(() => { for (let i = 0; i < 200; i++) new Image().src = 'no' + Math.random() + '.png' }, 5)",
    "sockets": "setInterval(() => { try { new WebSocket('ws://no.example/' + Math.random()) } catch (e) {} }, 1)",
    "bridge calls": "for (;;) mraid.open('https://x.example/' + 'x'.repeat(1e6))",
    "bridge calls at rest": "setInterval(() => { for (let i = 0; i < 500; i++) mraid.open('https://x.example/?' + "
                            "'x'.repeat(1e4)) }, 1)",
    "resizes": "let n = 0; setInterval(() => { mraid.setResizeProperties({ width: 100 + n++ % 200, height: 100, "
               "offsetX: 0, offsetY: 0,"
               "allowOffscreen: true }); mraid.resize() }, 1)",
    "a resize beyond bounds": "for (const n of [3e9, -3e9, 1e19, 1e308, NaN, Infinity, 2 ** 31, 2 ** 53 + 1, 30000, "
                              "-0])"
                              "{ mraid.setResizeProperties({ width: n, height: 50, offsetX: -n, offsetY: 0, "
                              "allowOffscreen: true }); mraid.resize() }",
    "odd arguments": "for (const v of [null, undefined, NaN, {}, [], Symbol.iterator, () => 1, 1n, { toString () { "
                     "throw 1 } }, new Proxy({}, {})])"
                     "for (const f of Object.keys(mraid)) try { if (typeof mraid[f] === 'function') mraid[f](v, v) } "
                     "catch (e) {}",
    "expand and close": "setInterval(() => { mraid.expand(); mraid.close() }, 1)",
    "unload": "mraid.unload(); mraid.unload(); setInterval(() => mraid.expand(), 1)",
    "listeners that throw": "for (const e of ['stateChange', 'sizeChange', 'exposureChange', 'error', "
                            "'viewableChange'])"
                            "mraid.addEventListener(e, () => { throw new Error(e) }); "
                            "setInterval(() => mraid.expand() || mraid.close(), 5)",
    "a million listeners": "for (let i = 0; i < 1e6; i++) mraid.addEventListener('stateChange', () => {})",
    "animation without end": "document.head.append(Object.assign(document.createElement('style'), { textContent:"
                             "'@keyframes a { to { opacity: 0 } } body { animation: a 1s 1e20 }' }))",
    "a wide page": "document.body.style.cssText = 'width: 1e9px; height: 1e9px; "
                   "background: linear-gradient(red, blue)'",
    "a deep page": "let at = document.body; for (let i = 0; i < 1e5; i++) at = "
                   "at.appendChild(document.createElement('div'))",
    "a million elements": "document.body.innerHTML = '<p>x'.repeat(1e6)",
    "frames": "(function add () { for (let i = 0; i < 20; i++) document.body.append(document.createElement('iframe')); "
              "setTimeout(add, 1) })()",
    "frames in frames": "const f = document.createElement('iframe'); f.srcdoc = '<script>' + "
                        "'parent.document.body.append(Object.assign(document.createElement(\"iframe\"),"
                        "{ srcdoc: frameElement.srcdoc }))' + '<\\/script>'; document.body.append(f)",
    "workers": "const u = URL.createObjectURL(new Blob(['for (;;);'])); for (let i = 0; i < 200; i++) new Worker(u)",
    "canvases": "const all = []; for (let i = 0; i < 500; i++) { const c = document.createElement('canvas'); "
                "c.width = c.height = 8000;"
                "c.getContext('2d').fillRect(0, 0, 8000, 8000); all.push(c) }",
    "WebGL": "for (let i = 0; i < 100; i++) { const g = document.createElement('canvas').getContext('webgl'); "
             "if (g) g.bufferData(g.ARRAY_BUFFER, 5e8, g.STATIC_DRAW) }",
    "a filter": "document.body.style.filter = 'blur(2000px) '.repeat(50); document.body.innerHTML = '<svg width=4000 "
                "height=4000><rect width=4000 height=4000 /></svg>'",
    "sounds": "for (let i = 0; i < 300; i++) { const c = new AudioContext(); const o = c.createOscillator(); "
              "o.connect(c.destination); o.start() }",
    "a document that writes itself": "(function again () { document.write('<p>x'); setTimeout(again) })()",
    "a page that reloads": "location.reload()",
    "a page that goes round": "location.href = '?' + Math.random()",
    "windows": "setInterval(() => window.open('https://x.example/'), 1)",
    "a page that stays": "window.onbeforeunload = () => 'x'; window.onpagehide = () => { for (;;); }",
    "foreign text": "console.log('\\u001b[2J\\n::stop-commands::t\\n##vso[task.setvariable "
                    "variable=A]b\\u2028\\u202e\\0'); alert('\\n::error::x')",
    "forged globals": "for (const k of Object.getOwnPropertyNames(window)) try { window[k] = null } catch (e) {}",
    "no prototypes": "for (const c of [Object, Array, Function, String, Promise, Element, Node, "
                     "Event]) for (const k of Object.getOwnPropertyNames(c.prototype)) try { delete c.prototype[k] } "
                     "catch (e) {}",
}


def attack(galley, folder, tally, quick, random):
    names = [name for number, name in enumerate(SCRIPTS) if not quick or number % 11 == 0]
    plain = write(folder / "plain" / "index.html", ways.document("<h1>plain</h1>")).parent
    galley.run("render", plain, "--out", folder / "reference")
    reference = pictures(folder / "reference" / "plain")
    made = {name: write(folder / "creatives" / f"{number:02}" / "index.html", hostile(SCRIPTS[name])).parent
            for number, name in enumerate(names)}
    calls = [each for creative in made.values() for each in (creative, plain)]
    ended = galley.render(calls, "--timeout", SECONDS, "--memory", MEMORY, "--network", "none",
                       "--out", folder / "out", within=60 * len(names))
    results = galley.results(ended)
    tally.note(f"{len(names)} creatives in {ended.seconds:.0f} s")
    tally.check(ended.code in (0, 1, 4), f"the batch ended with {ended.code}")
    for number, name in enumerate(names):
        own, beside = results[2 * number: 2 * number + 1], results[2 * number + 1: 2 * number + 2]
        tally.check(bool(own) and own[0].get("code") not in ("worker-died", "server-error"), f"{name}: {own}")
        tally.check(size(folder / "out" / made[name].name) < DISK << 20,
                    f"{name}: {size(folder / 'out' / made[name].name) >> 20} MiB of disk")
        tally.check(bool(beside) and beside[0]["outcome"] == "completed", f"beside {name}: {beside}")
    neighbours = sorted((folder / "out").glob("plain*"))
    for each in neighbours:
        tally.check(reference and pictures(each) == reference, f"{each.name} has other pictures")
    tally.check(len(neighbours) == len(names), f"{len(neighbours)} plain creatives for {len(names)}")
    tally.check(not left(), f"left alive: {left()}")


def pictures(result):
    """The bytes of a result's pictures, by their names."""
    return {path.name: path.read_bytes() for path in sorted((result / "screenshots").glob("*.png"))}


def hostile(script):
    return ways.document(f"<script>{ways.with_bridge(script)}</script>")


def size(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def left():
    """Engine processes that still run; the batch has ended."""
    names = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/comm") as comm, open(f"/proc/{pid}/environ", "rb") as environment:
                name = comm.read().strip()
                if b"GALLEY_RUN=" in environment.read() and name.startswith(("galley-worker", "WebKit", "Xvfb")):
                    names.append(name)
        except OSError:
            continue
    return names
