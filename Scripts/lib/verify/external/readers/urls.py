"""Addresses of the URL standard's own suite: which host the engine sees, and whom the guard lets it speak to."""

import ipaddress
import json
import shutil
import urllib.parse

from lib.verify.external import program

PAGE = """<!DOCTYPE html><html lang="en"><title>Addresses</title><body style="background: #fff">
<p id="begin">addresses</p>
<script src="cases.js"></script><script>
async function ask() {
  const head = document.head;
  for (const [index, one] of cases.entries()) {
    let seen;
    try {
      const url = new URL(one.input, one.base ?? undefined);
      seen = [index, url.href, url.hostname, url.protocol];
    } catch (error) {
      seen = [index, null];
    }
    console.log("url:" + JSON.stringify(seen));
    if (!seen[1] || !/^https?:/.test(seen[1])) continue;
    // As markup names it: the engine reads it against the page's own base.
    const base = document.createElement("base");
    if (one.base) base.href = one.base;
    head.append(base);
    const image = new Image();
    const ended = new Promise((resolve) => { image.onload = image.onerror = resolve; });
    image.src = one.input;
    base.remove();
    // Whoever doesn't answer holds up nobody else.
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 1000))]);
  }
  const end = document.createElement("b");
  end.id = "end";
  end.textContent = "end";
  document.body.append(end);
}
ask();
</script>
"""
SCENARIO = """placement: interstitial
steps:
  - advance: 60s
  - advance: 60s
  - wait: {visible: "#end", timeout: 60}
"""
# Cases of a page: each asks for an address.
MOST = 25
# Ports that Fetch has everybody refuse, of those in the suite.
REFUSED_PORTS = {"0", "21"}
FORBIDDEN = {"loopback", "private", "link-local", "metadata", "multicast", "reserved"}


def run(score, sources, galley, work):
    text = (sources["ada"].files("tests/wpt/urltestdata.json") / "tests/wpt/urltestdata.json").read_text()
    judge_all(score, [case for case in json.loads(text) if isinstance(case, dict)], galley, work)


def judge_all(score, cases, galley, work):
    pages = {}
    for first in range(0, len(cases), MOST):
        folder = work / f"page-{first // MOST}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        part = [{key: case.get(key) for key in ("input", "base")} for case in cases[first:first + MOST]]
        (folder / "cases.js").write_text(f"const cases = {json.dumps(part)};")
        (folder / "index.html").write_text(PAGE)
        (folder / "scenario.yaml").write_text(SCENARIO)
        pages[first] = folder
    records = program.render(galley, pages.values(), work / "out", "--network", "public", "--timeout", "120")
    for first, folder in pages.items():
        record = records.get(str(folder))
        log = program.events(record) if record else []
        seen = {}
        for event in log:
            line = event["detail"].get("text", "") if event["name"] == "console" else ""
            if line.startswith("url:"):
                index, *rest = json.loads(line[4:])
                seen[index] = rest
        asked = [event["detail"] for event in log if event["source"] == "network"]
        for index, case in enumerate(cases[first:first + MOST]):
            name = f"{first + index}: {case['input']!a} at {case.get('base')}"
            judge(score, name, case, seen.get(index), asked)


def judge(score, name, case, seen, asked):
    if seen is None:
        return score.judge(name, False, "the page didn't come to it")
    if case.get("failure"):
        return score.judge(name, seen[0] is None, f"the engine takes it for {seen[0]}")
    if seen[0] is None:
        return score.judge(name, False, f"the engine refuses it; the standard has {case['href']}")
    _, host, _ = seen
    if host != case["hostname"]:
        return score.judge(name, False, f"the engine's host is {host}, the standard's {case['hostname']}")
    if case["protocol"] not in ("http:", "https:"):
        return score.judge(name, True)
    wanted = urllib.parse.urldefrag(case["href"]).url
    found = [event for event in asked if urllib.parse.urldefrag(event["url"]).url == wanted]
    if not found and not case["input"].strip():
        return score.skip(name, "is no address to load: an empty address in markup loads nothing")
    if not found and case["port"] in REFUSED_PORTS:
        return score.skip(name, "uses a port that the engine blocks")
    if not found and is_forbidden(case["hostname"]):
        return score.judge(name, True)
    if not found:
        return score.judge(name, False, f"nothing of {wanted} is in the log")
    codes = {event.get("refused") for event in found}
    if is_forbidden(case["hostname"]):
        return score.judge(name, codes <= FORBIDDEN, f"{case['hostname']} isn't refused: {codes}")
    return score.judge(name, not codes & FORBIDDEN, f"{case['hostname']} is refused: {codes}")


def is_forbidden(host):
    """Whether the standard's host is a number that nobody on the internet has, or this machine's name."""
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return host.rstrip(".") == "localhost" or host.rstrip(".").endswith(".localhost")
    if address.version == 6 and int(address) >> 32 == 0 and int(address) > 0xffff:
        # The old way to write one of version 4, which it is judged as.
        address = ipaddress.ip_address(int(address))
    # Of version 6 only 2000::/3 is given out (IANA's registry).
    return not address.is_global or (address.version == 6 and address not in ipaddress.ip_network("2000::/3"))
