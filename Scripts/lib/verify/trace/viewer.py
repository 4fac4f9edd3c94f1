"""Playwright's trace viewer, as its package ships it, shown in Chromium and used."""

import functools
import http.server
import shutil
import tempfile
import threading
from pathlib import Path

import playwright
from playwright.sync_api import sync_playwright

PAGES = Path(playwright.__file__).parent / "driver/package/lib/vite/traceViewer"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


class Viewer:
    def __init__(self, trace, is_bad, chromium, pictures):
        self.trace, self.is_bad, self.chromium, self.pictures = trace, is_bad, chromium, pictures

    def verdicts(self):
        with tempfile.TemporaryDirectory(prefix="galley-viewer-") as site:
            shutil.copytree(PAGES, site, dirs_exist_ok=True)
            shutil.copy(self.trace, Path(site) / "trace.zip")
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
            threading.Thread(target=server.serve_forever, daemon=True).start()
            try:
                yield from self.use(f"http://127.0.0.1:{server.server_port}")
            finally:
                server.shutdown()

    def use(self, address):
        with sync_playwright() as program:
            browser = program.chromium.launch(executable_path=self.chromium, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            problems = []
            page.on("pageerror", lambda error: problems.append(str(error)))
            page.goto(f"{address}/index.html?trace={address}/trace.zip")
            yield "the viewer lists the actions", self.actions(page)
            yield "it shows the picture of a step, and where it was tapped", self.snapshot(page)
            yield "it tells the console", self.tab(page, "Console", "a word of warning")
            yield "it tells the requests", self.tab(page, "Network", "gone.png")
            yield "it tells the scenario's line", self.tab(page, "Source", 'tap: "#open"')
            yield "it tells what was logged", self.tab(page, "Log", "input tap")
            if self.is_bad:
                yield "it tells why the step failed", self.tab(page, "Errors", "nothing in the ad matches #nothere")
            else:
                yield "it has the pictures to take away", self.tab(page, "Attachments", ".png")
            yield "no script of it failed", problems
            browser.close()

    def keep(self, page, name):
        if self.pictures:
            self.pictures.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=self.pictures / f"{name}.png")

    def actions(self, page):
        try:
            page.get_by_text('tap: "#open"').first.wait_for(timeout=20_000)
        except Exception as error:
            self.keep(page, "actions")
            return [str(error)]
        listed = page.locator(".list-view-entry, [role=treeitem]").all_inner_texts()
        self.keep(page, "actions")
        return [] if any("Load " in text for text in listed) else [f"no load among {listed}"]

    def snapshot(self, page):
        page.get_by_text('tap: "#open"').first.click()
        image = page.frame_locator("iframe.snapshot-visible").locator("img").first
        try:
            image.wait_for(timeout=20_000)
            seen = image.evaluate("async (image) => { await image.decode(); return [image.naturalWidth, image.width] }")
            pointed = page.frame_locator("iframe.snapshot-visible").locator("x-pw-pointer").count()
        except Exception as error:
            self.keep(page, "snapshot")
            return [str(error)]
        self.keep(page, "snapshot")
        problems = [] if seen[0] > 300 and seen[1] > 300 else [f"it is {seen[0]} pixels wide, shown {seen[1]} wide"]
        return problems + ([] if pointed else ["it doesn't show where"])

    def tab(self, page, name, wanted):
        try:
            page.get_by_role("tab", name=name).click(timeout=5_000)
            page.get_by_role("tabpanel", name=name).get_by_text(wanted).first.wait_for(timeout=5_000)
            return []
        except Exception as error:
            return [str(error).splitlines()[0]]
        finally:
            self.keep(page, name.lower())
