"""A caller's surroundings: the same creative has to give the same pictures and log in all of them."""

import hashlib
import json
import os
import resource
import signal

from lib.attack.program import events, write

INTL = """<!doctype html><html><meta name="ad.size" content="width=320,height=250">
<style>body { font: 12px sans-serif }</style>
<p id=a></p><p id=b></p><script>
const day = new Date();
const texts = [navigator.language, navigator.languages.join(), Intl.DateTimeFormat().resolvedOptions().locale,
  Intl.DateTimeFormat().resolvedOptions().timeZone, day.getTimezoneOffset(), day.toString(), day.toLocaleString(),
  (1234567.891).toLocaleString(),
  new Intl.NumberFormat(navigator.language, {style: "currency", currency: "EUR"}).format(9.5),
  new Intl.DateTimeFormat(navigator.language, {dateStyle: "full"}).format(day),
  ["ä", "z", "a"].sort(new Intl.Collator().compare),
  new Date(document.lastModified).getTimezoneOffset(), "I".toLocaleLowerCase(), navigator.hardwareConcurrency > 0];
console.log(texts.join("|"));
a.textContent = texts.slice(0, 9).join(" | ");
b.textContent = texts.slice(9).join(" | ");
</script>"""

INPUTS = """<!doctype html><html><meta name="ad.size" content="width=320,height=250">
<input type=date value=2026-02-03><input type=number value=1234.5 step=any><input type=time value=15:04>
<input type=datetime-local value=2026-02-03T15:04><input type=month value=2026-02><input type=file><input type=range>
<progress value=.4></progress><select><option>one<option>two</select><input type=color value=#336699><button>OK</button>
<script>
const number = document.querySelector("[type=number]");
console.log(number.valueAsNumber, matchMedia("(prefers-color-scheme: dark)").matches,
  matchMedia("(prefers-reduced-motion: reduce)").matches);
number.value = "x";
console.log(number.validationMessage, document.querySelector("[type=file]").value);
</script>"""

FONTS = """<!doctype html><html><meta name="ad.size" content="width=320,height=250"><style>p { margin: 2px }</style>
<p style="font: 14px serif">Serif 日本語 ÄÖ</p><p style="font: 14px sans-serif">Sans עברית</p>
<p style="font: 14px monospace">Mono</p>
<p style="font: menu">menu</p><p style="font: caption">caption</p><p style="font: 14px system-ui">system</p>
<p style="font: 14px Verdana">Verdana</p><p lang=ja>骨直</p><p lang=zh-Hant>骨直</p><p style="font-family: emoji">😀</p>
<canvas width=200 height=40></canvas><script>
const context = document.querySelector("canvas").getContext("2d");
context.font = "20px sans-serif";
context.fillText("canvas 1,5", 0, 30);
let depth = 0;
(function deeper() { depth += 1; deeper.length; try { deeper(); } catch { } })();
console.log(context.measureText("Wide").width, depth > 5000);
</script>"""

STACK = """<!doctype html><html><meta name="ad.size" content="width=320,height=50"><p id=deep>ad</p><script>
let deepest = 0;
function deeper(n) { deepest = n; deeper(n + 1); }
try { deeper(0); } catch (error) { deep.textContent = error.name; }
// As far as a thousand calls: the engine's compilers make it another from run to run.
console.log(deepest > 2000, deepest < 200000);
</script>"""

CREATIVES = {"intl": INTL, "inputs": INPUTS, "fonts": FONTS, "stack": STACK}


def limit(kind, soft):
    """Sets a soft limit, as far as the hard one lets it."""
    def prepare():
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (soft if hard < 0 else min(soft, hard), hard))
    return prepare


