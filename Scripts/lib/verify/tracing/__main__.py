"""Renders one ad by a queue, with a trace of the caller's own, and reads what servers and workers say of it.

OTLP's JSON isn't protobuf's: ids are hex. All else has to be what `opentelemetry-proto` defines, with no unknown
member.
"""

import base64
import json
import shutil
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from lib.cluster.machines import ClusterServer, Nats, Worker
from lib.common.command import galley_of, make_parser

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
CALLER = "00f067aa0ba902b7"


def main():
    parser = make_parser("verify-tracing", __doc__)
    options = parser.parse_args()
    galley = galley_of(options)
    folder = Path(tempfile.mkdtemp(prefix="galley-tracing-"))
    received: list = []
    collector = ThreadingHTTPServer(("127.0.0.1", 0), handler(received))
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{collector.server_port}/v1/traces"
    nats = Nats(folder, 1)
    nats.start_all()
    server = ClusterServer(galley, folder / "data", nats, ["--otlp", address])
    worker = Worker(galley, folder / "worker.log", nats, 1, options=["--otlp", address, "--verbose"])
    try:
        server.start()
        worker.start()
        body = {
            "markup": "<h1 onclick='mraid.open()'>ad</h1>", "name": "traced",
            "scenario": "- wait: {event: ready}\n- tap: h1\n- screenshot: after\n",
        }
        status, _, document = server.ask(
            "POST", "/v1/renders", body, {"traceparent": f"00-{TRACE}-{CALLER}-01", "Prefer": "wait=100"})
        assert status == 200, document
        time.sleep(5)
    finally:
        worker.stop()
        server.stop()
        nats.stop_all()
    spans = [span for message in received for span in read(message)]
    problems = list(check(spans, document["id"], (folder / "worker.log").read_text()))
    for depth, span in tree(spans):
        print("  " * depth + f"{span.name}: {(span.end_time_unix_nano - span.start_time_unix_nano) / 1e6:.1f} ms")
    for problem in problems:
        print(f"problem: {problem}")
    shutil.rmtree(folder)
    sys.exit(1 if problems else 0)


def handler(received):
    class Collector(BaseHTTPRequestHandler):
        def do_POST(self):
            content = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers["Content-Type"] == "application/json" and self.path == "/v1/traces":
                received.append(content)
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_):
            pass

    return Collector


def read(content):
    """The spans of one message, by OpenTelemetry's definitions."""
    document = json.loads(content)
    for resource in document["resourceSpans"]:
        for scope in resource["scopeSpans"]:
            for span in scope["spans"]:
                for name in ("traceId", "spanId", "parentSpanId"):
                    if span.get(name):
                        span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
    request = json_format.ParseDict(document, ExportTraceServiceRequest())
    for resource in request.resource_spans:
        names = {attribute.key: attribute.value.string_value for attribute in resource.resource.attributes}
        assert names["service.name"] in ("galley-serve", "galley-work"), names
        for scope in resource.scope_spans:
            yield from scope.spans


def tree(spans):
    own = [span for span in spans if span.trace_id.hex() == TRACE]

    def below(parent, depth):
        for span in sorted((s for s in own if s.parent_span_id.hex() == parent), key=lambda s: s.start_time_unix_nano):
            yield depth, span
            yield from below(span.span_id.hex(), depth + 1)

    yield from below(CALLER, 0)


def check(spans, render, log):
    """A line for everything that is missing or wrong."""
    shown = list(tree(spans))
    names = [(depth, span.name) for depth, span in shown]
    for wanted in [(0, "POST /v1/renders"), (1, "enqueue"), (2, "work"), (3, "fetch"), (3, "render"),
                   (4, "web process"), (3, "judge and send")]:
        if wanted not in names:
            yield f"no span {wanted[1]} at depth {wanted[0]}: {names}"
    if not any(depth == 5 and "tap" in name for depth, name in names):
        yield f"no step of the scenario below the web process: {names}"
    kinds = {span.name: span.kind for _, span in shown}
    if kinds.get("work") != Span.SPAN_KIND_CONSUMER or kinds.get("enqueue") != Span.SPAN_KIND_PRODUCER:
        yield f"kinds are others: {kinds}"
    for _, span in shown:
        if not 0 < span.start_time_unix_nano <= span.end_time_unix_nano:
            yield f"{span.name} ends before it begins"
    if not any(attribute.value.string_value == render for _, span in shown for attribute in span.attributes):
        yield "no span names the render"
    if f"trace_id={TRACE}" not in log:
        yield "no line of the worker's log has the trace"


main()
