"""Records a page that asks in every way of a server on loopback that never answers the same, by https: cache busters,
redirects, gzip, a form, a worker, an event stream, a web socket, a film by parts.

While one is recorded, nobody else takes what its authority vouches for. Then, with the server off: the same pictures
and log each time; one answer changed in the file, and exactly that told; loads by a slow network held to arithmetic;
recordings that Chromium plays by Playwright and pywb, and archives of Playwright's own.
"""

import json
import os
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from lib.common.command import galley_of, make_parser
from lib.verify.recordings import formats


def options():
    parser = make_parser("verify-recordings", __doc__)
    parser.add_argument("--runs", type=int, default=20, help="replays (default: 20)")
    parser.add_argument("--megabytes", type=int, default=300, help="the size of the large body (default: 300)")
    parser.add_argument(
        "--fixtures", type=Path, metavar="FOLDER",
        help="tests/assets of Playwright's repository: its archives are replayed too")
    return parser.parse_args()


class Server:
    """The server, with a certificate of an authority that only SSL_CERT_FILE names."""

    def __init__(self, root, folder):
        self.authority = folder / "authority.pem"

        def run(*words):
            subprocess.run(["openssl", *words], check=True, cwd=folder, capture_output=True)

        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        run("req", "-x509", *key, "-keyout", "authority.key", "-out", "authority.pem", "-days", "30", "-subj",
            "/CN=trial")
        run("req", *key, "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=127.0.0.1")
        (folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
        run("x509", "-req", "-in", "leaf.csr", "-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial",
            "-days", "30", "-extfile", "names", "-out", "leaf.pem")
        film = next((root / "Creatives").rglob("*.webm"))
        program = Path(__file__).with_name("server.py")
        self.process = subprocess.Popen(
            [sys.executable, program, film, folder / "leaf.pem", folder / "leaf.key"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()

    def stop(self):
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


class Trial:
    def __init__(self, galley, folder):
        self.galley, self.folder = galley, folder
        self.wrong = 0

    def render(self, address, name, *words, **environment):
        out = self.folder / name
        done = subprocess.run(
            [self.galley, "render", address, "--out", out, "--size", "300x250", "--device", "pixel-8", "--json",
             *words],
            capture_output=True, text=True, env={**os.environ, **environment})
        results = json.loads(done.stdout)["results"] if done.stdout else [{"outcome": done.stderr}]
        return results[0], next((path for path in out.iterdir() if path.is_dir()), None)

    def run(self, *words, fails=False):
        """A command; one that fails ends the trial, unless it may."""
        done = subprocess.run([self.galley, *map(str, words)], capture_output=True, text=True)
        if done.returncode and not fails:
            sys.exit(f"verify-recordings: galley {words[0]}: {done.stderr.strip()}")
        return done

    def check(self, holds, words):
        print(("  ok     " if holds else "  WRONG  ") + words, flush=True)
        self.wrong += 0 if holds else 1

    def state(self, folder):
        log = re.sub(r'"timing":\{[^}]*\}', "", (folder / "events.ndjson").read_text())
        pictures = b"".join(path.read_bytes() for path in sorted(folder.glob("screenshots/*.png")))
        return log, pictures


def consoles(log):
    events = [json.loads(line) for line in log.read_text().splitlines()]
    return [(event["t"], event["detail"]["text"]) for event in events if event["name"] == "console"]


def main():
    given = options()
    galley = galley_of(given)
    with tempfile.TemporaryDirectory(prefix="galley-recordings-") as place:
        folder = Path(place)
        trial = Trial(galley, folder)
        server = Server(given.root, folder)
        trusted = {"SSL_CERT_FILE": str(server.authority)}
        distrust(trial, server)
        page = f"{server.address}/"
        result, kept = trial.render(page, "recorded", "--record", folder / "page.zip", **trusted)
        trial.check(result["outcome"] == "completed" and not result["warnings"],
                    f"recorded: {len(consoles(kept / 'events.ndjson'))} answers")
        large(trial, server, given.megabytes, trusted)
        plain(trial, server, trusted)
        authority(trial, server, trusted)
        keys(trial)
        server.stop()
        replays(trial, page, given.runs)
        changed(trial, page)
        slow(trial, server)
        said = consoles(next(path for path in (folder / "plain").iterdir() if path.is_dir()) / "events.ndjson")
        meant = [text for _, text in said if not text.startswith("at ")]
        formats.playwright(trial, server.address, meant)
        formats.wacz(trial, server.address, meant)
        if given.fixtures:
            formats.fixtures(trial, given.fixtures)
        print(f"{trial.wrong} wrong")
        return 1 if trial.wrong else 0


def distrust(trial, server):
    """Neither an ordinary session nor a recorder trusts whom the machine doesn't."""
    for words in [[], ["--record", trial.folder / "none.zip"]]:
        result, _ = trial.render(f"{server.address}/", "distrusted", *words)
        trial.check(result.get("code") == "ad-load-failed",
                    f"a certificate that nobody vouches for is refused "
                    f"{'while recording' if words else 'without a recorder'}")


def authority(trial, server, trusted):
    """While one render records, nobody else takes what its authority vouches for, and its key is in no file."""
    (trial.folder / "hold.yaml").write_text("size: 300x250\nsteps:\n  - wait: {seconds: 15}\n")
    out = trial.folder / "held"
    held = subprocess.Popen(
        [trial.galley, "render", f"{server.address}/plainpage", "--out", out, "--clock", "real", "--scenario",
         trial.folder / "hold.yaml", "--record", trial.folder / "held.zip", "--quiet"], env={**os.environ, **trusted})
    try:
        process, port = recorder_of_now()
        told = subprocess.run(
            ["curl", "-sS", "--proxy", f"http://127.0.0.1:{port}", "--cacert", server.authority,
             f"{server.address}/plainpage"],
            capture_output=True, text=True)
        trial.check(told.returncode == 60, f"another client refuses its certificate: {told.stderr.strip()[:90]}")
        told = subprocess.run(
            ["curl", "-sSk", "--proxy", f"http://127.0.0.1:{port}", f"{server.address}/plainpage"], capture_output=True,
            text=True)
        trial.check("plain.js" in told.stdout, "one that takes any certificate is served by it, so it was asked")
        result, _ = trial.render(
            f"{server.address}/plainpage", "beside", **trusted, GALLEY_PROXY=f"http://127.0.0.1:{port}")
        trial.check(result.get("code") == "ad-load-failed",
                    f"another render's session refuses it: {result.get('message', result['outcome'])[:90]}")
        files = [os.readlink(path) for path in (process / "fd").iterdir() if path.exists()]
        written = [path for path in files if path.startswith("/") and not path.startswith(("/dev/", "/proc/", "/sys/"))]
        trial.check(all("recording" in path for path in written),
                    f"it has no file open but the recording's: {len(files)} descriptors")
    finally:
        held.wait()
    kept = [path for path in [*out.rglob("*"), trial.folder / "held.zip"] if path.is_file()]
    keys = [path for path in kept if b"PRIVATE KEY" in path.read_bytes()]
    trial.check(held.returncode == 0 and kept and not keys, f"no key is in the {len(kept)} files that it left")


def keys(trial):
    """Recorders are copies of one program that has begun, and each has keys of its own all the same."""
    setup = {"source": "network", "allowed": [], "isClosed": True, "isOpen": False, "faults": [], "isScheduled": False,
             "pieceSize": 0}
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    program = subprocess.Popen(
        [trial.galley.with_name("galley-recorder")], stdin=theirs.fileno(), stdout=subprocess.DEVNULL)
    theirs.close()
    found = []
    for _ in range(5):
        words, others = socket.socketpair()
        with words, socket.create_server(("127.0.0.1", 0)) as listener:
            socket.send_fds(ours, [b"c"], [others.fileno(), listener.fileno()])
            others.close()
            words.sendall(json.dumps(setup).encode() + b"\n")
            words.recv(4096)
            tunnel = socket.create_connection(listener.getsockname())
            tunnel.sendall(b"CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n")
            tunnel.recv(4096)
            with ssl._create_unverified_context().wrap_socket(tunnel, server_hostname="a.example") as secure:
                certificate = secure.getpeercert(True)
            # A bit string of a point that isn't compressed: 64 bytes behind its head.
            assert certificate
            point = certificate.index(b"\x03\x42\x00\x04") + 4
            found.append(certificate[point:point + 64])
    ours.close()
    program.wait(timeout=10)
    trial.check(len(set(found)) == 5, f"{len(set(found))} keys of 5 recorders, and the program ends with its socket")


def recorder_of_now():
    """The one recorder that runs, as its folder of facts, and the port that it listens at."""
    for _ in range(200):
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if (process / "comm").read_text().strip() != "galley-recorder":
                    continue
                own = {os.readlink(path) for path in (process / "fd").iterdir()}
                for line in (process / "net/tcp").read_text().splitlines()[1:]:
                    fields = line.split()
                    if fields[3] == "0A" and f"socket:[{fields[9]}]" in own:
                        return process, int(fields[1].split(":")[1], 16)
            except OSError:
                pass
        time.sleep(0.05)
    sys.exit("verify-recordings: no recorder listens")


def replays(trial, page, runs):
    states, seconds, problems = set(), [], []
    for number in range(runs):
        began = time.monotonic()
        result, folder = trial.render(page, f"replay-{number}", "--replay", trial.folder / "page.zip", "--offline")
        seconds.append(time.monotonic() - began)
        problems += result["warnings"]
        states.add(trial.state(folder))
    trial.check(len(states) == 1 and not problems,
                f"{runs} replays: {len(states)} different, {sorted(seconds)[runs // 2]:.2f} s each {problems[:1]}")


def changed(trial, page):
    other = trial.folder / "changed.zip"
    with zipfile.ZipFile(trial.folder / "page.zip") as source, zipfile.ZipFile(other, "w") as target:
        archive = json.loads(source.read("har.har"))
        for entry in archive["log"]["entries"]:
            if "/plain" in entry["request"]["url"]:
                entry["response"]["content"] = {"mimeType": "text/plain", "text": "CHANGED", "size": 7}
        for name in source.namelist():
            target.writestr(name, json.dumps(archive) if name == "har.har" else source.read(name))
    _, before = next(iter([trial.render(page, "before", "--replay", trial.folder / "page.zip")]))
    _, after = trial.render(page, "after", "--replay", trial.folder / "changed.zip")
    told = subprocess.run([trial.galley, "diff", before, after], capture_output=True, text=True).stdout
    lines = [line.strip() for line in told.splitlines() if line.startswith("  ")]
    trial.check(len(lines) == 2 and all("plain" in line or "bytes: " in line for line in lines),
                f"one answer changed: {lines}")


def slow(trial, server):
    """A connection takes a trip, TLS another, a request a third; bodies take their bytes."""
    for trip, rate in [(300, 1_600_000), (40, 10_000_000)]:
        words = ["--replay", trial.folder / "plain.zip", "--network-profile", f"latency={trip}ms,down={rate / 1e6}mbit"]
        states = set()
        for number in range(2):
            _, folder = trial.render(f"{server.address}/plainpage", f"slow-{trip}-{number}", *words)
            states.add((folder / "events.ndjson").read_text().count("console")
                       and tuple(consoles(folder / "events.ndjson")))
        with zipfile.ZipFile(trial.folder / "plain.zip") as file:
            sizes = [entry["response"]["bodySize"] for entry in json.loads(file.read("har.har"))["log"]["entries"]]
        # The page, then its script by the same connection.
        meant = 3 * trip + sizes[0] * 8000 / rate + trip + sizes[1] * 8000 / rate
        # The log tells frames; the page's own clock tells the instant.
        seen = next(float(text.split()[1]) for _, text in consoles(folder / "events.ndjson") if text.startswith("at "))
        trial.check(len(states) == 1 and abs(seen - meant) <= 0.03 * meant,
                    f"{trip} ms, {rate / 1e6} Mbit/s: {seen:.1f} ms, meant {meant:.1f}, twice the same")


def plain(trial, server, trusted):
    trial.render(f"{server.address}/plainpage", "plain", "--record", trial.folder / "plain.zip", **trusted)


def large(trial, server, megabytes, trusted):
    """A body as large as that goes to the disk as it comes; the largest of all processes that recorded it."""
    size = megabytes * 1_000_000
    peak = subprocess.Popen([sys.executable, "-c", WATCH], stdout=subprocess.PIPE, text=True)
    trial.render(f"{server.address}/bigpage?size={size}", "large", "--record", trial.folder / "large.zip",
                 "--timeout", "120", **trusted)
    peak.terminate()
    assert peak.stdout
    most = [int(line) for line in peak.stdout.read().split()]
    with zipfile.ZipFile(trial.folder / "large.zip") as file:
        kept = max(info.file_size for info in file.infolist())
    trial.check(kept == size and most and max(most) <= 64 << 10,
                f"{kept / 1e6:.0f} MB kept by a recorder of at most {max(most, default=0) / 1024:.0f} MiB")


WATCH = """
import pathlib, time
most = 0
while True:
    for process in pathlib.Path('/proc').glob('[0-9]*'):
        try:
            if (process / 'comm').read_text().strip() == 'galley-recorder':
                line = next(l for l in (process / 'status').read_text().splitlines() if l.startswith('VmHWM'))
                now = int(line.split()[1])
                if now > most:
                    most = now
                    print(most, flush=True)
        except (OSError, StopIteration):
            pass
    time.sleep(0.02)
"""


sys.exit(main())
