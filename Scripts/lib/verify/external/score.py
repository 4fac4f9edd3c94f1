"""What became of each case of a suite."""

import collections
import dataclasses


@dataclasses.dataclass
class Case:
    name: str
    # right, wrong or skipped
    outcome: str
    # What was found instead, or why it was skipped.
    remark: str = ""


class Score:
    def __init__(self, suite):
        self.suite = suite
        self.cases = []

    def judge(self, name, is_right, remark=""):
        """Notes a case; `remark` says what was found where it is wrong."""
        self.cases.append(Case(str(name), "right" if is_right else "wrong", "" if is_right else str(remark)))

    def skip(self, name, reason):
        """Notes a case that can't be judged; cases of one reason are counted together."""
        self.cases.append(Case(str(name), "skipped", reason))

    def of(self, outcome):
        return [case for case in self.cases if case.outcome == outcome]

    @property
    def line(self):
        judged = len(self.cases) - len(self.of("skipped"))
        share = f"{100 * len(self.of('right')) / judged:.1f} %" if judged else "none judged"
        reasons = collections.Counter(case.remark for case in self.of("skipped"))
        skipped = "".join(f"; {count} skipped: {reason}" for reason, count in sorted(reasons.items()))
        return f"{len(self.of('right'))} of {judged} right ({share}){skipped}"

    def figures(self, version, date):
        reasons = collections.Counter(case.remark for case in self.of("skipped"))
        return {
            "version": version, "date": date, "cases": len(self.cases), "right": len(self.of("right")),
            "wrong": sorted(case.name for case in self.of("wrong")), "skipped": dict(sorted(reasons.items())),
        }
