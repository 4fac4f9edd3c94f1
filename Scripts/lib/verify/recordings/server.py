"""A server on loopback that answers differently each time, in every way that a creative can ask.

It prints its address, and ends when its standard input does.
"""

import base64
import gzip
import hashlib
import http.server
import itertools
import random
import ssl
import struct
import sys
import threading
import time
from pathlib import Path

# "hello" by brotli, as one uncompressed block (RFC 7932): Python's library has no brotli.
BROTLI = bytes([0x0B, 0x02, 0x80]) + b"hello" + bytes([0x03])
PLAIN = """<!doctype html><meta charset="utf-8"><body><script src="/plain.js"></script>"""
SCRIPT = """
console.log("script");
console.info("at", performance.now());
fetch("/answer").then((answer) => answer.text()).then((text) => console.log(text));
fetch("/form", { method: "POST", body: "a=1" }).then((answer) => answer.text()).then((text) => console.log(text));
"""
# Answers what the server never hears of with what it asks the server itself.
SERVICE_WORKER = """
oninstall = () => skipWaiting();
onactivate = (event) => event.waitUntil(clients.claim());
onfetch = (event) => {
  const { pathname, search } = new URL(event.request.url);
  if (pathname !== "/made") return;
  event.respondWith(fetch(`/asked${search}`).then((a) => a.text()).then((text) => new Response(`made of ${text}`)));
};
"""
counter = itertools.count(1)

PAGE = """<!doctype html>
<meta charset="utf-8"><meta name="ad.size" content="width=300,height=250">
<style>body{margin:0;font:12px monospace;width:300px;height:250px;overflow:hidden;background:#fff}
#log{white-space:pre}img{width:40px;height:20px}video{width:60px;height:40px}</style>
<div id="log"></div><img id="pixel"><video id="film" muted playsinline preload="auto"></video>
<script>
const log = (...words) => {
  document.getElementById("log").textContent += words.join(" ") + "\\n";
  console.log(...words);
};
const cb = Math.floor(Math.random() * 1e9);
const base = "@BASE@";
log("buster", cb);
const script = document.createElement("script");
script.src = `${base}/script.js?cb=${cb}&t=${Date.now()}`;
document.body.append(script);
document.getElementById("pixel").src = `${base}/hop/3?cb=${cb}`;
for (const kind of ["gzip", "deflate", "brotli", "plain", "post", "slow"]) {
  fetch(`${base}/${kind}?r=${Math.random()}`, kind == "post" ? { method: "POST", body: `{"cb":${cb},"n":1}` } : {})
    .then((answer) => answer.text()).then((text) => log(kind, text)).catch((error) => log(kind, error.message));
}
const worker = new Worker(URL.createObjectURL(new Blob([`
  fetch("${base}/worker?r=" + Math.random()).then((a) => a.text())
    .then((t) => postMessage(t), (e) => postMessage(e.message));
`])));
worker.onmessage = (event) => log("worker", event.data);
// One that comes from a file begins before any script of Galley's.
const filed = new Worker(`/worker.js?cb=${cb}`);
filed.onmessage = (event) => log("worker from a file", event.data);
const stream = new EventSource(`${base}/events?cb=${cb}`);
stream.onmessage = (event) => { log("event", event.data); if (event.lastEventId == "3") stream.close(); };
const socket = new WebSocket(base.replace("http", "ws") + `/socket?cb=${cb}`);
socket.onopen = () => socket.send("hello " + cb);
socket.onmessage = (event) => {
  log("socket", event.data);
  if (!event.data.startsWith("bye")) socket.send("again " + cb);
};
const film = document.getElementById("film");
film.onloadeddata = () => log("film", film.videoWidth, film.duration.toFixed(1));
film.onerror = () => log("film", "failed");
if (@FILM@) film.src = `${base}/film.webm?cb=${cb}`;
// Chromium plays recordings without service workers, as its recordings have none.
navigator.serviceWorker?.register(`sw.js?cb=${cb}`)?.then(async () => {
  await (navigator.serviceWorker.controller ??
    new Promise((done) => { navigator.serviceWorker.oncontrollerchange = done; }));
  log("service worker", await (await fetch(`/made?cb=${cb}`)).text());
}).catch((error) => log("service worker", error.name, error.message));
</script>
"""

