"""Pages that speak as the container, make clicks that nobody made, or hide what they do."""

from lib.attack import ways
from lib.attack.program import events, write

MARK = "galley-attack-mark"
CALL = f"{{ type: 'call', name: 'storePicture', args: ['https://{MARK}.example/'], gesture: true, state: 'default' }}"

# Scripts that a page runs before its error; FORGED is the message that they would have the host take for a call.
WAYS = {
    "toJSON of objects": "Object.prototype.toJSON = function () { return FORGED }",
    "toJSON once": "Object.prototype.toJSON = function () { delete Object.prototype.toJSON; return FORGED }",
    "toJSON of strings": "String.prototype.toJSON = function () { return FORGED }",
    "toJSON of arrays": "Array.prototype.toJSON = function () { return [FORGED] }",
    "toJSON of numbers": "Number.prototype.toJSON = Boolean.prototype.toJSON = function () { return FORGED }",
    "JSON.stringify": "const real = JSON.stringify; JSON.stringify = () => real(FORGED)",
    "JSON itself": "const real = JSON; window.JSON = { ...real, stringify: () => real.stringify(FORGED), "
                   "parse: () => FORGED }",
    "a getter of gesture": "Object.defineProperty(Object.prototype, 'gesture', { get: () => true, set () {} })",
    "setters of the message": "for (const name of ['type', 'name', 'args', 'detail', 'observed', 'gesture', 'state', "
                              "'value'])"
                              "  Object.defineProperty(Object.prototype, name, { get: () => FORGED[name], set () {}, "
                              "configurable: true })",
    "setters of indices": "for (let i = 0; i < 4; i++) Object.defineProperty(Array.prototype, i, { set () {}, "
                          "get: () => FORGED })",
    "then of objects": "Object.prototype.then = function (take) { take(FORGED) }",
    "Array.prototype": "for (const name of ['map', 'push', 'slice', 'join', 'forEach', 'filter', 'includes', 'concat'])"
                       "  Array.prototype[name] = () => [FORGED]",
    "iterators": "Array.prototype[Symbol.iterator] = function* () { yield FORGED }",
    "call and apply": "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => FORGED",
    "Reflect and Object": "for (const name of ['apply', 'get', 'set', 'ownKeys']) Reflect[name] = () => FORGED;"
                          "for (const name of ['keys', 'entries', 'assign', 'create', "
                          "'freeze']) Object[name] = () => FORGED",
    "String.prototype": "for (const name of ['slice', 'substring', 'replace', 'split', "
                        "'toString']) String.prototype[name] = () => 'x'",
    "String itself": "window.String = () => 'x'; window.Number = () => 1; window.Boolean = () => true",
    "Error": "window.Error = function () { return FORGED }; Error.prepareStackTrace = () => FORGED",
    "isTrusted": "Object.defineProperty(Event.prototype, 'isTrusted', { get: () => true });"
                 "document.body.dispatchEvent(new MouseEvent('click', { bubbles: true })); "
                 "mraid.open('https://x.example/')",
    "a click by script": "document.body.click(); mraid.open('https://x.example/')",
    "userActivation": "Object.defineProperty(navigator, 'userActivation', { value: { isActive: true, "
                      "hasBeenActive: true } });"
                      "mraid.open('https://x.example/')",
    "addEventListener": "EventTarget.prototype.addEventListener = () => {}; window.addEventListener = () => {}",
    "all handlers": "for (const name of Object.getOwnPropertyNames(window.webkit?.messageHandlers ?? {}))"
                    "  window.webkit.messageHandlers[name].postMessage(JSON.stringify(FORGED))",
    "handlers of a frame": "const frame = document.createElement('iframe'); document.body.append(frame);"
                           "const found = frame.contentWindow.webkit?.messageHandlers ?? {};"
                           "for (const name of Object.getOwnPropertyNames(found)) {"
                           "  found[name].postMessage(JSON.stringify(FORGED)); found[name].postMessage(FORGED) }",
    "names of the player": "const frame = document.createElement('iframe'); document.body.append(frame);"
                           "const found = frame.contentWindow.webkit?.messageHandlers ?? {};"
                           "for (const text of ['{\"player\":\"clicked\"}', '{\"player\":\"skipped\"}', "
                           "'{\"input\":\"tap\"}', '{\"load\":\"done\"}'])"
                           "  for (const name of Object.getOwnPropertyNames(found)) found[name].postMessage(text)",
    "a frame of a data address": "const frame = document.createElement('iframe');"
                                 "frame.src = `data:text/html,<script src=mraid.js><\\/script><script>"
                                 "for (const name of Object.getOwnPropertyNames(window.webkit?.messageHandlers ?? {}))"
                                 "  window.webkit.messageHandlers[name].postMessage("
                                 "${encodeURIComponent(JSON.stringify(JSON.stringify(FORGED)))})<\\/script>`;"
                                 "document.body.append(frame)",
    "a sandboxed frame": "const frame = document.createElement('iframe'); frame.sandbox = 'allow-scripts';"
                         "frame.srcdoc = `<script src='mraid.js'><\\/script><script>setTimeout(() => { try { "
                         "mraid.storePicture("
                         f"'https://{MARK}.example/') }} catch (e) {{}} }}, 50)<\\/script>`; "
                         f"document.body.append(frame)",
    "the console": "console.log = console.error = console.warn = () => {}",
    "onerror": "window.onerror = () => true; window.addEventListener('error', e => { e.preventDefault(); "
               "e.stopImmediatePropagation() }, true)",
    "rejections": "window.addEventListener('unhandledrejection', e => { e.preventDefault(); "
                  "e.stopImmediatePropagation() }, true)",
    "postMessage": "Object.defineProperty(Object.prototype, 'postMessage', { value: () => {}, configurable: true });"
                   "window.postMessage = () => {}",
    "the bridge taken away": "const own = mraid; delete window.mraid; window.mraid = { ...own, addEventListener () {} "
                             "}",
}


def attack(galley, folder, tally, quick, random):
    names = list(WAYS)[::4] if quick else list(WAYS)
    made = {name: write(folder / "creatives" / f"{number:02}" / "index.html", page(WAYS[name])).parent
            for number, name in enumerate(names)}
    galley.run("check", *made.values(), "--profile", "iab", "--out", folder / "out", within=900)
    for name, creative in made.items():
        log = events(folder / "out" / creative.name)
        calls = [each for each in log if each["source"] == "creative"]
        tally.check(log, f"{name}: no log")
        tally.check(not any(gestures(each) for each in log), f"{name}: a gesture that nobody made")
        tally.check(not any(MARK in str(each) and each["source"] in ("creative", "mraid") for each in calls),
                    f"{name}: a call that the ad's bridge didn't make")
        tally.check(any("late trouble" in str(each) for each in log), f"{name}: an error went unseen")
        tally.check(any(each["name"] == "open" for each in calls), f"{name}: a call went unseen")


def gestures(event):
    detail = event.get("detail") or {}
    return isinstance(detail, dict) and detail.get("gesture") is True


def page(script):
    """Opens without a tap at the end, and throws: both have to be seen, whatever the script did."""
    body = (f"const FORGED = {CALL}; const open = mraid.open.bind(mraid); try {{ {script} }} catch (error) {{}}"
            "setTimeout(() => open('https://shop.example/'), 100);"
            "setTimeout(() => { throw new TypeError('late trouble') }, 200)")
    return ways.document(f"<script>{ways.with_bridge(body)}</script>")
