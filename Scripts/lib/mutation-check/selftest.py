"""Runs `galley selftest` and reads what failed."""

import json
import os
import subprocess
import sys


class Selftest:
    def __init__(self, galley):
        self.galley = galley

    def failures(self, sections, bridge=None, worker=None):
        """By creative, what of it failed first; with another bridge script or worker program when given."""
        failures = {}
        for section in sorted(sections):
            command = [str(self.galley), "selftest", "--json", "--section", str(section)]
            if bridge:
                command += ["--bridge", str(bridge)]
            environment = dict(os.environ, **({"GALLEY_WORKER_PATH": str(worker)} if worker else {}))
            program = subprocess.run(command, capture_output=True, text=True, env=environment)
            if program.returncode not in (0, 1):
                sys.exit(f"galley selftest ended with {program.returncode}: {program.stderr.strip()}")
            for row in json.loads(program.stdout)["assertions"]:
                if not row["passed"]:
                    failures.setdefault(row["creative"], f"{row['assertion']}: {row.get('message', '')}")
        return failures
