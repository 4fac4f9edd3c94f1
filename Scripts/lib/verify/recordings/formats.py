"""What others make of recordings, and Galley of others' recordings: readers that were written for these formats."""

import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from pathlib import Path

BIN = Path(sys.executable).parent


def playwright(trial, address, meant):
    """Chromium shows the recorded page by Playwright's route_from_har, as a zip and as an archive with bodies in it."""
    from playwright.sync_api import sync_playwright
    trial.run("har", "convert", trial.folder / "plain.zip", "--out", trial.folder / "plain.har")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name in ("plain.zip", "plain.har"):
            context = browser.new_context(ignore_https_errors=True)
            context.route_from_har(trial.folder / name, not_found="abort")
            lines = visit(context, f"{address}/plainpage")
            trial.check(sorted(lines) == sorted(meant), f"Chromium by Playwright's route_from_har, {name}: {lines}")
        browser.close()


def visit(context, address):
    page = context.new_page()
    lines = []

    def keep(message):
        if not message.text.startswith("at "):
            lines.append(message.text)

    page.on("console", keep)
    page.goto(address)
    page.wait_for_timeout(1000)
    return lines


def wacz(trial, address, meant):
    """The archive is valid for its own validator, its records for warcio, and pywb shows the page in Chromium."""
    file = trial.folder / "plain.wacz"
    trial.run("har", "convert", trial.folder / "plain.zip", "--out", file)
    told = subprocess.run([BIN / "wacz", "validate", "-f", file], capture_output=True, text=True)
    trial.check(told.returncode == 0 and "Validation succeeded" in told.stdout + told.stderr,
                f"wacz validate: {(told.stdout + told.stderr).strip().splitlines()[-1:]}")
    place = trial.folder / "wacz"
    with zipfile.ZipFile(file) as archive:
        archive.extractall(place)
    warcs = sorted(place.glob("archive/*"))
    told = subprocess.run([BIN / "warcio", "check", *warcs], capture_output=True, text=True)
    trial.check(told.returncode == 0 and warcs,
                f"warcio check of {len(warcs)} file: "
                f"{(told.stdout + told.stderr).strip()[:80] or 'every digest holds'}")
    pywb(trial, address, meant, file)


def pywb(trial, address, meant, file):
    from playwright.sync_api import sync_playwright
    place = trial.folder / "pywb"
    place.mkdir()
    subprocess.run([BIN / "wb-manager", "init", "kept"], cwd=place, check=True, capture_output=True)
    subprocess.run([BIN / "wb-manager", "add", "--unpack-wacz", "kept", file], cwd=place, check=True,
                   capture_output=True)
    port = free_port()
    with open(place / "log", "wb") as log:
        server = subprocess.Popen([BIN / "wayback", "-p", str(port), "-b", "127.0.0.1"], cwd=place, stdout=log,
                                  stderr=log)
    try:
        wait_for(f"http://127.0.0.1:{port}/kept/")
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            lines = visit(browser.new_context(), f"http://127.0.0.1:{port}/kept/mp_/{address}/plainpage")
            browser.close()
        # What a page posts has no place in an archive of what can be visited.
        shown = [line for line in meant if "bytes" not in line]
        trial.check(all(line in lines for line in shown), f"pywb in Chromium: {lines}")
    finally:
        server.terminate()
        server.wait()


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(address):
    for _ in range(100):
        try:
            return urllib.request.urlopen(address).read()
        except OSError:
            time.sleep(0.2)
    raise SystemExit(f"verify-recordings: nobody answers at {address}")


# Playwright's own archives, and what its tests expect of them.
FIXTURES = [
    ("har-fulfill.har", "http://no.playwright/", {
        "window.value": "foo", "getComputedStyle(document.body).backgroundColor": "rgb(255, 0, 0)"}),
    ("har-sha1.har", "http://no.playwright/", {"document.body.innerText": "Hello, world"}),
    ("har-redirect.har", "https://theverge.com/", {"location.href": "https://www.theverge.com/"}),
]


def fixtures(trial, folder):
    """Galley replays archives that Playwright's own tests have (tests/assets of its repository)."""
    for name, address, expected in FIXTURES:
        scenario = trial.folder / f"{name}.yaml"
        scenario.write_text(f"size: 300x250\nsteps:\n  - expect: {json.dumps({'evaluate': expected})}\n")
        out = trial.folder / f"fixture-{name}"
        done = trial.run("render", address, "--replay", folder / name, "--scenario", scenario, "--out", out, "--json",
                         fails=True)
        result = json.loads(done.stdout)["results"][0]
        trial.check(result["outcome"] == "completed", f"Playwright's {name}: {result.get('message') or expected}")