WORKER = """
const chance = [Math.random(), crypto.getRandomValues(new Uint32Array(2))].join();
fetch("/worker?chance=" + chance).then((a) => a.text())
  .then((text) => postMessage(text), (e) => postMessage(e.message));
"""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "Server"

    def log_message(self, *words):
        pass

    def send(self, body, kind="text/plain", encoding=None, status=200, headers=()):
        if isinstance(body, str):
            body = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Cache-Control", "no-store")
        if encoding:
            self.send_header("Content-Encoding", encoding)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send(f"{next(counter)} {len(body)} bytes")

    def do_GET(self):
        self.respond(self.path.split("?")[0])

    def respond(self, path):
        number = next(counter)
        time.sleep(random.random() / 50)
        if path == "/":
            film = self.server.film.is_file() if self.server.film else False
            page = PAGE.replace("@BASE@", self.server.base).replace("@FILM@", str(film).lower())
            return self.send(page, "text/html")
        if path == "/script.js":
            return self.send(f"log('script', {number});", "text/javascript")
        if path == "/worker.js":
            return self.send(WORKER, "text/javascript")
        if path == "/sw.js":
            return self.send(SERVICE_WORKER, "text/javascript")
        if path.startswith("/hop/"):
            left = int(path.split("/")[2])
            target = f"{self.server.base}/hop/{left - 1}" if left > 1 else f"{self.server.base}/pixel.png?n={number}"
            return self.send("", status=302, headers=[("Location", target)])
        if path == "/pixel.png":
            return self.send(picture(number), "image/png")
        if path == "/gzip":
            return self.send(gzip.compress(f"gzip {number}".encode() * 20)[:], encoding="gzip")
        if path == "/deflate":
            import zlib
            return self.send(zlib.compress(f"deflate {number}".encode()), encoding="deflate")
        if path == "/brotli":
            return self.send(BROTLI, encoding="br")
        if path == "/plainpage":
            return self.send(PLAIN, "text/html")
        if path == "/plain.js":
            return self.send(SCRIPT, "text/javascript")
        if path == "/bigpage":
            size = self.path.partition("size=")[2]
            return self.send(
                f"<!doctype html><script>fetch('/big?size={size}').then((a) => a.body.getReader())"
                ".then(async (reader) => {"
                "let all = 0; for (;;) { const { done, value } = await reader.read();"
                " if (done) break; all += value.length; }"
                "console.log('all', all); })</script>", "text/html")
        if path == "/slow":
            time.sleep(0.4)
            return self.send(f"slow {number}")
        if path == "/events":
            return self.events(number)
        if path == "/socket":
            return self.socket(number)
        if path == "/film.webm":
            return self.film()
        if path == "/big":
            return self.big()
        return self.send(f"{path} {number}")

    def events(self, number):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for event in range(1, 4):
            self.wfile.write(f"id: {event}\ndata: {number}.{event}\n\n".encode())
            self.wfile.flush()
            time.sleep(0.2)

    def film(self):
        assert self.server.film
        body = self.server.film.read_bytes()
        wanted = self.headers.get("Range")
        if not wanted:
            self.send(body, "video/webm", headers=[("Accept-Ranges", "bytes")])
            return
        first, _, last = wanted.removeprefix("bytes=").partition("-")
        first, last = int(first), int(last or len(body) - 1)
        self.send(body[first : last + 1], "video/webm", status=206, headers=[
            ("Accept-Ranges", "bytes"), ("Content-Range", f"bytes {first}-{last}/{len(body)}")])

    def big(self):
        size = int(self.path.partition("size=")[2] or 300_000_000)
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", str(size))
        self.end_headers()
        chunk = bytes(range(256)) * 256
        while size > 0:
            self.wfile.write(chunk[:size])
            size -= len(chunk)

    def socket(self, number):
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        self.close_connection = True
        for turn in range(3):
            head = self.rfile.read(2)
            if len(head) < 2 or head[0] & 15 == 8:
                return
            length = head[1] & 127
            if length == 126:
                length = struct.unpack(">H", self.rfile.read(2))[0]
            mask = self.rfile.read(4)
            text = bytes(byte ^ mask[index % 4] for index, byte in enumerate(self.rfile.read(length)))
            answer = f"{'bye' if turn == 2 else 'echo'} {number} {text.decode()}".encode()
            self.wfile.write(bytes([0x81, len(answer)]) + answer)
            self.wfile.flush()
        time.sleep(0.3)


def picture(number):
    """A PNG of 40x20 in a colour of its own."""
    import zlib
    colour = bytes([number * 37 % 256, number * 91 % 256, number * 53 % 256])
    rows = (b"\0" + colour * 40) * 20

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 20, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    film: Path | None = None
    base = ""


def main():
    server = Server(("127.0.0.1", 0), Handler)
    scheme = "http"
    if len(sys.argv) > 3:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2], sys.argv[3])
        server.socket = context.wrap_socket(server.socket, server_side=True)
        scheme = "https"
    server.film = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    server.base = f"{scheme}://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.base, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
