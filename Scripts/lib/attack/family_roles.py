"""Forged messages of a worker and a sender of the queue, to two servers and a worker of Galley.

They have the rights that deploy/nats-roles.conf gives such users. Nothing may be read, written, stopped or decided that
isn't theirs: after each group of messages the servers answer, know the same renders, and have the same files.
"""

import hashlib
import json

from lib.attack.cluster import Cluster
from lib.attack.nats import Client

CHANGES = ["accept", "start", "requeue", "end", "forget", "remove", "restore", "delivery", "loss", "clear-losses",
           "release",
           "forget-losses", "review", "decision", "begin-session", "end-session", "baseline", "comparison", "later"]
SUBJECTS = ["galley.journal", "galley.jobs.high.v1", "galley.jobs.normal.v1+clock-virtual", "galley.ended",
            "galley.wake",
            "galley.notice.cancelled.{id}", "galley.notice.progress.{id}", "$KV.galley-renders.{id}",
            "$KV.galley-keys.x",
            "$KV.galley-losses.x", "$KV.galley-locks.leader", "$KV.galley-workers.x", "$KV.galley-facts.cluster",
            "$KV.galley-facts.snapshot", "$O.galley-contents.M.x", "$O.galley-contents.C.x",
            "$JS.API.STREAM.DELETE.galley-journal", "$JS.API.STREAM.PURGE.galley-jobs",
            "$JS.API.STREAM.DELETE.KV_galley-renders", "$JS.API.STREAM.UPDATE.galley-journal", "$JS.API.STREAM.NAMES",
            "$JS.API.STREAM.MSG.GET.KV_galley-facts", "$JS.API.STREAM.MSG.GET.KV_galley-renders",
            "$JS.API.DIRECT.GET.KV_galley-renders.$KV.galley-renders.{id}", "$JS.API.CONSUMER.CREATE.galley-journal",
            "$JS.API.CONSUMER.MSG.NEXT.galley-endings.servers", "$JS.API.CONSUMER.DELETE.galley-endings.servers",
            "$JS.API.STREAM.LEADER.STEPDOWN.galley-journal", "$JS.ACK.galley-jobs.x.1.1.1.1.0",
            "galley.ask.worker.worker-1.one", "galley.ask.sender.sender-2.one", "galley.ask.server.x.y",
            "galley.reply.worker.worker-1.one.1", "galley.tell.sender.sender-2.one.{id}", "_INBOX.x"]
LISTENED = [">", "galley.>", "_INBOX.>", "$JS.>", "$KV.>", "$O.>", "galley.reply.>", "galley.reply.worker.worker-1.>",
            "galley.tell.>", "galley.ask.>", "galley.journal", "galley.jobs.>", "galley.ended", "$SYS.>"]
NAMES = ["../../canary", "/etc/passwd", "..", "", "a" * 5000, "x\nfinished", "\u2028", "%2e%2e%2f"]
NUMBERS = [-1, 0, 1 << 62, -(1 << 62)]


def change(kind, number):
    """A change as the journal of an earlier version had it, with what would do harm."""
    name = NAMES[number % len(NAMES)]
    token = hashlib.sha256(b"galley_known").hexdigest()
    inner = {"id": name, "render": name, "hash": token, "token": token, "expires": 1 << 50, "timestamp": 1, "most": 5,
             "manifest": name, "key": {"creative": name, "variant": name}, "parcel": name, "losses": [], "limit": 0,
             "new": {"id": name, "name": name, "content": "x", "request": "{}", "owner": "me", "created": 1,
                     "file": name,
                     "labels": {}},
             "ending": {"status": "completed", "finished": 1, "parcel": name}, "content": "x", "recipe": ""}
    body = json.dumps({"version": 1 + number % 4, "kind": kind, "ticket": f"t{number}", "after": 0, "change": inner})
    return ["", "0" * 64 + "\n", token + "\n", "\n"][number % 4] + body


