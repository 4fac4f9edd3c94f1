"""Uses the server's pages in Chromium: logs in, uploads, follows, compares, approves, searches, logs out; by keyboard
and on a phone. The server asks for tokens, as one that others can reach has to."""

import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path

from axe_core_python.selenium import Axe
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from lib.common.command import galley_of, make_parser
from lib.common.server import Server
from lib.verify.pages.foreign import ForeignSite
from lib.verify.pages.recordings import Recordings
from lib.verify.pages.review import Review

# What would run if a page showed it as it is.
HOSTILE = "<img src=x onerror=alert(1)>&{{name}}"
# What a browser does when somebody drops a file.
DROP = """
  const [text, name] = arguments;
  const carried = new DataTransfer();
  carried.items.add(new File([text], name, {type: "text/html"}));
  const event = new DragEvent("drop", {dataTransfer: carried, bubbles: true, cancelable: true});
  document.getElementById("drop").dispatchEvent(event);"""
VIEWS = {"light": (1280, 900, "light"), "dark": (1280, 900, "dark"), "phone": (390, 844, "light"),
         "phone-dark": (390, 844, "dark")}


def parse_options():
    parser = make_parser("verify-pages", __doc__)
    parser.add_argument("--driver", type=Path, default=Path("/usr/bin/chromedriver"), help="another chromedriver")
    parser.add_argument("--pictures", type=Path, help="a folder for screenshots")
    return parser.parse_args()


