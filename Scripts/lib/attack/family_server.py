"""Bodies, headers and paths sent to galley serve: none may cost more than its own answer."""

import base64
import io
import json
import socket
import subprocess
import time
import zipfile

MARKUP = "<p>ad</p>"


def attack(galley, folder, tally, quick, random):
    with Server(galley, folder / "data") as server:
        cases = [*bodies(), *paths(), *raw(random, 10 if quick else 150)]
        if quick:
            cases = random.sample(cases, min(60, len(cases)))
        for name, request in cases:
            status = server.send(request)
            tally.check(status is not None and status < 500 and status != 0, f"{name}: {status}")
            tally.check(server.is_well(), f"after {name} the server doesn't answer")
        if not quick:
            slow_heads(server, tally)
        tally.check(server.renders(), "a render after all that")
    tally.check(server.code == 0, f"the server ended with {server.code}")
    shares(galley, folder, tally, quick)


def shares(galley, folder, tally, quick):
    """Links for people without a token: none but those given opens anything, one that was ended opens nothing."""
    tokens = folder / "tokens.json"
    giver, reader = (
        galley.run("serve", "token", "create", name, "--file", tokens, "--scopes", scopes).output.decode().strip()
        for name, scopes in (("giver", "read,render"), ("reader", "read-all")))
    with Server(galley, folder / "shared", "--tokens", tokens, "--share-days", 7, "--verbose",
                log=folder / "log") as server:
        render = server.ask("POST", "/v1/renders", giver, {"markup": MARKUP}, more="prefer: wait=60\r\n")["id"]
        one, two = (server.ask("POST", f"/v1/renders/{render}/share", giver, {}) for _ in range(2))
        text = one["url"].rsplit("/", 1)[1]
        tally.check(server.status("GET", one["url"]) == 200, "a link that holds")
        places = range(0, len(text), 8 if quick else 1)
        wrong = [text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1:] for at in places]
        for link in [*wrong, text[:-1], text + "0", text.upper(), f"{text}/../{render}",
                     text.replace(".", "%2e", 1) + "x", render]:
            tally.check(server.status("GET", f"/shared/{link}") in (400, 404), f"the link {link}")
        for path in (f"/{one['id']}", "", f"/{one['id']}x", "/..%2f.."):
            status = server.status("DELETE", f"/v1/renders/{render}/shares{path}", token=reader)
            tally.check(status in (403, 404), f"a reader ends {path}: {status}")
        listed = server.ask("GET", f"/v1/renders/{render}/shares", giver)
        tally.check(len(listed["shares"]) == 2 and text not in json.dumps(listed), f"the list: {listed}")
        server.status("DELETE", f"/v1/renders/{render}/shares/{one['id']}", token=giver)
        for rest in ("", "/report", "/screenshots/001-default"):
            tally.check(server.status("GET", one["url"] + rest) == 404, f"an ended link's {rest}")
        tally.check(server.status("GET", two["url"]) == 200, "the other link")
        for path in (f"/shared/{text}/x", f"//shared/{text}", f"/%73hared/{text}", f"/Shared/{text}"):
            tally.check(text not in server.answer("GET", path), f"the answer to {path} has the link")
    log = (folder / "log").read_text()
    tally.check("/shared/" in log and text not in log and two["url"] not in log, "a link stands in the log")


def slow_heads(server, tally):
    """Clients that send a head byte by byte keep nobody else out for longer than a head may take."""
    slow = []
    for _ in range(1100):
        try:
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=2)
            connection.sendall(b"G")
            slow.append(connection)
        except OSError:
            break
    began = time.monotonic()
    answered = server.is_well()
    while not answered and time.monotonic() - began < 30:
        answered = server.is_well()
    took = time.monotonic() - began
    tally.check(answered and took < 15, f"beside {len(slow)} slow heads the server answers after {took:.0f} s")
    for connection in slow:
        connection.close()


