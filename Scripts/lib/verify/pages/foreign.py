"""A site of somebody else's, whose pages try to use a server as the person who looks at them."""

import http.server
import threading

# Answers to forms go into frames that nobody can look into; a moment after the last of all it is over.
FORM = """<!doctype html><title>waiting</title>
<iframe name="first"></iframe><iframe name="second"></iframe>
<form id="out" method="post" action="{server}/logout" target="first"></form>
<form id="render" method="post" action="{server}/v1/renders" target="second" enctype="multipart/form-data">
<input name="markup" value="x"><input name="name" value="foreign"></form>
<script>
  addEventListener("load", async () => {{
    for (const form of document.forms) form.submit();
    for (const path of ["/logout", "/v1/renders"]) {{
      await fetch("{server}" + path, {{method: "POST", mode: "no-cors", credentials: "include"}}).catch(() => {{}});
    }}
    setTimeout(() => {{
      document.title = "over";
      parent.postMessage("over", "*");
    }}, 1000);
  }});
</script>"""
SANDBOX = """<!doctype html><title>waiting</title>
<script>addEventListener("message", () => document.title = "over")</script>
<iframe sandbox="allow-scripts allow-forms" src="/form"></iframe>"""


class ForeignSite:
    """Serves its pages while it is used as a context."""

    def __init__(self, server):
        pages = {"/form": FORM.format(server=server), "/sandbox": SANDBOX}

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = pages.get(self.path, "").encode()
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.httpd.server_address[1]

    def __enter__(self):
        threading.Thread(target=self.httpd.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.httpd.shutdown()
        self.httpd.server_close()

    def is_over(self, browser):
        return browser.title == "over"
