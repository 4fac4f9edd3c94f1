"""Playwright's own commands that read a trace."""

import subprocess
import sys


class Commands:
    def __init__(self, folder, trace, is_bad):
        self.folder, self.trace, self.is_bad = folder, trace, is_bad

    def run(self, *words):
        done = subprocess.run([sys.executable, "-m", "playwright", "trace", *words], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.stdout if done.returncode == 0 else f"exit code {done.returncode}: {done.stdout}"

    def verdicts(self):
        yield "playwright trace open", self.missing(
            self.run("open", str(self.trace)), "webkit", "linux", "Viewport:", "Actions:")
        actions = self.run("actions")
        steps = ['tap: "#open"', 'tap: "#nothere"'] if self.is_bad else ['tap: "#open"', 'tap: "#shut"',
                                                                         "mraid.close()"]
        yield "trace actions", self.missing(actions, "Load ", *steps, "mraid.expand()", "End: ")
        number = self.number(actions, steps[-1] if self.is_bad else steps[1])
        told = self.run("action", number)
        wanted = ["nothing in the ad matches #nothere",
                  "Existing ids"] if self.is_bad else ["Snapshots", "before"]
        yield "trace action", self.missing(told, *wanted, "scenario.yaml")
        yield "trace requests", self.missing(self.run("requests"), "index.html", "gone.png")
        console = ["a word of warning", "opened"] + ([] if self.is_bad else ["on purpose"])
        yield "trace console", self.missing(self.run("console"), *console)
        yield "trace errors", self.missing(self.run("errors"), *(["#nothere"] if self.is_bad else ["No errors"]))
        attachments = self.run("attachments")
        yield "trace attachments", self.missing(
            attachments, "result.json", "events.ndjson", "image/png")
        yield "trace attachment", self.extracted(self.number(attachments, "result.json"))

    @staticmethod
    def missing(text, *wanted):
        return [f"{word!r} isn't in: {text.strip()[:600]}" for word in wanted if word not in text]

    @staticmethod
    def number(listing, word):
        line = next((line for line in listing.splitlines() if word in line), "0.")
        return line.split()[0].rstrip(".")

    def extracted(self, number):
        self.run("attachment", number, "--output", "extracted.json")
        file = self.folder / "extracted.json"
        return [] if file.exists() and '"schema"' in file.read_text() else ["the attachment isn't what was kept"]
