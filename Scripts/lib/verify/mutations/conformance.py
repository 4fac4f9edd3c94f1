"""Runs `galley conformance` and reads what failed."""

import json
import os
import subprocess
import sys


class Conformance:
    def __init__(self, galley, suite):
        self.command = [str(galley), "conformance", "--json", "--suite", str(suite)]

    def failures(self, sections, bridge=None, worker=None):
        """By creative, what of it failed first; with another bridge script or worker program when given."""
        failures: dict[str, str] = {}
        for section in sorted(sections):
            command = [*self.command, "--section", str(section), *(["--bridge", str(bridge)] if bridge else [])]
            environment = dict(os.environ, **({"GALLEY_WORKER_PATH": str(worker)} if worker else {}))
            program = subprocess.run(command, capture_output=True, text=True, env=environment)
            if program.returncode not in (0, 1):
                sys.exit(f"galley conformance ended with {program.returncode}: {program.stderr.strip()}")
            for row in json.loads(program.stdout)["assertions"]:
                if not row["passed"]:
                    failures.setdefault(row["creative"], f"{row['assertion']}: {row.get('message', '')}")
        return failures
