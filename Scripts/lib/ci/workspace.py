"""A checkout as a job finds it: the creatives, and galley on the PATH."""

import os
import pathlib
import shutil
import subprocess
import time

# Galley's own exit codes for a run that came to a verdict.
VERDICTS = (0, 1, 4)
# The creatives of the baselines' jobs: one stays as it is, one changes.
SAME, CHANGED = 'banner/plain-link', 'banner/static'
# An engine for containers, as far as the ready files call one: the image's name stands for galley, outside.
DOCKER = """#!/bin/bash
set -euo pipefail
[[ $1 == run && $2 == --rm && $3 == --user && $4 == "$(id -u)" && $5 == --volume && $6 == "$PWD:/work" ]]
[[ $7 == registry.example.com/galley:* ]]
exec galley "${@:8}"
"""


class Workspace:
    """Where the commands of a CI file run."""

    def __init__(self, folder, galley, creatives=None):
        shutil.rmtree(folder, ignore_errors=True)
        self.folder, self.galley = folder, galley
        self.programs = folder / 'programs'
        self.programs.mkdir(parents=True)
        self.program('galley', f'#!/bin/sh\nexec "{galley}" "$@"\n')
        self.program('docker', DOCKER)
        if creatives:
            shutil.copytree(creatives, folder / 'creatives')

    def program(self, name, text):
        (self.programs / name).write_text(text)
        (self.programs / name).chmod(0o755)

    @property
    def environment(self):
        """What every job is told; CI is set, so that nothing records a baseline by itself."""
        return {**os.environ, 'PATH': f'{self.programs}:{os.environ["PATH"]}', 'CI': 'true'}

    def with_baselines(self, root):
        """The checkout of a job that verifies: somebody recorded baselines, and has changed a creative since."""
        place = Workspace(self.folder / 'with-baselines', self.galley)
        for name in (SAME, CHANGED):
            shutil.copytree(root / 'Creatives' / name, place.folder / 'creatives' / pathlib.PurePath(name).name)
        subprocess.run(['galley', 'baseline', 'record', 'creatives', '--recursive', '--in-ci', '--out', 'recorded'],
                       cwd=place.folder, env=place.environment, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                       check=True)
        page = place.folder / 'creatives' / pathlib.PurePath(CHANGED).name / 'index.html'
        mark = '<b style="position: fixed; left: 0; top: 0">New</b></body>'
        page.write_text(page.read_text().replace('</body>', mark))
        return place

    def run(self, script, what, environment=None, codes=VERDICTS):
        """Runs a command as a runner's shell does; its output goes to a log. Gives the problems."""
        print(f'$ {script}', flush=True)
        began = time.monotonic()
        done = subprocess.run(['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', script], cwd=self.folder,
                              env={**self.environment, **(environment or {})}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True)
        self.code = done.returncode
        (self.folder / f'{what}.log').write_text(done.stdout)
        print(f'  exit code {done.returncode} after {time.monotonic() - began:.0f} s', flush=True)
        return [] if done.returncode in codes else [f'{what}: exit code {done.returncode}']
