"""What a team would write with Playwright: the same JSON as `POST /v1/screenshot` takes, and a PNG in the answer.

A browser that is kept, a fresh context for each request, so many of them at a time; the rest wait for their turn.
Prints its address as `galley serve --json` does. Nothing is kept, judged or logged.
"""

import argparse
import asyncio
import json
import signal

from aiohttp import web
from playwright.async_api import async_playwright


def parse_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--chromium", required=True)
    parser.add_argument("--jobs", type=int, required=True)
    parser.add_argument("--screen", required=True, help="390x844@3")
    return parser.parse_args()


async def picture(browser, markup, screen, scale):
    width, height = map(int, screen.split("x"))
    context = await browser.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=float(scale), has_touch=True)
    try:
        page = await context.new_page()
        await page.set_content(markup, wait_until="load")
        return await page.screenshot()
    finally:
        await context.close()


async def main(options):
    turns = asyncio.Semaphore(options.jobs)
    screen, scale = options.screen.split("@")
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=options.chromium, headless=True)

        async def answer(request):
            body = await request.json()
            async with turns:
                content = await picture(browser, body["markup"], screen, scale)
            return web.Response(body=content, content_type="image/png")

        application = web.Application(client_max_size=50_000_000)
        application.router.add_post("/v1/screenshot", answer)
        runner = web.AppRunner(application)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0, backlog=4096)
        await site.start()
        print(json.dumps({"address": f"http://127.0.0.1:{runner.addresses[0][1]}"}), flush=True)
        await stop.wait()
        await runner.cleanup()
        await browser.close()


asyncio.run(main(parse_options()))
