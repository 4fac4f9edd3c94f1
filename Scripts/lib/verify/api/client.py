"""Uses a client that openapi-python-client made of the document: submits, shows, lists, reads the report and events."""

import json
import sys
import time

from galley_client import Client
from galley_client.api.baselines import approve_baseline
from galley_client.api.operations import check_health, show_pressure
from galley_client.api.renders import (
    fetch_report,
    list_render_events,
    list_render_files,
    list_renders,
    remove_render,
    restore_render,
    show_render,
    submit_render,
)
from galley_client.api.reviewing import decide_review, list_decisions, list_reviews, show_review
from galley_client.models import (
    Approval,
    Comparison,
    DeviceDescription,
    Event,
    Exploring,
    Problem,
    Render,
    RenderPage,
    RenderRequest,
    RenderRequestLabels,
    RenderRequestPlacement,
    RenderStatus,
    ResultFileList,
    ReviewDecision,
    ReviewDecisionDecision,
    ReviewState,
)


def main():
    client = Client(base_url=sys.argv[1], timeout=120)
    expect(check_health.sync(client=client).status == "ok", "the server is well")
    request = RenderRequest(
        markup="<h1>ad</h1>", name="banner", size="300x250", placement=RenderRequestPlacement.BANNER, checks=True,
        profiles=["iab"], device=DeviceDescription(width=390, height=844, scale=2.0),
        explore=Exploring(actions=2, seconds=10.0))
    render = submit_render.sync(client=client, body=request)
    expect(isinstance(render, Render), f"a render is accepted, not {render}")
    end = time.monotonic() + 100
    while render.status in (RenderStatus.QUEUED, RenderStatus.RUNNING) and time.monotonic() < end:
        time.sleep(0.2)
        render = show_render.sync(render.id, client=client)
    expect(render.status == RenderStatus.COMPLETED, f"it completes: {render.status}")
    expect(render.request.name == "banner" and render.request.profiles == ["iab"], "it tells what was asked for")
    expect(render.screenshots and render.screenshots[0].width > 0, "it has pictures")
    expect(render.verdict is not None and render.verdict.accepted is not None, "it has a verdict")
    page = list_renders.sync(client=client, q="banner")
    expect(isinstance(page, RenderPage) and render.id in [one.id for one in page.renders], "it is listed")
    found = fetch_report.sync(render.id, client=client)
    expect(found.to_dict()["creatives"][0]["name"] == "banner", "its report is read")
    left = list_render_files.sync(render.id, client=client)
    expect(isinstance(left, ResultFileList) and "result.json" in [one.path for one in left.files],
           "its files are listed")
    lines = list_render_events.sync_detailed(render.id, client=client).content.decode().splitlines()
    log = [Event.from_dict(json.loads(line)) for line in lines]
    expect(log and log[0].seq == 0 and log[0].source.value, "its events are read")
    refused = submit_render.sync(client=client, body=RenderRequest(markup="x", url="https://a.example/"))
    expect(isinstance(refused, Problem) and refused.status == 422, "what is given twice is refused")
    expect(show_pressure.sync(client=client).capacity.running > 0, "the server tells how full it is")
    review(client)
    expect(remove_render.sync_detailed(render.id, client=client).status_code == 204, "it is removed")
    expect(restore_render.sync(render.id, client=client).id == render.id, "it is brought back")
    print("ok  a generated client submits, shows, lists, reports, reviews")


def review(client):
    def rendered(markup):
        labels = RenderRequestLabels.from_dict({"project": "shop", "branch": "main", "commit": "4f1c2d9"})
        request = RenderRequest(markup=markup, name="reviewed", size="300x250", labels=labels)
        return submit_render.sync(client=client, body=request, prefer="wait=60")

    first = rendered("<h1>red</h1>")
    expect(first.review.comparison == Comparison.NEW, "it has no baseline yet")
    expect(first.review.state == ReviewState.OPEN, "it waits all the same, as it has labels")
    baseline = show_review.sync(first.id, client=client).baseline
    approve_baseline.sync(baseline.creative, baseline.variant, client=client, body=Approval(render=first.id))
    second = rendered("<h1>blue</h1>")
    expect(second.review.comparison == Comparison.CHANGED, f"it differs from its baseline: {second.review}")
    expect(second.id in [one.render for one in list_reviews.sync(client=client).reviews], "it waits for somebody")
    seen = show_review.sync(second.id, client=client)
    status = seen.commit_status
    expect(status.state.value == "pending" and status.sha == "4f1c2d9", "its commit waits as well")
    decision = ReviewDecision(ReviewDecisionDecision.APPROVE, comment="blue it is", revision=seen.revision)
    decided = decide_review.sync(second.id, client=client, body=decision)
    expect(decided.state == ReviewState.APPROVED and decided.decision.comment == "blue it is", "it is approved")
    late = decide_review.sync(second.id, client=client, body=decision)
    expect(isinstance(late, Problem) and late.status == 409, f"who comes second is told so: {late}")
    undo = ReviewDecision(ReviewDecisionDecision.UNDO, revision=decided.revision)
    expect(decide_review.sync(second.id, client=client, body=undo).state == ReviewState.OPEN, "that is taken back")
    history = list_decisions.sync(baseline.creative, baseline.variant, client=client).decisions
    expect([one.action.value for one in history] == ["undo", "approve", "approve"], "all of it is kept")


def expect(holds, what):
    if not holds:
        sys.exit(f"not ok  {what}")


main()
