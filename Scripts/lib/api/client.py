"""Uses a client that openapi-python-client made of the document: submits, shows, lists, reads the report and events."""

import json
import sys
import time

from galley_client import Client
from galley_client.api.operations import health, pressure
from galley_client.api.renders import events, files, list_, remove, report, show, submit
from galley_client.models import (
    DeviceDescription, Event, Exploring, Problem, Render, RenderPage, RenderRequest, RenderRequestPlacement,
    RenderStatus, ResultFileList)


def main():
    client = Client(base_url=sys.argv[1], timeout=120)
    expect(health.sync(client=client).status == "ok", "the server is well")
    request = RenderRequest(
        markup="<h1>ad</h1>", name="banner", size="300x250", placement=RenderRequestPlacement.BANNER, checks=True,
        profiles=["iab"], device=DeviceDescription(width=390, height=844, scale=2.0),
        explore=Exploring(actions=2, seconds=10.0))
    render = submit.sync(client=client, body=request)
    expect(isinstance(render, Render), f"a render is accepted, not {render}")
    end = time.monotonic() + 100
    while render.status in (RenderStatus.QUEUED, RenderStatus.RUNNING) and time.monotonic() < end:
        time.sleep(0.2)
        render = show.sync(render.id, client=client)
    expect(render.status == RenderStatus.COMPLETED, f"it completes: {render.status}")
    expect(render.request.name == "banner" and render.request.profiles == ["iab"], "it tells what was asked for")
    expect(render.screenshots and render.screenshots[0].width > 0, "it has pictures")
    expect(render.verdict is not None and render.verdict.accepted is not None, "it has a verdict")
    page = list_.sync(client=client, q="banner")
    expect(isinstance(page, RenderPage) and render.id in [one.id for one in page.renders], "it is listed")
    found = report.sync(render.id, client=client)
    expect(found.to_dict()["creatives"][0]["name"] == "banner", "its report is read")
    left = files.sync(render.id, client=client)
    expect(isinstance(left, ResultFileList) and "result.json" in [one.path for one in left.files], "its files are listed")
    lines = events.sync_detailed(render.id, client=client).content.decode().splitlines()
    log = [Event.from_dict(json.loads(line)) for line in lines]
    expect(log and log[0].seq == 0 and log[0].source.value, "its events are read")
    refused = submit.sync(client=client, body=RenderRequest(markup="x", url="https://a.example/"))
    expect(isinstance(refused, Problem) and refused.status == 422, "what is given twice is refused")
    expect(pressure.sync(client=client).capacity.running > 0, "the server tells how full it is")
    expect(remove.sync_detailed(render.id, client=client).status_code == 204, "it is removed")
    print("ok  a generated client submits, shows, lists, reports")


def expect(holds, what):
    if not holds:
        sys.exit(f"not ok  {what}")


main()