def held_back():
    """As a careless parent leaves signals."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGUSR1, signal.SIGALRM})


def surroundings(folder):
    """Twelve, and more: what is set in the environment, and what is done in the process before it is the command."""
    home = folder / "home"
    write(home / ".config/gtk-3.0/settings.ini",
          "[Settings]\ngtk-application-prefer-dark-theme=1\ngtk-font-name=DejaVu Sans 20\n"
          "gtk-enable-animations=0\n")
    write(home / ".config/gtk-3.0/gtk.css", "* { background: red; color: lime; font-size: 30px }")
    write(home / ".config/fontconfig/fonts.conf", '<?xml version="1.0"?><fontconfig><alias><family>sans-serif</family>'
          "<prefer><family>DejaVu Sans Mono</family></prefer></alias></fontconfig>")
    write(home / ".drirc", "<driconf><device><application name='all'><option name='mesa_glthread' value='true'/>"
          "</application></device></driconf>")
    return {
        "LANG=C.UTF-8": ({"LANG": "C.UTF-8"}, None),
        "LANG=de_DE.UTF-8, LANGUAGE=de": ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:fr"}, None),
        "LC_ALL=C": ({"LC_ALL": "C"}, None),
        "LC_ALL=tr_TR.UTF-8": ({"LC_ALL": "tr_TR.UTF-8", "LC_TIME": "ja_JP.UTF-8", "LC_NUMERIC": "de_DE.UTF-8"}, None),
        "LC_ALL=nothing": ({"LC_ALL": "xx_YY.nothing"}, None),
        "TZ=Asia/Tokyo": ({"TZ": "Asia/Tokyo"}, None),
        "TZ=:America/Los_Angeles": ({"TZ": ":America/Los_Angeles", "TZDIR": "/nowhere"}, None),
        "umask 0": ({}, lambda: os.umask(0)),
        "umask 777": ({}, lambda: os.umask(0o777)),
        "a home with settings": ({"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config")}, None),
        "no home": ({"HOME": "/nowhere/at/all", "XDG_CACHE_HOME": "/nowhere"}, None),
        "128 open files": ({}, limit(resource.RLIMIT_NOFILE, 128)),
        "a small stack": ({}, limit(resource.RLIMIT_STACK, 1 << 20)),
        "small files": ({}, limit(resource.RLIMIT_FSIZE, 1 << 16)),
        "signals held back": ({}, held_back),
        "GTK": ({"GTK_THEME": "HighContrast", "GTK2_RC_FILES": "/nowhere", "GDK_SCALE": "3", "GTK_DEBUG": "all"}, None),
        "GLib": ({"G_DEBUG": "fatal-warnings", "G_MESSAGES_DEBUG": "all", "G_SLICE": "always-malloc"}, None),
        "GStreamer": ({"GST_PLUGIN_SYSTEM_PATH_1_0": "/nowhere", "GST_DEBUG": "5", "GST_REGISTRY": "/nowhere/r"}, None),
        "fontconfig": ({"FC_LANG": "ja", "FONTCONFIG_PATH": "/nowhere", "FC_DEBUG": "1024"}, None),
        "Mesa": ({"LIBGL_DRIVERS_PATH": "/nowhere", "GALLIUM_DRIVER": "softpipe", "MESA_GL_VERSION_OVERRIDE": "2.1"},
                 None),
        "WebKit": ({"WEBKIT_DISABLE_COMPOSITING_MODE": "1", "JSC_useJIT": "0", "JSC_maxPerThreadStackUsage": "100000"},
                   None),
        "malloc": ({"MALLOC_PERTURB_": "165", "MALLOC_ARENA_MAX": "1", "LD_BIND_NOW": "1"}, None),
        "a desktop": ({"DISPLAY": ":7", "WAYLAND_DISPLAY": "wayland-0", "XAUTHORITY": "/nowhere",
                       "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"}, None),
        "idle": ({}, lambda: os.nice(19)),
    }


def facts(folder, name):
    """The bytes of each picture, and the log but for when things happened."""
    result = folder / name
    pictures = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(result.rglob("*.png"))}
    log = [{**event, "t": 0, "detail": {key: value for key, value in (event.get("detail") or {}).items()
                                        if key != "timing"} if isinstance(event.get("detail"), dict)
            else event.get("detail")}
           for event in events(result)]
    return pictures, json.dumps(log, sort_keys=True)


def attack(galley, folder, tally, quick, random):
    names = list(CREATIVES) if not quick else ["intl", "inputs"]
    pages = [write(folder / f"{name}.html", CREATIVES[name]) for name in names]
    plain = {key: value for key, value in os.environ.items() if key in ("PATH", "LD_LIBRARY_PATH", "TMPDIR")}

    def render(number, variables, prepare):
        out = folder / f"out-{number}"
        ended = galley.run("render", *pages, "--seed", 1, "--date", "2026-02-03T04:05:06Z", "--out", out, "--json",
                           environment=plain | variables, prepare=prepare, within=600)
        return ended, {name: facts(out, name) for name in names}

    ended, expected = render("plain", {}, None)
    for name in names:
        pictures, log = expected[name]
        tally.check(pictures and "en-US" in log if name == "intl" else pictures,
                    f"{name}: no plain result: {ended.errors[-200:]}")
    tried = surroundings(folder)
    if quick:
        tried = {name: tried[name] for name in ("LANG=C.UTF-8", "LC_ALL=tr_TR.UTF-8", "TZ=Asia/Tokyo", "umask 777",
                                                "a home with settings", "128 open files", "WebKit")}
    for number, (title, (variables, prepare)) in enumerate(tried.items()):
        ended, found = render(number, variables, prepare)
        for name in names:
            pictures, log = found[name]
            tally.check(pictures == expected[name][0], f"{title}: {name} has other pictures: {ended.errors[-100:]}")
            tally.check(log == expected[name][1], f"{title}: {name} has another log")
    refuse(galley, folder, tally, pages[0], plain)


def refuse(galley, folder, tally, page, plain):
    """Limits that nothing can raise: one error that names the limit, and never the creative's."""
    def hard(kind, value):
        return lambda: resource.setrlimit(kind, (value, value))
    for title, kind, value in (("-n", resource.RLIMIT_NOFILE, 16), ("-n", resource.RLIMIT_NOFILE, 64),
                               ("-n", resource.RLIMIT_NOFILE, 128), ("-f", resource.RLIMIT_FSIZE, 100 << 10),
                               ("-v", resource.RLIMIT_AS, 4 << 30), ("-s", resource.RLIMIT_STACK, 256 << 10),
                               ("-t", resource.RLIMIT_CPU, 20)):
        ended = galley.run("render", page, "--out", folder / "limited", environment=plain, prepare=hard(kind, value))
        tally.check(ended.code == 3 and b"limit-too-low" in ended.errors and f"ulimit {title}".encode() in ended.errors,
                    f"ulimit {title} {value}: {ended.code} {ended.errors[-200:]}")