def requests(ids):
    """Requests in the own name: about others' jobs, and with values that nothing has."""
    one = ids[0]
    tickets = [{"id": one, "attempt": number, "ticket": ticket, "owner": owner, "isServed": served, "proof": "0" * 64}
               for number in NUMBERS[:2] for ticket in ("", "x" * 25)
               for owner, served in (("", True), ("sender.sender-2.one", False))]
    receipt = {"sha256": "0" * 64, "size": 1, "proof": "0" * 64}
    for ticket in tickets:
        for kind in ("heartbeat", "started"):
            yield {kind: {"_0": ticket}}
        yield {"progress": {"_0": ticket, "phase": "<script>"}}
        yield {"retrying": {"_0": ticket, "reason": "\u001b[2J"}}
        yield {"died": {"_0": ticket, "reason": "it died"}}
        yield {"release": {"_0": ticket, "counts": True}}
        yield {"end": {"_0": ticket, "result": json.dumps({"parcel": "0" * 64, "summary": "{}"}), "files": receipt}}
        yield {"input": {"_0": ticket, "_1": "creative"}}
        yield {"keep": {"size": 3, "sha256": "0" * 64, "of": ticket}}
    for name in [*NAMES, one]:
        yield {"look": {"id": name}}
        yield {"cancel": {"id": name}}
        yield {"result": {"id": name}}
        yield {"fetched": {"id": name}}
        yield {
            "enqueue": {"id": name, "payload": json.dumps({"served": {"name": name, "content": "0" * 64, "created": 1,
               "request": "{}", "file": name, "deadline": 1 << 50}}), "creative": receipt}}
        yield {"append": {"transfer": name, "offset": -5}}
        yield {"piece": {"transfer": name, "offset": 1 << 60}}
        yield {
            "show": {"_0": {"name": name, "galley": name, "capabilities": [name] * 90, "slots": -5, "busy": 1 << 60}}}
    for size in NUMBERS:
        yield {"keep": {"size": size, "sha256": "../../x"}}
    yield {"lease": {"capabilities": ["x" * 41] * 50, "schemas": list(range(99))}}
    yield {"leave": {}}
    yield {"unknown": {}}


def attack(galley, folder, tally, quick, random):
    cluster = Cluster(galley, folder)
    try:
        ids = [cluster.render(server).get("id", "") for server in cluster.servers]
        tally.check(all(ids), f"a render before the attack: {ids}")
        for user, role in (("worker-2", "worker"), ("sender-1", "sender")):
            forge(cluster, user, role, ids, tally, quick)
        after = [cluster.render(server) for server in cluster.servers]
        tally.check(all(each.get("status") == "completed" for each in after), f"renders after the attack: {after}")
        metrics = cluster.call(cluster.servers[0], "/metrics")[1].decode()
        tally.check("galley_journal_refused_total 0\n" in metrics, "a message of theirs came into the journal")
        status, _ = cluster.call(cluster.servers[0], "/v1/renders", token=None,
                              headers=[("Cookie", "galley-session=galley_known")])
        tally.check(status == 401, f"a forged log-in is answered {status}")
    finally:
        cluster.stop()


def forge(cluster, user, role, ids, tally, quick):
    """Sends one user's messages in groups, and looks after each group whether all is as it was."""
    before = cluster.state()
    own = f"galley.ask.{role}.{user}.one"
    bodies = [change(kind, number) for number, kind in enumerate(CHANGES)]
    groups: dict[str, list[tuple]] = {
        "changes in the journal": [("galley.journal", body) for body in bodies],
        "subjects of others": [(each.replace("{id}", ids[0]), json.dumps({"id": ids[0]})) for each in SUBJECTS],
        "answers elsewhere": [(own, '{"leave":{}}\n', reply) for reply in (
            "galley.journal", "$KV.galley-facts.cluster", "galley.reply.worker.worker-1.one.1", "galley.ended",
            f"{own}")],
        "what is no request": [(own, body) for body in (
            b"", b"\n", b"\0" * 1000, b"[" * 300_000, b'{"a":' * 100_000 + b"\n", b"{}\n", b"null\n", b"\xff\xfe\n")],
    }
    client = Client(cluster.port, user, f"galley.reply.{role}.{user}.one")
    for subject in LISTENED:
        client.subscribe(subject)
    for name, messages in groups.items():
        for message in messages:
            client.publish(*message)
        heard = [subject for subject, _ in client.drain() if not subject.startswith(client.inbox)]
        check(cluster, before, tally, f"{user}: {name}", len(messages), heard)
    asked = list(requests(ids))
    for request in asked[:: 3 if quick else 1]:
        text = json.dumps(request)
        answer = client.publish(own, f"{text}\n") if is_silent(request) else client.ask(own, f"{text}\nbody")
        kind = next(iter(request))
        gave = answer and not is_refusal(answer[0], kind)
        tally.check(not gave, f"{user}: {kind} is answered {answer and answer[0]}")
    check(cluster, before, tally, f"{user}: requests", 1, [])
    tally.check(len([each for each in client.errors if "ermissions" in each]) >= len(LISTENED),
                f"{user} may listen: {client.errors[:2]}")
    client.close()


def is_silent(request):
    return next(iter(request)) in ("progress", "retrying")


def is_refusal(answer, kind):
    """Whether an answer gives nothing away: a failure, no such job, or what anybody may say of itself."""
    if "failed" in answer or answer == {"job": {}} or answer == {"lease": {}}:
        return True
    return answer == {"done": {}} and kind in ("leave", "show", "cancel", "fetched")


def check(cluster, before, tally, what, count, heard):
    after = cluster.state()
    changed = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
    for _ in range(count):
        tally.check(not changed and not heard, f"{what}: {changed[:1] or heard[:3]}")
