"""Measures when pages first paint in Chromium: a report of many creatives, and a server's list over many renders.

The report is what `galley check` writes of copies of the samples; the list is over renders of which a few were made and
the rest copied in the server's database. Each page is opened anew, in a browser that has nothing of it.
"""

import shutil
import sqlite3
import statistics
import subprocess
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from lib.common.command import galley_of, make_parser
from lib.common.server import Server

PAINT = """() => new Promise((done) => {
  const found = () => performance.getEntriesByName("first-contentful-paint")[0];
  if (found()) return done(found().startTime);
  new PerformanceObserver(() => found() && done(found().startTime)).observe({type: "paint", buffered: true});
})"""


def parse_options():
    parser = make_parser("benchmark pages", __doc__.splitlines()[0])
    parser.add_argument("--creatives", type=int, default=200, help="creatives of the report (default: 200)")
    parser.add_argument("--renders", type=int, default=10_000, help="renders of the list (default: 10000)")
    parser.add_argument("--rounds", type=int, default=7, help="how often each is opened (default: 7)")
    parser.add_argument("--chromium", default="/usr/bin/chromium", help="the browser (default: /usr/bin/chromium)")
    return parser.parse_args()


def main():
    options = parse_options()
    galley = galley_of(options)
    with tempfile.TemporaryDirectory(prefix="galley-pages-") as scratch, sync_playwright() as playwright:
        folder = Path(scratch)
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        report = make_report(options, galley, folder)
        show(f"a report of {options.creatives} creatives", opened(browser, report.as_uri(), options.rounds), 1_000)
        server = Server(galley, folder / "data", 2, [])
        server.start()
        try:
            made = make_renders(server, options)
        finally:
            server.stop()
        copy_renders(folder / "data", made, options.renders)
        server.start()
        try:
            address = f"http://127.0.0.1:{server.port}"
            for path in ["/", "/?q=banner", "/?group=label"]:
                times = opened(browser, address + path, options.rounds)
                show(f"{path} over {options.renders} renders", times, 500)
        finally:
            server.stop()
            browser.close()


def samples(root):
    return sorted(page.parent for page in (root / "Creatives" / "banner").glob("*/index.html"))


def make_report(options, galley, folder):
    folders = samples(options.root)
    creatives = folder / "creatives"
    for number in range(options.creatives):
        shutil.copytree(folders[number % len(folders)], creatives / f"ad-{number:03}")
    out = folder / "report.html"
    subprocess.run(
        [galley, "check", *sorted(creatives.iterdir()), "--out", folder / "out", "--html", out, "--quiet"],
        capture_output=True)
    return out


def make_renders(server, options):
    """A render of each sample, by its id."""
    ids = []
    for folder in samples(options.root):
        status, _, document = server.ask(
            "POST", "/v1/renders", {"markup": (folder / "index.html").read_text(), "name": f"banner {folder.name}"},
            {"Prefer": "wait=60"})
        if status >= 300 or document["status"] != "completed":
            raise SystemExit(f"benchmark: a render ended {status}, {document}")
        ids.append(document["id"])
    return ids


def copy_renders(data, made, count):
    """Rows like those that were made, newest last; the newest have their files too."""
    with sqlite3.connect(data / "galley.sqlite") as base:
        base.row_factory = sqlite3.Row
        rows = [dict(base.execute("SELECT * FROM render WHERE id = ?", [one]).fetchone()) for one in made]
        newest = max(made)
        for number in range(count - len(made)):
            row = dict(rows[number % len(rows)])
            original = row["id"]
            del row["number"]
            row["id"] = newest[:16] + f"{number:010d}"
            names = ", ".join(f'"{name}"' for name in row)
            base.execute(f"INSERT INTO render ({names}) VALUES ({', '.join('?' * len(row))})", list(row.values()))
            if number >= count - len(made) - 100:
                shutil.copytree(data / "renders" / original, data / "renders" / row["id"])


def opened(browser, address, rounds):
    times = []
    for _ in range(rounds):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.goto(address)
        times.append(page.evaluate(PAINT))
        context.close()
    return times


def show(what, times, aim):
    middle = statistics.median(times)
    print(f"{what}: {middle:.0f} ms ({min(times):.0f}–{max(times):.0f}), aim {aim}: "
          f"{'met' if middle < aim else 'missed'}", flush=True)


main()
