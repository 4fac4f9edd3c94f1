"""Messages of a worker that a process below it would make up: none of them has a way to the command."""

import json
import os

from lib.attack import below
from lib.attack.program import write

PAGE = '<!doctype html><meta name="ad.size" content="width=320,height=50"><p>ad<script src="mraid.js"></script>'
FORGED = "forged-by-a-web-process"


def attack(galley, folder, tally, quick, random):
    page = write(folder / "ad.html", PAGE)
    for number, options in enumerate([()] if quick else [(), ("--network", "public"), ("--record", folder / "kept")]):
        running = below.Running(galley, page, folder / f"out-{number}", *options)
        try:
            look(running, tally)
        finally:
            code, output, errors = running.end()
        tally.check(FORGED not in output + errors, f"the command believed it: {output[:100]}{errors[:100]}")
        result = folder / f"out-{number}" / "ad" / "result.json"
        record = json.loads(result.read_text()) if result.is_file() else {}
        tally.check(code == 0 and record.get("outcome") == "completed" and FORGED not in json.dumps(record),
                    f"the result is {record.get('outcome')}, code {code}: {errors[-100:]}")


def look(running, tally):
    """Compares the open files of all processes with the pipes of the command, and writes into whatever is one."""
    command = {link for link in below.files(running.command.pid).values() if link.startswith("pipe:")}
    workers = running.named("galley-worker")
    tally.check(workers and running.pages, "no worker or no web process was found")
    # Between a command and a worker there are its requests, messages and last words; a carrier passes requests on.
    owners = [running.command.pid, *workers, *running.named("galley-carrier")]
    pipes = {link for worker in workers for link in below.files(worker).values() if link.startswith("pipe:")}
    for process in running.all:
        if process in owners or below.name(process).startswith("galley-guard") or process in guards(running):
            continue
        open_files = below.files(process)
        shared = {number: link for number, link in open_files.items() if link in pipes or link in command}
        tally.check(not shared, f"{below.name(process)} has {shared}")
        for number in set(shared) | {1, 2}:
            write_into(process, number)


def guards(running):
    """The process that cleans up after a killed command is a child of it, and no worker's."""
    return [process for process in running.all if b"\0guard\0" in command_line(process)]


def command_line(process):
    try:
        with open(f"/proc/{process}/cmdline", "rb") as file:
            return file.read()
    except OSError:
        return b""


def write_into(process, number):
    """Writes as the process itself could."""
    record = {"schema": 3, "creative": {"path": FORGED}, "outcome": "completed", "warnings": [FORGED]}
    line = json.dumps({"finished": {"job": 0, "record": record}}) + "\n" + FORGED + "\n"
    try:
        file = os.open(f"/proc/{process}/fd/{number}", os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return
    try:
        os.write(file, line.encode())
    except OSError:
        pass
    finally:
        os.close(file)
