"""A person's way through what changes: paste a tag, approve it, change it, review, reject, undo, share, remove."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

# An ad that expands and closes: the two pictures of its default state are equal, and so are those of its expanded one.
EXPANDING = """<script src="mraid.js"></script>
<style>body {{ margin: 0; font: 20px sans-serif }} #ad {{ height: 100vh; background: {color}; color: white }}</style>
<div id="ad"><b id="open">Offer {number}</b></div>
<script>document.getElementById("open").addEventListener("click", () => mraid.expand());</script>"""
SCENARIO = """placement: banner
size: 320x50
steps:
  - tap: "#open"
  - wait: {state: expanded}
  - screenshot: again
  - close
  - wait: {state: default}
"""
SEND = """
  const [method, path, body, done] = arguments;
  fetch(path, {method, headers: {"Content-Type": "application/json", Prefer: "wait=60"},
      body: body && JSON.stringify(body)})
    .then(async r => done({...await r.json().catch(() => ({})), status: r.status}));"""


class Review:
    """Each step says what is wrong; `pages` has the browser and the way in."""

    def __init__(self, pages):
        self.pages = pages
        self.browser = pages.browser

    def steps(self):
        # Twice, as a second day is another than the first.
        first = [self.paste, self.first, self.change, self.late, self.variant, self.reject, self.history, self.again,
                 self.share, self.remove, self.group]
        return first + [self.change, self.reject]

    def send(self, method, path, body=None):
        self.browser.set_script_timeout(90)
        return self.browser.execute_async_script(SEND, method, path, body)

    def render(self, color, number, branch="main"):
        """What a build sends."""
        return self.send("POST", "/v1/renders", {
            "markup": EXPANDING.format(color=color, number=number), "name": "offer", "scenario": SCENARIO,
            "labels": {"project": "shop", "branch": branch, "commit": "4f1c2d9"}})

    def key(self, key):
        ActionChains(self.browser).send_keys(key).perform()

    def text(self, selector):
        return self.pages.find(selector).text

    def paste(self):
        """a tag is pasted, and rendered on two devices"""
        self.pages.open("/")
        self.pages.find("textarea[name=pasted]").send_keys("<b>pasted & shown</b>")
        self.pages.find("input[name=name]").send_keys("pasted")
        self.pages.find(".choices summary").click()
        self.pages.find("input[name=device][value=pixel-8]").click()
        if "pixel-8" not in self.text("#devices-chosen"):
            yield "it isn't told which devices are chosen"
        self.pages.find("#upload button.primary").click()
        self.pages.until(lambda: len([n for n in self.pages.all(".run .name") if n.text == "pasted"]) == 2)
        told = " ".join(facts.text for facts in self.pages.all(".run .facts"))
        if "pixel-8" not in told or "iphone-15" not in told:
            yield f"the runs are of {told}"
        self.pages.until(lambda: not self.pages.all(".run[data-status=queued], .run[data-status=running]"))
        yield from self.pages.errors()

    def first(self):
        """what a build sends for the first time waits, and is approved as the baseline"""
        run = self.render("#0066cc", 1)
        if run["review"]["comparison"] != "new" or run["review"]["state"] != "open":
            yield f"it is {run['review']}"
        self.pages.open("/review")
        if self.text("#waiting") != "1":
            yield f"{self.text('#waiting')} wait"
        self.key("n")
        self.pages.until(lambda: self.pages.all("#review"))
        if len(self.pages.all(".picture")) < 4:
            yield f"there are {len(self.pages.all('.picture'))} pictures"
        self.pages.find("#decision button[value=approve]").click()
        self.pages.until(lambda: "done=" in self.browser.current_url)
        if "offer is approved" not in self.text(".done"):
            yield f"it says {self.text('.done')}"
        if self.pages.all("#waiting"):
            yield "something still waits"
        yield from self.pages.errors()

    def change(self):
        """a change is seen on its card, compared in each way, approved by a key, and that is taken back"""
        self.number = getattr(self, "number", 1) + 1
        color = f"#{self.number * 0x25:02x}8000"
        run = self.render(color, self.number)
        if run["review"]["comparison"] != "changed":
            yield f"it is {run['review']}"
        self.pages.open("/")
        card = f".run[data-id='{run['id']}']"
        if "changed, to review" not in self.text(f"{card} .badges"):
            yield f"its card says {self.text(f'{card} .badges')}"
        if not self.pages.until(lambda: self.pages.loaded(f"{card} .difference")):
            yield "its card doesn't show what differs"
        self.pages.shoot("changed-card")
        self.pages.find(f"{card} .thumb").click()
        self.pages.until(lambda: self.pages.all("#review") and self.pages.loaded(".views img"))
        pictures = [h.text.split()[0] for h in self.pages.all(".picture h2")]
        if len(pictures) < 4 or len(set(pictures)) != len(pictures):
            yield f"what differs are {pictures}"
        for key, classes in (("2", "slider"), ("3", "blink"), ("4", "only-highlight"), ("1", "views")):
            self.key(key)
            if classes not in self.pages.find(".views").get_attribute("class"):
                yield f"{key} doesn't lead to {classes}"
        self.key("2")
        yield from self.slide()
        self.pages.shoot(f"review-{self.number}")
        comment = self.pages.find("textarea[name=comment]")
        comment.send_keys("as the customer wants it")
        self.browser.execute_script("document.activeElement.blur()")
        self.key("a")
        self.pages.until(lambda: "offer is approved" in self.text(".done"))
        self.pages.find(".done button").click()
        self.pages.until(lambda: self.pages.all("#review") and self.text("#state") == "to review")
        self.run = run["id"]
        yield from self.pages.errors()

    def slide(self):
        """the slider follows the pointer on the picture itself"""
        views = self.pages.find(".views")
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", views)

        def where():
            return self.browser.execute_script("return arguments[0].style.getPropertyValue('--split')", views)

        ActionChains(self.browser).move_to_element(views).click_and_hold().move_by_offset(
            int(views.size["width"] * 0.3), 0).release().perform()
        if not where() or not 70 < float(where().rstrip("%")) < 90:
            yield f"the slider is at {where()}"

    def late(self):
        """of two reviewers the second is told that somebody was first"""
        self.pages.open(f"/review/{self.run}")
        decided = self.send("POST", f"/v1/renders/{self.run}/review", {"decision": "reject", "comment": "too late"})
        if decided["status"] != 200:
            yield f"the first got {decided}"
        self.key("a")
        self.pages.until(lambda: "decided meanwhile" in self.text("#says"))
        # What was refused is in the browser's own log.
        list(self.pages.errors())
        self.pages.find("#says a").click()
        self.pages.until(lambda: self.text("#state") == "rejected")
        self.key("u")
        self.pages.until(lambda: self.text("#state") == "to review")
        yield from self.pages.errors()

    def variant(self):
        """a second look of the ad is accepted beside the first, and then both are unchanged"""
        self.pages.open(f"/review/{self.run}")
        # The log of both is the same; the pictures are all that differs.
        if self.pages.all("input[name=part][value=events]"):
            yield "their events differ"
        self.key("v")
        self.pages.until(lambda: "offer is approved" in self.text(".done"))
        for color, number in (("#0066cc", 1), (f"#{self.number * 0x25:02x}8000", self.number)):
            run = self.render(color, number)
            if run["review"]["comparison"] != "unchanged":
                yield f"{color} is {run['review']['comparison']}"
        self.pages.open("/baselines")
        if "also accepted" not in self.text(".pictures"):
            yield "the baseline doesn't show its variants"
        self.pages.shoot("baseline-variants")
        yield from self.pages.errors()

    def reject(self):
        """a change is rejected with a comment that its page tells"""
        run = self.render("#550000", 99)
        self.pages.open(f"/review/{run['id']}")
        self.pages.find("textarea[name=comment]").send_keys("<i>too dark</i>")
        self.pages.find("#decision button[value=reject]").click()
        self.pages.until(lambda: "offer is rejected" in self.text(".done"))
        self.pages.open(f"/renders/{run['id']}")
        if "rejected by person: “<i>too dark</i>”" not in self.text("#decided"):
            yield f"its page says {self.text('#decided')}"
        self.run = run["id"]
        yield from self.pages.errors()

    def history(self):
        """the baseline's page tells who did what and when, with old pictures; its removal is taken back"""
        self.pages.open("/baselines")
        section = self.pages.find("[data-baseline*=offer]")
        # By the keyboard: pictures that arrive move what a mouse was about to press.
        section.find_element(By.CSS_SELECTOR, "summary").send_keys(Keys.ENTER)
        told = section.find_element(By.CSS_SELECTOR, ".history").text
        for words in ("approved by person", "accepted as variant by person", "undone by person", "rejected by person",
                      "as the customer wants it"):
            if words not in told:
                yield f"the history lacks '{words}'"
        if not self.pages.until(lambda: self.pages.loaded("[data-baseline*=offer] .history img")):
            yield "old pictures aren't shown"
        self.pages.shoot("history")
        section.find_element(By.CSS_SELECTOR, "[data-action=remove-baseline]").send_keys(Keys.ENTER)
        self.pages.until(lambda: not self.pages.all("[data-baseline*=offer]"))
        self.pages.find("[data-action=undo-decision][data-url*=offer]").click()
        self.pages.until(lambda: self.pages.all("[data-baseline*=offer]"))
        yield from self.pages.errors()

    def again(self):
        """a run is rendered again with other settings, which the form has as they were"""
        self.pages.open(f"/renders/{self.run}")
        self.pages.find("a[href^='/?again=']").click()
        self.pages.until(lambda: self.pages.all("#again"))
        if "tap" not in self.pages.find("textarea[name=scenario]").get_attribute("value"):
            yield "the scenario isn't there any more"
        if "branch=main" not in self.pages.find("input[name=labels]").get_attribute("value"):
            yield "the labels aren't there any more"
        self.pages.shoot("again")
        labels = self.pages.find("input[name=labels]")
        labels.clear()
        labels.send_keys("project=shop, branch=again")
        self.pages.find("#upload button.primary").click()
        self.pages.until(lambda: "/renders/" in self.browser.current_url)
        self.pages.until(lambda: self.pages.find("#run").get_attribute("data-status") == "completed")
        if "branch: again" not in self.text("#run .facts"):
            yield f"its page says {self.text('#run .facts')}"
        yield from self.pages.errors()

    def share(self):
        """whoever has a link to one run sees it without a token, and nothing else"""
        self.pages.open(f"/renders/{self.run}")
        self.pages.find("[data-action=share]").click()
        self.pages.until(lambda: self.pages.all("#says input"))
        link = self.pages.find("#says input").get_attribute("value")
        kept = self.browser.get_cookies()
        self.browser.delete_all_cookies()
        self.browser.get(link)
        if not self.pages.until(lambda: self.pages.loaded(".pictures img")):
            yield "a picture didn't load"
        if self.pages.all("nav a, form"):
            yield "there is more on it than the run"
        self.pages.shoot("shared")
        yield from self.pages.accessible("shared", "light")
        yield from self.pages.errors()
        self.pages.open(f"/renders/{self.run}")
        if not self.browser.current_url.endswith("/login"):
            yield "the link opens other pages as well"
        for cookie in kept:
            self.browser.add_cookie({name: cookie[name] for name in ("name", "value", "path")})

    def remove(self):
        """a run that was removed comes back by one click"""
        self.pages.open(f"/renders/{self.run}")
        self.pages.find("[data-action=remove]").click()
        self.pages.until(lambda: "offer was removed" in self.text(".done"))
        if self.pages.all(f".run[data-id='{self.run}']"):
            yield "it is still listed"
        self.pages.find("[data-action=restore]").click()
        self.pages.until(lambda: self.pages.all(f".run[data-id='{self.run}']"))
        yield from self.pages.errors()

    def group(self):
        """runs are grouped by their branch and filtered by a label"""
        self.pages.open("/?group=branch")
        titles = [title.text.split()[0] for title in self.pages.all("h2.group")]
        if not {"main", "again", "without"} <= set(titles):
            yield f"the groups are {titles}"
        self.pages.shoot("groups")
        self.pages.find(".run .facts a[href*='branch%3Dagain']").send_keys(Keys.ENTER)
        self.pages.until(lambda: self.pages.all("a.filter"))
        if len(self.pages.all(".run")) != 1:
            yield f"{len(self.pages.all('.run'))} runs have the label"
        yield from self.pages.errors()

    def views(self):
        """Pages to look at on every screen."""
        return [("review", f"/review/{self.run}"), ("queue", "/review"), ("baselines", "/baselines"),
                ("interface", "/docs")]
