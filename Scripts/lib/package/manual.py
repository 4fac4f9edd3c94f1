"""Man pages, made of what the programs say in their help."""

import datetime
import textwrap


def pages(command, project, examples, above=()):
    """The name and the troff of every command's page, those of sub-commands included."""
    names = (*above, command["commandName"])
    yield "-".join(names), page(command, names, project, examples(" ".join(names[1:])))
    for child in shown(command):
        yield from pages(child, project, examples, names)


def shown(command):
    children = command.get("subcommands", [])
    return [child for child in children if child["shouldDisplay"] and child["commandName"] != "help"]


def page(command, names, project, examples):
    day = datetime.datetime.fromtimestamp(project.epoch, datetime.UTC).strftime("%Y-%m-%d")
    title = "-".join(names)
    lines = [f'.TH "{title.upper()}" 1 "{day}" "galley {project.version}"', ".SH NAME",
             f"{escaped(title)} \\- {escaped(command['abstract'].rstrip('.'))}",
             ".SH SYNOPSIS", synopsis(command, names)]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", *text(command["discussion"])]
    arguments = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    # Options keep the groups of the help; those of no group come first.
    for section in dict.fromkeys(argument.get("sectionTitle", "Options") for argument in sorted(
            arguments, key=lambda argument: "sectionTitle" in argument)):
        lines.append(f'.SH "{escaped(section.upper())}"')
        for argument in arguments:
            if argument.get("sectionTitle", "Options") == section:
                lines += entry(argument)
    if children := shown(command):
        lines.append(".SH COMMANDS")
        for child in children:
            title = "-".join((*names, child["commandName"]))
            lines += [".TP", f"\\fB{escaped(title)}\\fR(1)", escaped(child["abstract"])]
    if examples:
        lines.append(".SH EXAMPLES")
        for call, purpose in examples:
            lines += [".TP", escaped(purpose), f"\\fB{escaped(call)}\\fR"]
    if len(names) > 1:
        lines += [".SH SEE ALSO", f"\\fB{escaped('-'.join(names[:-1]))}\\fR(1)"]
    return "\n".join(lines) + "\n"


def synopsis(command, names):
    words = [f"\\fB{escaped(' '.join(names))}\\fR"]
    if shown(command):
        words.append("\\fIcommand\\fR")
    words.append("[\\fIoptions\\fR]")
    for argument in command.get("arguments", []):
        if argument["kind"] == "positional" and argument["shouldDisplay"]:
            word = f"\\fI{escaped(argument['valueName'])}\\fR" + (" \\&..." if argument["isRepeating"] else "")
            words.append(f"[{word}]" if argument["isOptional"] else word)
    return " ".join(words)


def entry(argument):
    spellings = [f"\\fB{escaped(spelling(name))}\\fR" for name in sorted(
        argument.get("names", []), key=lambda name: name["kind"] != "short")]
    value = f"\\fI{escaped(argument['valueName'])}\\fR"
    head = ", ".join(spellings) if spellings else value
    if argument["kind"] == "option":
        head += f" {value}"
    first = [argument.get("abstract", "")]
    if choices := argument.get("allValues"):
        first.append(f"One of {', '.join(choices)}.")
    if default := argument.get("defaultValue"):
        first.append(f"Default: {default}.")
    body = [" ".join(filter(None, first)), argument.get("discussion", "")]
    return [".TP", head, *text("\n\n".join(filter(None, body)), within=True)]


def spelling(name):
    return f"-{name['name']}" if name["kind"] in ("short", "longWithSingleDash") else f"--{name['name']}"


def text(source, within=False):
    """Paragraphs as they stand; indented ones are examples, whose lines stay."""
    lines = []
    for index, paragraph in enumerate(source.strip("\n").split("\n\n")):
        if index:
            lines.append(".IP" if within else ".PP")
        if all(line.startswith((" ", "\t")) for line in paragraph.splitlines()):
            lines += [".nf", *map(escaped, textwrap.dedent(paragraph).splitlines()), ".fi"]
        else:
            lines += map(escaped, paragraph.splitlines())
    return lines


def escaped(line):
    """What troff would take for its own stands for itself."""
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{line}" if line.startswith((".", "'")) else line
