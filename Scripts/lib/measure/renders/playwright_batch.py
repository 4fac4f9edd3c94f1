"""Takes a picture of each page with Playwright, a fresh context each; prints what it took as one JSON object.

The time runs from the browser's launch to its close: Python's own start and Playwright's import are not counted.
`driver` is the processor time that Python and Playwright's node took themselves.
"""

import asyncio
import json
import os
import sys
import time
from pathlib import Path

from playwright.async_api import async_playwright

from lib.measure.renders.processes import descendants, is_driver


async def picture(browser, url, path, settings):
    context = await browser.new_context(
        viewport={"width": settings["width"], "height": settings["height"]},
        device_scale_factor=settings["scale"],
    )
    try:
        page = await context.new_page()
        await page.goto(url, wait_until="load")
        if not settings["instants"]:
            return await page.screenshot(path=path)
        begun = time.perf_counter()
        for instant in settings["instants"]:
            await asyncio.sleep(max(0, begun + instant - time.perf_counter()))
            await page.screenshot(path=path.with_stem(f"{path.stem}-{instant}"))
    finally:
        await context.close()


async def work(browser, queue, settings, problems):
    """Takes pages off the queue until there are none."""
    while queue:
        number, url = queue.pop(0)
        try:
            await picture(browser, url, Path(settings["out"], f"{number:03}.png"), settings)
        except Exception as error:
            problems.append(f"{url}: {str(error).splitlines()[0]}")


async def main(settings):
    problems: list[str] = []
    queue = list(enumerate(settings["urls"]))
    async with async_playwright() as playwright:
        begun = time.perf_counter()
        browser = await playwright.chromium.launch(executable_path=settings["chromium"], headless=True)
        await asyncio.gather(*(work(browser, queue, settings, problems) for _ in range(settings["jobs"])))
        await browser.close()
        seconds = time.perf_counter() - begun
        nodes = sum(processor_seconds(pid) for pid in descendants(os.getpid()) if is_driver(pid))
    print(json.dumps({"seconds": seconds, "problems": problems, "driver": time.process_time() + nodes}))


def processor_seconds(pid):
    """Of one process alone, without those that it started."""
    with open(f"/proc/{pid}/stat") as stat:
        # The command before them is in brackets and may hold anything.
        user, system = stat.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


asyncio.run(main(json.load(sys.stdin)))