class Server:
    def __init__(self, galley, data, *options, log=None):
        self.galley, self.data, self.options, self.log = galley, data, [str(one) for one in options], log
        self.code, self.token = None, None

    def __enter__(self):
        call = [str(self.galley.path), "serve", "--port", "0", "--data", str(self.data), "--json", *self.options]
        with open(self.log or "/dev/null", "wb") as log:
            self.process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=log)
        assert self.process.stdout
        line = self.process.stdout.readline()
        text = next(value for value in json.loads(line).values() if isinstance(value, str) and value.startswith("http"))
        self.port = int(text.rstrip("/").rsplit(":", 1)[1])
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.code = self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.code = self.process.wait()

    def send(self, request):
        """The answer's status; 0 when none came in time, 400 when the connection was closed on a broken request."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=40) as connection:
            try:
                connection.sendall(request)
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            try:
                answer = connection.recv(65536)
            except TimeoutError:
                return 0
            except OSError:
                return 400
        return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.") else 400

    def answer(self, method, path, token=None, body=None, address="127.0.0.1", more=""):
        """The whole answer as text; empty when the connection is refused or cut."""
        own = token or self.token
        more += f"authorization: Bearer {own}\r\n" if own else ""
        request = head(method, path, more) if body is None else post(path, json.dumps(body), more=more)
        text = b""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=90,
                                          source_address=(address, 0)) as connection:
                connection.sendall(request)
                while said := connection.recv(1 << 16):
                    text += said
        except OSError:
            pass
        return text.decode("utf-8", "replace")

    def status(self, method, path, address="127.0.0.1", token=None):
        """The answer's status; 0 when there is none."""
        text = self.answer(method, path, token, address=address)
        return int(text.split(" ", 2)[1]) if text.startswith("HTTP/1.") else 0

    def ask(self, method, path, token=None, body=None, more=""):
        """The document that is answered; empty where there is none."""
        _, _, text = self.answer(method, path, token, body, more=more).partition("\r\n\r\n")
        try:
            return json.loads(text)
        except ValueError:
            return {}

    def is_well(self):
        try:
            return self.send(head("GET", "/healthz")) == 200
        except OSError:
            return False

    def renders(self):
        return self.send(post("/v1/screenshot", json.dumps({"markup": MARKUP}))) == 200


def head(method, path, more="", length=None, close=True):
    lines = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n"
    lines += ("connection: close\r\n" if close else "") + more
    lines += (f"content-length: {length}\r\n" if length is not None else "") + "\r\n"
    return lines.encode("utf-8", "surrogateescape")


def post(path, body, kind="application/json", more=""):
    body = body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass")
    return head("POST", path, f"content-type: {kind}\r\n{more}", len(body)) + body


def bodies():
    plain = {"markup": MARKUP, "timeout": 5}
    odd = {
        "nothing": "", "null": "null", "a number": "1e999", "deep": "[" * 100000, "deep objects": '{"a":' * 50000,
        "cut": '{"markup":"<p>', "zeros": "\0\0\0",
        "twice": '{"markup":"a","markup":"b"}', "surrogate": '{"markup":"\\ud800"}',
        "bad UTF-8": b'{"markup":"\xff\xfe"}', "text": '"x"', "list": "[1]",
        "prototype": '{"__proto__":{"x":1},"markup":"x"}', "large": json.dumps({"markup": "x" * 20_000_000}),
    }
    values: tuple = (-1, 0, 1e308, 2**31, 2**53 + 1, 10**30, "", "x" * 100000, "\x1b[2J\n", None, [], {}, [[]] * 1000,
                     True, "../../etc/passwd", "NaN")
    for field in ("timeout", "memory", "idleTime", "measureTime", "seed", "size", "device", "container", "placement",
                  "orientation", "clock", "at", "filmstrip", "network",
                  "date", "scenario", "profiles", "explore", "isolation", "compositing", "callback", "screen", "policy",
                  "labels", "name", "nothing"):
        for value in values:
            odd[f"{field} {str(value)[:20]!r}"] = json.dumps({**plain, field: value})
    scenarios = ["a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]", "- " * 20000, "- wait: 1e308", "- wait: -1", "[" * 5000,
                 "\0"]
    for number, text in enumerate(scenarios):
        odd[f"scenario {number}"] = json.dumps({**plain, "scenario": text})
    for url in ("file:///etc/passwd", "http://127.0.0.1:1/", "gopher://x", "javascript:1", "http://[::1]/",
                "data:text/html,x", "//x", "http://" + "x" * 5000, "http://x\r\ny: z/"):
        odd[f"url {url[:30]}"] = json.dumps({"url": url, "timeout": 3})
    for name, body in odd.items():
        yield f"body: {name}", post("/v1/renders" if "large" in name or "callback" in name else "/v1/screenshot", body)
    for name, content in archives().items():
        yield f"zip: {name}", post("/v1/screenshot", content, "application/zip")
        yield f"form: {name}", form(content, f"{name}.zip")
    boundary = "multipart/form-data; boundary=x"
    for name, content in {"no end": b"--x\r\n", "no head": b"--x\r\n\r\nx\r\n--x--",
                          "many": b"--x\r\ncontent-disposition: form-data; name=a\r\n\r\nx\r\n" * 20000 + b"--x--",
                          "long head": b"--x\r\n" + b"a: " + b"x" * 200000 + b"\r\n\r\n--x--",
                          "name": b'--x\r\ncontent-disposition: form-data; name="creative"; '
                                  b'filename="../../x\x1b"\r\n\r\n<p>\r\n--x--'}.items():
        yield f"form: {name}", post("/v1/renders", content, boundary)
    yield "no boundary", post("/v1/renders", b"x", "multipart/form-data")
    yield "odd type", post("/v1/renders", b"x", "x" * 5000)


