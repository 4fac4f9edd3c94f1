"""Jobs and records that lie, put into a queue by a program with all rights in NATS: each ends, the next is rendered."""

import base64
import copy
import json
import time

from lib.attack.cluster import Cluster
from lib.attack.nats import Client

KIND = "v1+clock-virtual"
FINAL = ("completed", "failed", "cancelled", "quarantined")
DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
ABSENT = "ab" * 32


def attack(galley, folder, tally, quick, random):
    cluster = Cluster(galley, folder)
    client = Client(cluster.port, "server", "_INBOX.attack")
    try:
        known = cluster.render(cluster.servers[0])
        tally.check(known.get("status") == "completed", f"a render before it: {known}")
        good = record(client, known["id"])
        made = [(name, text) for name, text in records(good)][:: 3 if quick else 1]
        ids = ["".join(random.choice(DIGITS) for _ in range(26)) for _ in made]
        for id, (_, text) in zip(ids, made, strict=True):
            client.publish(f"$KV.galley-renders.{id}", text.replace("ID-OF-JOB", id))
            client.publish(f"galley.jobs.high.{KIND}", id)
        for text in ("", "../../etc/passwd", "x" * 5000, "\0", "nobody", "UPPER"):
            client.publish(f"galley.jobs.high.{KIND}", text)
        client.publish("galley.wake")
        client.drain()
        began = time.monotonic()
        after = cluster.render(cluster.servers[1])
        tally.check(after.get("status") == "completed",
                    f"a render behind them, after {time.monotonic() - began:.0f} s: {after}")
        for id, (name, _) in zip(ids, made, strict=True):
            state = ended(client, id)
            tally.check(state in FINAL, f"{name}: {state}")
        tally.check(all(process.poll() is None for process in cluster.processes), "a program of the cluster ended")
        tally.check((folder / "canary/file").read_text() == "here", "the canary is gone")
    finally:
        client.close()
        cluster.stop()


def record(client, id):
    head, _ = client.ask("$JS.API.STREAM.MSG.GET.KV_galley-renders",
                         json.dumps({"last_by_subj": f"$KV.galley-renders.{id}"}))
    message = head.get("message")
    return json.loads(base64.b64decode(message["data"])) if message else {}


def ended(client, id, within=120):
    end = time.monotonic() + within
    while time.monotonic() < end:
        status = record(client, id).get("status")
        if status in FINAL:
            return status
        time.sleep(0.2)
    return status


def records(good):
    """Texts in the place of a job's record, by what is wrong with them."""
    for text in ("", "nonsense", "{}", "[]", "null", '{"job":{}}', "[" * 50_000):
        yield f"no record: {text[:20]}", text
    base = copy.deepcopy(good)
    base.update(status="queued", attempt=0, ticket="t")
    for member in ("sequence", "worker", "result", "fault", "handle", "returns"):
        base.pop(member, None)
    base["job"]["id"] = "ID-OF-JOB"

    def changed(name, change):
        record = copy.deepcopy(base)
        order = json.loads(record["job"]["payload"])
        change(record, order)
        record["job"]["payload"] = json.dumps(order)
        return name, json.dumps(record)

    for id in ("other", "../../x", "", "x" * 200):
        yield changed(f"id {id[:9]}", lambda record, order, id=id: record["job"].update(id=id))
    for attempt in (-5, 1 << 40):
        yield changed(f"attempt {attempt}", lambda record, order, attempt=attempt: record.update(attempt=attempt))
    yield changed("contents that are gone", lambda record, order: order["served"].update(content=ABSENT, file="x.html"))
    yield changed("a recording that is gone", lambda record, order: order["served"].update(recording=ABSENT))
    for name in ("../../canary/file", "a/b", "..", "", "x" * 300):
        yield changed(f"file {name[:9]}", lambda record, order, name=name: order["served"].update(file=name))
        yield changed(f"name {name[:9]}", lambda record, order, name=name: order["served"].update(name=name))
    for request in ("", "nonsense", "{}", json.dumps({"memory": -5}), "[" * 10_000):
        yield changed(f"request {request[:12]}",
                      lambda record, order, request=request: order["served"].update(request=request))
    asked = json.loads(json.loads(base["job"]["payload"])["served"]["request"])
    for member, value in (("memory", -5), ("timeout", -1), ("timeout", 1e308), ("queueTimeout", -1),
                          ("screen", "-5x10"),
                          ("size", "0x0"), ("idleTime", -1), ("measureTime", 1e300), ("url", "file:///etc/passwd")):
        request = json.dumps({**asked, member: value})
        yield changed(f"{member} {value}",
                      lambda record, order, request=request: order["served"].update(request=request))
    yield changed("a deadline that is over", lambda record, order: order["served"].update(deadline=1))
    yield changed("neither served nor of a batch", lambda record, order: order.pop("served"))
    for member, value in (("memory", -5), ("memory", 0), ("timeout", -1)):
        yield changed(f"a batch's {member} {value}",
                      lambda record, order, limits={member: value}: batch(record, order, limits))
    for width in (-5, 0, 1e308):
        yield changed(f"a batch's width {width}", lambda record, order, width=width: batch(record, order, width=width))
    yield changed("a batch's creative that is gone", lambda record, order: batch(record, order, creative=ABSENT))


def batch(record, order, limits=(), width=390, creative=None):
    record["job"]["isServed"] = False
    record["job"]["owner"] = "sender.sender-1.one"
    order.pop("served")
    order["batched"] = {
        "creative": creative, "file": "ad.html", "form": "file",
        "job": {"id": 1, "creative": {"argument": "https://ad.invalid/", "name": "ad"}, "output": "",
                "device": {"name": "phone", "screen": {"width": width, "height": 844}, "scale": 3, "touch": True,
                           "userAgent": "agent", "platform": "iPhone",
                           "safeArea": {"top": 0, "left": 0, "bottom": 0, "right": 0}},
                "placement": {"kind": "banner"}, "limits": {"timeout": 30, "memory": 1024, **dict(limits)},
                "options": {}}}