def main():
    options = parse_options()
    galley = galley_of(options)
    failed = 0
    with tempfile.TemporaryDirectory(prefix="galley-pages-") as folder:
        tokens = Path(folder) / "tokens.json"
        token = subprocess.run(
            [galley, "serve", "token", "create", "person", "--file", tokens, "--scopes",
             "read-all,render,approve,admin"],
            check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        server = Server(galley, Path(folder) / "data", 2,
                        ["--tokens", tokens, "--share-days", "7", "--allow-private-network"])
        server.start()
        browser = start(options.driver)
        try:
            pages = Pages(browser, f"http://127.0.0.1:{server.port}", Path(folder), options.pictures, token)
            review = Review(pages)
            steps = (
                pages.enter, pages.upload, pages.show, pages.update, pages.compare, pages.approve, pages.search,
                *review.steps(), *Recordings(pages).steps(), pages.keyboard, pages.hostile, pages.foreign,
                lambda: pages.fit(review.views()),
                pages.leave)
            for number, step in enumerate(steps):
                problems = []
                try:
                    problems.extend(step())
                except WebDriverException as error:
                    problems.append(f"{type(error).__name__} at {browser.current_url}: {error.msg}")
                    pages.shoot(f"broken-{number}")
                failed += bool(problems)
                print(f"{'ok' if not problems else 'not ok'}  {step.__doc__ or pages.fit.__doc__}", flush=True)
                for problem in problems:
                    print(f"    {problem}")
        finally:
            browser.quit()
            code = server.stop()
    if code:
        print(f"not ok  the server ended with {code}")
    sys.exit(1 if failed or code else 0)


def start(driver):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for word in ("--headless=new", "--no-sandbox"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(str(driver)))


class Pages:
    def __init__(self, browser, address, folder, pictures, token):
        self.browser, self.address, self.folder, self.pictures = browser, address, folder, pictures
        self.token = token
        self.runs = []

    def open(self, path):
        self.browser.get(self.address + path)

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def until(self, what, seconds=60):
        # A page that is just being replaced has none of its elements any more.
        return WebDriverWait(self.browser, seconds, ignored_exceptions=(Exception,)).until(lambda _: what())

    def errors(self):
        """What the page itself did wrong since the last look: scripts, policies, missing files."""
        for entry in self.browser.get_log("browser"):
            if entry["level"] == "SEVERE":
                yield entry["message"]

    def enter(self):
        """whoever has no token sees the log-in page, and is let in by a good one"""
        self.open("/")
        if not self.browser.current_url.endswith("/login"):
            yield f"instead of the log-in page there is {self.browser.current_url}"
        yield from self.accessible("login", "light")
        self.log_in("galley_nobodys")
        self.until(lambda: self.all("[role=alert]"))
        if "is unknown" not in self.find("[role=alert]").text:
            yield f"a wrong token is told: {self.find('[role=alert]').text}"
        self.shoot("login-refused")
        self.log_in(self.token)
        self.until(lambda: self.all("#upload"))
        if self.find(".who span").text != "person":
            yield "the page doesn't say who is logged in"
        cookies = self.browser.get_cookies()
        if len(cookies) != 1 or not cookies[0]["httpOnly"] or cookies[0]["sameSite"] != "Strict":
            yield f"the cookies are {cookies}"
        if any(self.token in cookie["value"] for cookie in cookies):
            yield "the cookie is the token"
        yield from self.errors()

    def log_in(self, token):
        self.find("input[name=token]").send_keys(token)
        self.find("form.panel button").click()

    def update(self):
        """a card that is updated while one looks tells the time as the others do"""
        script = """
          const done = arguments[0];
          fetch("/v1/renders", {method: "POST", headers: {"Content-Type": "application/json"},
            body: JSON.stringify({markup: "<p>slow", name: "slow", clock: "real",
              scenario: {steps: [{wait: {seconds: 4}}]}})})
            .then(r => r.json()).then(r => done(r.id));"""
        run = self.browser.execute_async_script(script)
        self.open("/")
        card = f".run[data-id='{run}']"
        if self.find(card).get_attribute("data-status") not in ("queued", "running"):
            yield "the run had ended before the page was there"
        self.until(lambda: self.find(card).get_attribute("data-status") == "completed")
        updated = self.find(f"{card} time").text
        self.browser.refresh()
        if updated != self.find(f"{card} time").text:
            yield f"it says {updated} and not {self.find(f'{card} time').text}"
        yield from self.errors()

    def foreign(self):
        """pages of other sites and sandboxed frames can neither log out nor render"""
        with ForeignSite(self.address) as site:
            for page in ("/form", "/sandbox"):
                for host in ("localhost", "127.0.0.1"):
                    self.browser.get(f"http://{host}:{site.port}{page}")
                    self.until(lambda: site.is_over(self.browser))
        # What was refused is in the browser's own log.
        list(self.errors())
        self.open("/")
        if not self.all(".who"):
            yield "a foreign page logged the person out"
        if any(name.text == "foreign" for name in self.all(".run .name")):
            yield "a foreign page had something rendered"

    def leave(self):
        """whoever logs out is out, whatever the browser still keeps"""
        self.open("/")
        kept = self.browser.get_cookies()[0]
        self.find(".who button").click()
        self.until(lambda: self.browser.current_url.endswith("/login"))
        self.shoot("login")
        if self.browser.get_cookies():
            yield f"there still are cookies: {self.browser.get_cookies()}"
        self.browser.add_cookie({name: kept[name] for name in ("name", "value", "path")})
        self.open("/")
        if not self.browser.current_url.endswith("/login"):
            yield "the cookie of a session that was ended is worth something"
        yield from self.errors()

    def upload(self):
        """files that are chosen and dropped are rendered, and their runs followed live"""
        for number, color in enumerate(("red", "blue")):
            page = self.folder / f"banner-{number}.html"
            page.write_text(f"<!doctype html><h1 style='color: {color}'>banner</h1>")
            self.open("/")
            if number == 1:
                self.find("input[name=checks]").click()
                self.browser.execute_script(DROP, page.read_text(), page.name)
            else:
                self.find("input[type=file]").send_keys(str(page))
                self.find("#upload button").click()
            self.until(lambda: "/renders/" in self.browser.current_url)
            self.runs.append(self.browser.current_url.rsplit("/", 1)[1])
            self.until(lambda: self.find("#run").get_attribute("data-status") == "completed")
        yield from self.errors()

    def show(self):
        """a run shows its pictures and the report of its checks"""
        self.open(f"/renders/{self.runs[0]}")
        if self.find("#status").text != "passed":
            yield f"the run is called {self.find('#status').text}"
        self.until(lambda: self.all("#report details.creative"))
        if len(self.all("#report details.creative")) != 1:
            yield "the page doesn't show what was found"
        if not all(self.until(lambda: self.loaded("#report .filmstrip img.screen"))):
            yield "a picture didn't load"
        yield from self.large("#report .shot")
        yield from self.brush()
        yield from self.errors()

    def large(self, selector):
        """a picture is seen large, closer, and closed again by its key"""
        self.find(selector).click()
        self.until(lambda: self.find("dialog.viewer[open] .stage img").size["width"] > 0)
        before = self.find("dialog.viewer[open] .stage img").size["width"]
        ActionChains(self.browser).send_keys("z").perform()
        if self.find("dialog.viewer[open] .stage img").size["width"] <= before:
            yield "a picture can't be looked at closely"
        ActionChains(self.browser).send_keys(Keys.ESCAPE).perform()
        if self.all("dialog.viewer[open]"):
            yield "the picture doesn't go away"

    def brush(self):
        """what is brushed on the axis selects the events, and all of them come back"""
        def rows():
            return self.browser.execute_script(
                "return [...document.querySelectorAll('.events tbody tr')].filter((row) => !row.hidden).length")

        before = rows()
        over = self.find(".axis .over")
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", over)
        wide = over.size["width"]
        chain = ActionChains(self.browser).move_to_element_with_offset(over, int(wide * 0.3), 0)
        chain.click_and_hold().move_by_offset(int(wide * 0.15), 0).release().perform()
        if not 0 <= rows() < before or not self.find(".axis .brush").is_displayed():
            yield "nothing can be brushed"
        self.find(".span-form button:last-of-type").click()
        if rows() != before:
            yield "the events don't come back"

    def loaded(self, selector):
        script = "return [...document.querySelectorAll(arguments[0])].map(i => i.complete && i.naturalWidth > 0)"
        loaded = self.browser.execute_script(script, selector)
        return loaded if loaded and all(loaded) else None

    def compare(self):
        """two runs are compared, and what differs is drawn"""
        self.open("/compare")
        Select(self.find("select[name=first]")).select_by_value(self.runs[0])
        Select(self.find("select[name=second]")).select_by_value(self.runs[1])
        self.find("form.search button").click()
        if "different" not in self.until(lambda: self.find("#verdict")).text:
            yield "they aren't told to be different"
        if not self.until(lambda: self.loaded(".views img")):
            yield "a picture didn't load"
        if not self.all("img[alt^='where ']"):
            yield "no difference is drawn"
        for number, (word, classes) in enumerate(
            (("Slider", "slider"), ("Blink", "blink"), ("Highlight", "only-highlight"))):
            self.find(f".modes button:nth-of-type({number + 2})").click()
            if classes not in self.find(".views").get_attribute("class"):
                yield f"{word} doesn't show"
        ActionChains(self.browser).send_keys("1").perform()
        if self.find(".views").get_attribute("class").strip() != "views":
            yield "no key leads back to side by side"
        yield from self.errors()

    def approve(self):
        """a run is approved, compared with its baseline, and the baseline removed"""
        self.open(f"/renders/{self.runs[0]}")
        self.find("[data-action=approve]").click()
        # The page reloads, and links to the baseline that there is now.
        self.until(lambda: self.find("a[href*='baseline=']").click() or True)
        if "same" not in self.until(lambda: self.find("#verdict")).text:
            yield "a run differs from the baseline that it is"
        self.open("/baselines")
        if len(self.all("[data-baseline]")) != 1 or not self.until(lambda: self.loaded(".pictures img")):
            yield "the baseline isn't shown"
        self.shoot("baselines")
        self.find("[data-action=remove-baseline]").click()
        self.until(lambda: not self.all("[data-baseline]") and "removed" in self.find("main h2").text)
        yield from self.errors()

    def search(self):
        """runs are found by their name"""
        self.open("/")
        self.find("input[name=q]").send_keys("banner-1", Keys.ENTER)
        self.until(lambda: "q=banner-1" in self.browser.current_url)
        names = [name.text for name in self.all(".run .name")]
        if names != ["banner-1.html"]:
            yield f"found {names}"
        yield from self.errors()

    def keyboard(self):
        """the first key leads past the navigation, and every control can be reached"""
        self.open("/")
        # Keys sent to a field for files would be taken for one.
        self.tab()
        if self.browser.switch_to.active_element.get_attribute("class") != "skip":
            yield "the first stop isn't the way past the navigation"
        reached = set()
        for _ in range(60):
            element = self.browser.switch_to.active_element
            reached.add(element.get_attribute("name") or element.get_attribute("href") or element.text)
            self.tab()
        for wanted in ("creative", "pasted", "name", "checks", "explore", "Render", "q"):
            if wanted not in reached:
                yield f"{wanted} can't be reached"

    def tab(self):
        ActionChains(self.browser).send_keys(Keys.TAB).perform()

    def hostile(self):
        """names and markup are shown and never run"""
        script = """
          const [markup, done] = arguments;
          fetch("/v1/renders", {method: "POST", headers: {"Content-Type": "application/json", Prefer: "wait=60"},
            body: JSON.stringify({markup, name: markup, checks: true})}).then(r => r.json()).then(r => done(r.id));"""
        self.browser.set_script_timeout(90)
        run = self.browser.execute_async_script(script, HOSTILE)
        for path in ("/", f"/renders/{run}", f"/compare?first={run}&second={run}",
                     f"/?q={HOSTILE.replace('&', '%26')}"):
            self.open(path)
            if self.all("main img[onerror]"):
                yield f"{path} has the creative's markup in it"
            with contextlib.suppress(Exception):
                self.browser.switch_to.alert.accept()
                yield f"{path} ran it"

    def fit(self, further):
        """pages fit light and dark screens and phones, and axe finds nothing on any"""
        for name, (width, height, scheme) in VIEWS.items():
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
            self.browser.execute_cdp_cmd(
                "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            for page, path in (("runs", "/"), ("run", f"/renders/{self.runs[0]}"),
                               ("compare", f"/compare?first={self.runs[0]}&second={self.runs[1]}"), *further):
                self.open(path)
                wide = self.browser.execute_script("return document.documentElement.scrollWidth")
                if wide > width:
                    yield f"{page} is {wide} wide on a screen of {width}"
                yield from self.accessible(page, name)
                self.shoot(f"{page}-{name}")

    def accessible(self, page, view):
        """What axe finds, once a page has all that it loads."""
        self.until(lambda: not self.all("[aria-busy=true]"))
        for found in Axe().run(self.browser)["violations"]:
            places = ", ".join(node["target"][0] for node in found["nodes"][:3])
            yield f"axe on {page}, {view}: {found['id']}: {places}"

    def shoot(self, name):
        if self.pictures:
            self.pictures.mkdir(parents=True, exist_ok=True)
            self.browser.save_screenshot(str(self.pictures / f"{name}.png"))


main()
