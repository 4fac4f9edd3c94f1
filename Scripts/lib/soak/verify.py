"""What a batch must have left behind, however often its processes were killed."""

import json
from collections import Counter

# How a creative may end that was hit more often than Galley tries again.
FORGIVEN = {"worker-died", "web-process-crashed"}


def outcomes(document):
    """How many results ended how, and how many starts they took."""
    results = document["results"]
    ended = Counter(result["outcome"] + (f" ({result['code']})" if "code" in result else "") for result in results)
    return ended, Counter(result["attempts"] for result in results)


def given_up(document):
    """A line for every creative that was hit more often than Galley tries again."""
    for result in document["results"]:
        if result.get("code") in FORGIVEN:
            yield f"{result['creative']['path']}, {result['attempts']} starts: {result['message']}"


def problems(document, creatives, out):
    """A line for everything that is lost or wrong; none when every creative has its whole result."""
    results = document["results"]
    if [result["creative"]["path"] for result in results] != creatives:
        yield f"the document has {len(results)} results for {len(creatives)} creatives, or in another order"
    files = sorted(out.glob("**/result.json"))
    if len(files) != len(creatives):
        yield f"{len(files)} of {len(creatives)} creatives have a result.json"
    for file in files:
        yield from wrong_in(file)


def wrong_in(file):
    result = json.loads(file.read_text())
    if result["outcome"] != "completed" and result.get("code") not in FORGIVEN:
        yield f"{file.parent.name}: {result['outcome']}, {result.get('message')}"
    for picture in result["screenshots"]:
        if not (file.parent / picture["path"]).is_file():
            yield f"{file.parent.name}: {picture['path']} isn't there"
    if result["outcome"] == "completed":
        events = [json.loads(line) for line in (file.parent / "events.ndjson").read_text().split("\n") if line]
        if [event["seq"] for event in events] != list(range(result["eventCount"])):
            yield f"{file.parent.name}: the event log isn't whole"
