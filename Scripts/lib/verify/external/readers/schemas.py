"""The IAB's schemas of VAST: documents made of them, which xmllint judges and Galley reads."""

import re
import subprocess

from lib.verify.external import program
from lib.verify.external.xsd import told
from lib.verify.external.xsd.documents import Maker
from lib.verify.external.xsd.schema import Schema

FILES = {
    "2.0.1": "vast_2.0.1.xsd", "3.0": "vast3_draft.xsd", "4.0": "vast4.xsd", "4.1": "vast_4.1.xsd",
    "4.2": "vast_4.2.xsd",
    "4.3": "schemas/vast_4.3.xsd",
}
# Arguments of one call.
MOST = 400


def run(score, sources, galley, work):
    folder = sources["vast"].files(*FILES.values())
    for version, name in FILES.items():
        text = (folder / name).read_text()
        if not text.strip():
            score.skip(f"{version} {name}", "the schema's file is empty")
            continue
        judge(score, Maker(Schema(text), version).documents(), folder / name, galley, work / version)


def judge(score, documents, schema, galley, work):
    work.mkdir(parents=True, exist_ok=True)
    paths = {document.name: work / f"{number:04}.xml" for number, document in enumerate(documents)}
    for document in documents:
        paths[document.name].write_text(document.text)
    valid = validated(schema, paths.values())
    entries = program.inspect(galley, paths.values())
    for document in documents:
        path = paths[document.name]
        if (path in valid) != document.is_valid:
            score.judge(document.name, False,
                        f"the schema has it {'in' * document.is_valid}valid, and it isn't meant so")
            continue
        entry = entries[str(path)]
        without = entries[str(paths[document.without])] if document.without in paths else None
        found = misread(document, entry, without) if document.is_valid else unsaid(document, entry)
        score.judge(document.name, not found, found)


def validated(schema, paths):
    """Those that xmllint calls valid."""
    paths, found = list(paths), set()
    for first in range(0, len(paths), MOST):
        words = ["xmllint", "--noout", "--nonet", "--schema", str(schema), *map(str, paths[first:first + MOST])]
        said = subprocess.run(words, capture_output=True, text=True).stderr
        names = set(re.findall(r"^(.*) validates$", said, re.M))
        found |= {path for path in paths[first:first + MOST] if str(path) in names}
    return found


def misread(document, entry, without):
    """What is wrong with how a valid document is read; nothing where all is well."""
    if "message" in entry:
        return f"refused: {entry['message']}"
    if said := remarks(entry):
        return f"a remark on a valid document: {said[0]}"
    if holder := told.HOLDERS.get("/".join(document.path.split("/")[-2:])):
        return unheld(*holder, document.count, entry)
    member = told.place(document.path)
    if member is None:
        # Nothing is made of it: all else is read as it is without it.
        is_other = without is not None and not document.holds and bare(entry) != bare(without)
        return "what else is in it is read in another way" if is_other else ""
    found = told.values(entry["vast"], member)
    missing = [text for text in document.values if not any(told.is_same(one, text) for one in found)]
    return f"{member} is {found}, and not {missing}" if missing else ""


def unheld(member, kind, count, entry):
    """What is wrong with how a part that holds others is read."""
    found = told.values(entry["vast"], member)
    if kind is None:
        return "" if len(found) == count else f"{member} has {len(found)} of {count}"
    return "" if kind in found else f"{member} is {found}, and not {kind}"


def unsaid(document, entry):
    """What is wrong where an invalid document is read; nothing where somebody hears of it."""
    said = [entry["message"]] if "message" in entry else remarks(entry)
    if any(re.search(rf"\b{re.escape(word)}\b", one) for one in said for word in document.words):
        return ""
    return f"said of it: {said or 'nothing'}"


def remarks(entry):
    """What is said of a document that is read."""
    return [one["message"] for kind in ("flaws", "departures") for one in entry.get("vast", {}).get(kind, [])]


def bare(entry):
    """What was read, without where it stands."""
    def stripped(value):
        if isinstance(value, dict):
            return {name: stripped(one) for name, one in value.items() if name != "line"}
        return [stripped(one) for one in value] if isinstance(value, list) else value
    return stripped(entry.get("vast"))
