"""Changes in the journal by a program with all rights in NATS and no server's key: none is made, no server ends."""

import base64
import hashlib
import hmac
import json
import time

from lib.attack.cluster import Cluster
from lib.attack.family_roles import CHANGES, change
from lib.attack.nats import Client


def attack(galley, folder, tally, quick, random):
    cluster = Cluster(galley, folder)
    try:
        for server in cluster.servers:
            cluster.render(server)
        before, refused = cluster.state(), counted(cluster)
        client = Client(cluster.port, "server", "_INBOX.attack")
        messages = forged(real(client), random)[:: 4 if quick else 1]
        for message in messages:
            client.publish("galley.journal", message)
        client.drain()
        is_counted = wait(lambda: counted(cluster) == refused + len(messages))
        tally.check(is_counted, f"{counted(cluster) - refused} of {len(messages)} messages are counted as refused")
        after = cluster.state()
        changed = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
        for message in messages:
            tally.check(not changed, f"{message[:80]!r}: {changed[:1]}")
        # Who begins later reads all of it.
        late = cluster.serve("late")
        ids = [json.loads(cluster.call(server, "/v1/renders")[1]) for server in (cluster.servers[0], late)]
        tally.check(ids[0] == ids[1], "a server that begins later knows other renders")
        for server in [*cluster.servers, late]:
            tally.check(cluster.render(server).get("status") == "completed", f"{server} renders after it")
        client.close()
    finally:
        cluster.stop()


def counted(cluster):
    text = cluster.call(cluster.servers[0], "/metrics")[1].decode()
    return int(next(line.split()[1] for line in text.splitlines() if line.startswith("galley_journal_refused_total ")))


def wait(condition, within=20):
    end = time.monotonic() + within
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def real(client):
    """The messages that servers wrote."""
    found: list[bytes] = []
    while len(found) < 100:
        head, rest = client.ask("$JS.API.STREAM.MSG.GET.galley-journal", json.dumps({"seq": len(found) + 1}))
        message = head.get("message")
        if not message:
            return found
        found.append(base64.b64decode(message["data"]))
    return found


def forged(real, random):
    messages = list(real)  # Each once more.
    for message in real:
        signature, _, text = message.partition(b"\n")
        place = random.randrange(len(text))
        messages += [text, b"\n" + text, signature + b"\n" + text[:place] + bytes([text[place] ^ 1]) + text[place + 1:],
                     signature + b"\n" + text + b" ", signature[::-1] + b"\n" + text, message[:-1], message[:40],
                     signature]
        for key in (b"", b"galley", bytes(32)):
            made = hmac.new(key, b"change\0" + text.replace(b'"ticket":"', b'"ticket":"x'), hashlib.sha256).hexdigest()
            messages.append(made.encode() + b"\n" + text.replace(b'"ticket":"', b'"ticket":"x'))
    messages += [change(kind, number).encode() for kind in CHANGES for number in range(4)]
    messages += [b"", b"\n", b"\0" * 100_000, b"[" * 200_000, b'{"version":99}',
                 b'{"version":2,"kind":"x","ticket":"y"}',
                 b"0" * 64 + b"\n" + b'{"version":99,"kind":"later","ticket":"t","after":1}']
    return messages
