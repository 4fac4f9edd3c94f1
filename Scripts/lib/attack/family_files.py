"""The machine's files, by every scheme that the engine or the host might open them by."""

from lib.attack import network, ways
from lib.attack.program import write

# What stands in the file that must not be read; it is looked for in everything that a render leaves.
SECRET = "galley-attack-secret-b7c1"


def addresses(path):
    return [f"file://{path}", f"file://localhost{path}", f"file:{path}", f"FILE://{path}", f"file:/{path}", str(path),
            f"view-source:file://{path}", f"webkit://{path}", "webkit://gpu", f"resource://{path}", f"gopher://{path}",
            f"ftp://localhost{path}", f"galley://{path}", f"about:{path}", f"blob:file://{path}",
            f"jar:file://{path}!/",
            f"filesystem:file://{path}", f"inspector-resource://{path}", f"localfile://{path}",
            f"../../../../../..{path}",
            f"..%2f..%2f..%2f..%2f..%2f..{path}", f"//localhost{path}", f"trash://{path}", f"sftp://localhost{path}",
            f"data:text/html,<iframe src='file://{path}'></iframe>", f"javascript:location='file://{path}'"]


def attack(galley, folder, tally, quick, random):
    secret = write(folder / "outside" / "secret.html", f"<h1>{SECRET}</h1><script>console.log('{SECRET}')</script>")
    picture = write(folder / "outside" / "secret.png", png())
    tries = addresses(secret) if not quick else addresses(secret)[:3]
    with network.counted():
        for reach in ("any", "none") if not quick else ("any",):
            out = folder / f"out-{reach}"
            made = [each for number, address in enumerate(tries)
                    for each in ways.creatives(folder / "creatives" / reach, number, address)]
            galley.render(made, "--network", reach, "--send-beacons", "--follow-clickthroughs", "--out", out)
            judge(out, tries, tally)
    steal_by_canvas(galley, folder / "canvas", picture, tally)


def judge(out, tries, tally):
    """What was read shows in a log as a title or text, or in a picture as one that isn't the plain ad's."""
    leaks = [path for path in out.rglob("*") if path.is_file() and path.suffix != ".png" and reads(path)]
    for path in leaks:
        tally.check(False, f"{path.relative_to(out)} has the file's text")
    opened = [path for path in out.rglob("events.ndjson") if opened_by(path)]
    for path in opened:
        tally.check(False, f"{path.relative_to(out)}: the file was loaded")
    for _ in range(max(0, len(tries) * ways.count() - len(leaks) - len(opened))):
        tally.check(True, "")


def reads(path):
    return SECRET.encode() in path.read_bytes()


def opened_by(path):
    """Whether a page's load of the file ended well."""
    return any(b"secret.html" in line and (b'"loadFinished"' in line or b'"status":200' in line)
               for line in path.read_bytes().split(b"\n"))


def steal_by_canvas(galley, folder, picture, tally):
    """A page that could read a picture's pixels would tell them."""
    script = (f"const i = new Image(); i.onload = () => console.log('{SECRET}'); i.src = 'file://{picture}';"
              f"createImageBitmap && fetch('file://{picture}').then(() => console.log('{SECRET}'))")
    page = write(folder / "ad" / "index.html", ways.document(f"<script>{script}</script>"))
    galley.run("render", page.parent, "--network", "any", "--out", folder / "out")
    log = folder / "out" / "ad" / "events.ndjson"
    told = log.is_file() and any(SECRET in line and '"console"' in line for line in log.read_text().split("\n"))
    tally.check(log.is_file() and not told, "a page loaded a picture of the machine's")


def png():
    from lib.attack.family_pictures import png as make
    return make(4, 4)