def form(content, name):
    head = (f'--x\r\ncontent-disposition: form-data; name="creative"; filename="{name}"\r\n'
            "content-type: application/zip\r\n\r\n")
    return post("/v1/renders", head.encode() + content + b"\r\n--x--\r\n", "multipart/form-data; boundary=x")


def archives():
    def archive(files):
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
            for name, content in files.items():
                out.writestr(name, content)
        return made.getvalue()
    plain = archive({"index.html": MARKUP})
    return {"empty": b"", "cut": plain[:40], "none": archive({}), "above": archive({"../index.html": MARKUP}),
            "unfolding": archive({"index.html": b" " * 200_000_000}),
            "many": archive({f"{n}": b"" for n in range(30000)}),
            "changed": plain.replace(b"PK\x05\x06", b"PK\x05\x07"), "noise": base64.b64decode("AAAA" * 1000)}


def paths():
    for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/v1/renders/../../x", "/v1/renders/%00",
                 "/v1/renders/" + "x" * 9000, "/v1/renders/x/files/..%2f..%2fgalley.sqlite",
                 "/v1/renders?limit=-1", "/v1/renders?limit=1e99", "/v1/renders?before=%ff", "/v1/renders?after=\x7f",
                 "//v1", "/v1/renders/01ARZ3NDEKTSV4RRFFQ69G5FAV", "/metrics/x", "/*",
                 "/compare?a=x&b=y", "/v1/baselines/..%2f..", "/v1/baselines/" + "%2e" * 500, "/login",
                 "/renders/%3Cscript%3E"):
        for method in ("GET", "DELETE", "PUT", "POST", "PATCH", "OPTIONS", "TRACE", "X" * 100):
            yield f"{method[:10]} {path[:40]}", head(method, path, length=0)


def raw(random, count):
    fixed = [b"", b"\r\n\r\n", b"GET", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n",
             b"GET http://x/ HTTP/1.1\r\nhost: x\r\n\r\n", b"\x16\x03\x01\x02\x00", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
             head("POST", "/v1/renders", "transfer-encoding: chunked\r\ncontent-type: application/json\r\n")
             + b"ffffffffffffffff\r\nx",
             head("POST", "/v1/renders", "transfer-encoding: chunked\r\n") + b"-1\r\n",
             head("POST", "/v1/renders", "transfer-encoding: chunked\r\n", 5) + b"0\r\n\r\n",
             head("POST", "/v1/renders", length=-1), head("POST", "/v1/renders", length=10**18) + b"x",
             head("GET", "/", "x: " + "y" * 100000 + "\r\n"), head("GET", "/", "x: y\r\n" * 5000),
             head("POST", "/v1/renders", "expect: 100-continue\r\ncontent-type: application/json\r\n", 2) + b"{}",
             head("GET", "/", "range: bytes=-9999999999999999999\r\n"),
             head("GET", "/", "authorization: Bearer " + "x" * 60000 + "\r\n"),
             head("GET", "/", "cookie: " + "a=b; " * 9000 + "\r\n"), head("GET", "/", "if-none-match: \x00\r\n"),
             head("POST", "/v1/renders", "idempotency-key: " + "x" * 5000 + "\r\ncontent-type: application/json\r\n", 2)
             + b"{}", head("GET", "/", "host: evil.example\r\n")]
    for number, content in enumerate(fixed):
        yield f"raw {number}", content
    plain = post("/v1/renders", json.dumps({"markup": MARKUP, "timeout": 5}))
    for number in range(count):
        content = bytearray(plain)
        for _ in range(random.randrange(1, 6)):
            content[random.randrange(len(content))] = random.randrange(256)
        yield f"changed {number}", bytes(content)
