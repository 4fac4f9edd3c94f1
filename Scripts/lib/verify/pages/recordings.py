"""A person's way with the network: render an ad that asks, keep its recording, render it again with nobody to answer,
and have the file answer another ad."""

import base64
import http.server
import itertools
import json
import threading

FETCH = """
  const [path, done] = arguments;
  fetch(path).then(async r => {
    const bytes = new Uint8Array(await r.arrayBuffer());
    done([r.status, btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))]);
  });"""
AD = """<title>ad</title><p id="said">nothing</p>
<script>fetch("{address}/offer?r=" + Math.random()).then((answer) => answer.text()).then(
  (text) => {{ document.getElementById("said").textContent = text; console.log(text); }})</script>"""


class Answers:
    """A server that never answers the same."""

    def __init__(self):
        count = itertools.count(1)

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *words):
                pass

            def do_GET(self):
                body = f"offer {next(count)}".encode()
                self.send_response(200)
                self.send_header("Access-Control-Allow-Origin", "*")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Recordings:
    """Each step says what is wrong; `pages` has the browser and the way in."""

    def __init__(self, pages):
        self.pages = pages
        self.browser = pages.browser

    def steps(self):
        # Twice, as a second day is another than the first.
        return [self.record, self.replay, self.carry, self.record, self.replay]

    def said(self, run):
        """What the ad of a run logged."""
        _, body = self.fetch(f"/v1/renders/{run}/events")
        lines = base64.b64decode(body).decode().splitlines()
        return [line for line in lines if '"console"' in line]

    def fetch(self, path):
        self.browser.set_script_timeout(60)
        return self.browser.execute_async_script(FETCH, path)

    def finish(self):
        """The run whose page the browser is led to, once it is over."""
        self.pages.until(lambda: "/renders/" in self.browser.current_url)
        self.pages.until(lambda: self.pages.find("#run").get_attribute("data-status") == "completed")
        return self.browser.current_url.rsplit("/", 1)[1]

    def record(self):
        """the network of a pasted tag is recorded, and its run gives the file"""
        answers = Answers()
        self.ad = AD.format(address=answers.address)
        self.pages.open("/")
        self.pages.find("textarea[name=pasted]").send_keys(self.ad)
        self.pages.find("input[name=name]").send_keys("asking")
        self.pages.find("#further summary").click()
        self.pages.find("input[name=record]").click()
        self.pages.find("#upload button").click()
        self.run = self.finish()
        answers.stop()
        if not self.said(self.run) or "offer" not in self.said(self.run)[0]:
            yield f"the ad was told {self.said(self.run)}"
        link = self.pages.find("a[href$='/recording']").get_attribute("href")
        status, body = self.fetch(link)
        self.file = base64.b64decode(body)
        if status != 200 or not self.file.startswith(b"PK"):
            yield f"the recording is {status}, {self.file[:20]!r}"
        yield from self.pages.errors()

    def replay(self):
        """rendered again from its recording, with nobody to answer, it is the same"""
        self.pages.open(f"/?again={self.run}")
        if not self.pages.find("input[name=replay]").is_selected():
            yield "a run with a recording isn't answered by it"
        self.pages.shoot("again")
        self.pages.find("#upload button").click()
        run = self.finish()
        if self.said(run) != self.said(self.run):
            yield f"the ad was told {self.said(run)} and not {self.said(self.run)}"
        self.pages.open(f"/compare?first={self.run}&second={run}")
        if "same" not in self.pages.until(lambda: self.pages.find("#verdict")).text:
            yield f"they are told to be {self.pages.find('#verdict').text}"
        yield from self.pages.errors()

    def carry(self):
        """a recording from a file answers an ad on a slow network"""
        path = self.pages.folder / "asking.zip"
        path.write_bytes(self.file)
        self.pages.open("/")
        self.pages.find("textarea[name=pasted]").send_keys(self.ad)
        self.pages.find("input[name=name]").send_keys("carried")
        self.pages.find("#further summary").click()
        self.pages.find("input[name=recording]").send_keys(str(path))
        self.pages.find("input[name=networkProfile]").send_keys("3g")
        self.pages.find("#upload button").click()
        run = self.finish()
        [event] = [json.loads(line) for line in self.said(run)]
        if event["detail"]["text"] != json.loads(self.said(self.run)[0])["detail"]["text"]:
            yield f"the ad was told {event}"
        if event["t"] < 300:
            yield f"the slow network answered after {event['t']} ms"
        self.pages.open(f"/renders/{run}")
        self.pages.shoot("carried")
        yield from self.pages.errors()
