"""Doc comments of Swift sources: their summaries, and the rule that the house has for them."""
import re
from dataclasses import dataclass
from pathlib import Path

QUESTIONS = frozenset(
    ["what", "whatever", "who", "whoever", "whom", "whose", "whether", "where", "wherever", "how", "however", "when",
     "whenever", "which", "whichever", "why"])
LONGEST_SUMMARY = 150


@dataclass(frozen=True)
class DocComment:
    """The first paragraph of a doc comment, and the line at which it begins."""
    line: int
    summary: str

    @property
    def problem(self):
        """The rule that the summary breaks; None for none."""
        first = re.match(r"[A-Za-z']+", self.summary)
        if first and first.group().lower() in QUESTIONS:
            return f"begins with '{first.group()}', not with a verb or a noun"
        if len(self.summary) > LONGEST_SUMMARY:
            return f'has a summary of {len(self.summary)} characters, more than {LONGEST_SUMMARY}'
        return None


def doc_comments(text):
    """Yields the doc comments of a source file in their order."""
    begin, lines = 0, []
    for number, line in enumerate([*text.splitlines(), ''], 1):
        line = line.strip()
        if line.startswith('///'):
            begin = begin if lines else number
            lines.append(line[3:].strip())
        elif lines:
            yield DocComment(begin, summary(lines))
            lines = []


def summary(lines):
    """Joins the lines before the first empty one and before the first list of parameters."""
    first = []
    for line in lines:
        if not line or line.startswith('- '):
            break
        first.append(line)
    return ' '.join(first)


def problems(root):
    """Yields a line for each doc comment below a folder that breaks the rule."""
    for file in sorted(Path(root).rglob('*.swift')):
        for comment in doc_comments(file.read_text()):
            if comment.problem:
                yield f'{file}:{comment.line}: {comment.problem}: {comment.summary[:80]}'
