"""Connections that are held for long by one caller: live streams, waits and uploads. None may keep others out."""

import json
import resource
import selectors
import socket
import time
from pathlib import Path

from lib.attack.family_server import MARKUP, Server, head, post

# Each has 200 connections of its own at the most.
ADDRESSES = [f"127.0.0.{number}" for number in range(2, 7)]
# Streams that one token may have at a time, and requests that are answered.
MOST_STREAMS, MOST_REQUESTS = 100, 500


def attack(galley, folder, tally, quick, random):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    tokens = folder / "tokens.json"
    one, other = (token(galley, tokens, name) for name in ("one", "other"))
    proxied = ["--trusted-proxy", "127.0.0.0/8"]
    ways = {"addresses": []} if quick else {"addresses": [], "a trusted proxy": proxied}
    for name, options in ways.items():
        with Server(galley, folder / name.replace(" ", "-"), "--tokens", tokens, *options) as server:
            server.token = other
            streams(server, one, tally, 250 if quick else 1000, name)
            if not quick:
                waits(server, one, tally, 300, name)
                uploads(server, one, tally, 700, name)
        tally.check(server.code == 0, f"{name}: the server ended with {server.code}")


def token(galley, file, name):
    made = galley.run("serve", "token", "create", name, "--file", file, "--scopes", "read,render")
    return made.output.decode().strip()


def streams(server, token, tally, count, name):
    """Live streams of one token, of a render that waits."""
    render = submit(server, token, {"clock": "real", "timeout": 300, "scenario": "- wait: 60\n- wait: 60\n- wait: 60"})
    path = f"/v1/renders/{render}/events"
    before = usage(server)
    request = head("GET", path, f"accept: text/event-stream\r\nauthorization: Bearer {token}\r\n", close=False)
    held = [hold(server, ADDRESSES[number * len(ADDRESSES) // count], request) for number in range(count)]
    heard = listen(held, 30, lambda text: b"event: status" in text)
    tally.check(sum(b"event: status" in text for text in heard.values()) >= MOST_STREAMS,
                f"{name}: streams aren't answered")
    others_are_served(server, tally, f"{name}: beside {count} streams")
    heard = listen(held, 30, lambda text: b"event: displaced" in text, heard, enough=count - MOST_STREAMS)
    told = [number for number, one in enumerate(held) if b"event: displaced" in heard[one] and b"retry: " in heard[one]]
    tally.check(len(told) == count - MOST_STREAMS, f"{name}: {len(told)} streams were told to come back")
    # Some are answered in another order than they were asked for.
    tally.check(max(told, default=count) < count - MOST_STREAMS // 2, f"{name}: a late stream gave way: {told[-5:]}")
    for one in held:
        one.close()
    tally.check(at_rest(server, before), f"{name}: {before} before the streams, {usage(server)} after them")
    server.ask("DELETE", f"/v1/renders/{render}", token)


def waits(server, token, tally, count, name):
    """Requests of one token that prefer to wait for renders."""
    body = json.dumps({"markup": MARKUP, "clock": "real", "timeout": 100, "scenario": "- wait: 60"})
    request = post("/v1/renders", body, more=f"prefer: wait=100\r\nauthorization: Bearer {token}\r\n")
    held = [hold(server, ADDRESSES[number % 2], request) for number in range(count)]
    time.sleep(1)
    others_are_served(server, tally, f"{name}: beside {count} waits", renders=False)
    for one in held:
        one.close()
    for row in server.ask("GET", "/v1/renders?status=queued,running&limit=200", token).get("renders", []):
        server.ask("DELETE", row["links"]["self"], token)


def uploads(server, token, tally, count, name):
    """Bodies of one token that don't come to their end."""
    more = f"content-type: application/json\r\nauthorization: Bearer {token}\r\n"
    request = head("POST", "/v1/renders", more, length=1000) + b"{"
    held = [hold(server, ADDRESSES[number * len(ADDRESSES) // count], request) for number in range(count)]
    heard = listen(held, 10, lambda text: b" 429 " in text, enough=count - MOST_REQUESTS)
    refused = sum(b" 429 " in text or b" 503 " in text for text in heard.values())
    tally.check(refused >= count - MOST_REQUESTS, f"{name}: {refused} of {count} uploads were refused")
    others_are_served(server, tally, f"{name}: beside {count} uploads")
    for one in held:
        one.close()


def others_are_served(server, tally, what, renders=True):
    """Probes from every address, and another token's requests."""
    for address in [*ADDRESSES, "127.0.0.9"]:
        for path in ("/healthz", "/readyz", "/metrics"):
            status = server.status("GET", path, address)
            tally.check(status == 200 or path == "/readyz" and not renders, f"{what}: {path} from {address}: {status}")
    status = server.status("GET", "/v1/renders", "127.0.0.9")
    tally.check(status == 200, f"{what}: another token's list: {status}")
    if renders:
        answer = server.ask("POST", "/v1/renders", server.token, {"markup": MARKUP})
        tally.check("id" in answer, f"{what}: another token's render: {answer}")


def submit(server, token, more):
    return server.ask("POST", "/v1/renders", token, {"markup": MARKUP, **more})["id"]


def hold(server, address, request):
    """A connection from an address, with a request sent."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=10, source_address=(address, 0))
    connection.sendall(request)
    connection.setblocking(False)
    return connection


def listen(held, seconds, is_enough, heard=None, enough=None):
    """What the connections have said until so many have said enough, all where no number is given, or time is over."""
    heard = heard or dict.fromkeys(held, b"")
    end = time.monotonic() + seconds
    with selectors.DefaultSelector() as selector:
        for one in held:
            selector.register(one, selectors.EVENT_READ, one)
        while time.monotonic() < end and sum(map(is_enough, heard.values())) < (enough or len(held)):
            for key, _ in selector.select(0.2):
                one = key.data
                try:
                    said = one.recv(1 << 16)
                except OSError:
                    said = b""
                heard[one] += said
                if not said:
                    selector.unregister(one)
            if not selector.get_map():
                break
    return heard


def usage(server):
    """Descriptors and mebibytes of the server's process."""
    place = Path(f"/proc/{server.process.pid}")
    resident = next(line for line in (place / "status").read_text().splitlines() if line.startswith("VmRSS"))
    return len(list((place / "fd").iterdir())), int(resident.split()[1]) >> 10


def at_rest(server, before, seconds=20):
    """Whether the server comes back to what it had, but for what caches and its render take."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        now = usage(server)
        if now[0] <= before[0] + 30 and now[1] <= before[1] + 100:
            return True
        time.sleep(0.5)
    return False
