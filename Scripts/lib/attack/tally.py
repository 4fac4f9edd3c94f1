"""What a family tried, what held, and a line for each that didn't."""


class Tally:
    def __init__(self):
        self.tried = self.held = 0
        self.failures, self.notes = [], []

    def check(self, holds, what):
        """Counts one attack; what it was is told when it didn't hold."""
        self.tried += 1
        if holds:
            self.held += 1
        else:
            self.failures.append(str(what).replace("\n", " ")[:300])

    def note(self, text):
        self.notes.append(text)
