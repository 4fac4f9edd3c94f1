"""Carries out the commands of README.md and the how-to guides, each guide in a folder with what its commands name.

`creatives`, `banner.zip`, `spot.xml` and the like stand for the reader's own: samples, and pages of no sample. What
needs a person, root or another machine is left out, for a reason that is printed.
"""

import contextlib
import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading

FENCE = re.compile(r'^```sh[^\n]*\n(.*?)^```', re.M | re.S)
# A later block of a guide goes on with what its earlier ones made.
LEFT_OUT = [
    (r'nats|--queue|galley work|localhost:8080/metrics', 'needs a NATS server: Scripts/soak --queue tests it'),
    (r'\bsudo\b|\bdocker\b|\btar --|galley-\*/|/usr/share/|127.0.0.1:8080', 'Scripts/verify-packages tests it'),
    (r'/var/lib/|/backup', 'needs a server with older data'),
    (r'galley serve (?!token)', 'runs until it is stopped; the requests of the guide use such a server'),
    (r'galley (play|show)\b', 'opens a page for a user: ProgramTests test it'),
    (r'^Scripts/', 'is a script of this repository'),
    (r'…|\bME\b|/ID/', 'contains a placeholder'),
    (r'^(?!(.*[|(;&] *)?(galley|curl) )', "isn't a command of Galley"),
]
# What happens before a command of a guide: an author's change, or what the text says that was done.
CHANGE = "sed -i 's/<body/<body bgcolor=tan/' creatives/*/index.html"
BEFORE = {
    'galley baseline verify creatives/*': CHANGE,
    'galley baseline approve --out Downloads':
        f'{CHANGE}; galley baseline verify creatives/*; mkdir Downloads; mv galley-verified Downloads',
    'galley diff proofs-main':
        f'galley render creatives/* --out proofs-main; {CHANGE}; galley render creatives/* --out proofs-branch',
    'galley report proofs --pdf': 'galley check creatives --recursive --out proofs',
    'galley merge-reports':
        'rm -r proofs; for n in 2 3; do galley check creatives --recursive --shard $n/3 --out proofs-$n; done',
    'galley render game.html': 'cp Creatives/playable/meta/index.html game.html',
    'galley check builds/meta.html': 'Creatives/playable/build --out builds meta mintegral unity',
    'galley serve token list': 'galley serve token create ci --file tokens.json --scopes read',
}
# What a command may end with: 1 stands for findings or a change.
ENDS = {0, 1}
PAGE = ('<!DOCTYPE html><html lang="en"><meta charset="utf-8">'
        '<meta name="ad.size" content="width={width},height={height}">'
        '<title>{name}</title><body style="margin: 0; font: bold 24px Arial; color: #fff; background: {colour}">'
        '<p style="animation: go 1s">{name}<style>@keyframes go {{ from {{ opacity: 0 }} }}</style>'
        '<script>fetch("/pixel?t=" + Date.now()).catch(() => {{}});</script></body></html>')


def run(root, galley, names):
    problems, left = [], []
    for file in [root / 'README.md', *sorted((root / 'docs/how-to').glob('*.md'))]:
        if names and file.stem not in names:
            continue
        done, found, skipped = guide(file, root, galley)
        left += [f'{file.stem}: {command}: {reason}' for command, reason in skipped]
        print(f'{file.stem}: {done} commands run, {len(found)} failed, {len(skipped)} skipped', flush=True)
        problems += [f'{file.name}: {problem}' for problem in found]
    print('skipped:', *sorted(set(left)), sep='\n  ')
    return problems


def guide(file, root, galley):
    done, problems, skipped = 0, [], []
    with tempfile.TemporaryDirectory(prefix='galley-guide-') as scratch:
        scratch = pathlib.Path(scratch)
        furnish(scratch / 'work', root)
        program = scratch / 'galley'
        program.write_text(f'#!/bin/sh\nexec "{galley.path}" "$@"\n')
        program.chmod(0o755)
        with served(scratch / 'work') as address, service(galley, scratch / 'data') as port:
            for command in commands(file):
                reason = next((reason for pattern, reason in LEFT_OUT if re.search(pattern, command)), None)
                if reason:
                    skipped.append((command, reason))
                    continue
                command = command.replace('localhost:8080', f'localhost:{port}')
                command = re.sub(r'\bcurl ', 'curl --fail-with-body ', command)
                if before := next((words for start, words in BEFORE.items() if command.startswith(start)), None):
                    call(before, scratch, address)
                code, output = call(command.replace('https://example.com', address), scratch, address)
                done += 1
                if code not in ENDS:
                    problems.append(f'`{command}` ended with {code}:\n{output[-1500:]}')
    return done, problems, skipped


def commands(file):
    for block in FENCE.findall(file.read_text(encoding='utf-8')):
        for line in block.replace('\\\n', ' ').splitlines():
            if command := re.sub(r'\s+#.*', '', line).strip():
                yield command


def call(command, scratch, address):
    environment = {**os.environ, 'PATH': f'{scratch}:{os.environ["PATH"]}', 'TAG_URL': f'{address}/tag.html',
                   'BID_URL': f'{address}/bid.json'}
    environment.pop('CI', None)
    done = subprocess.run(['bash', '-c', command], cwd=scratch / 'work', env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    return done.returncode, done.stdout.decode(errors='replace')


def furnish(work, root):
    """What guides name: of samples and of pages that are none, odd sizes among them."""
    samples = root / 'Creatives'
    shutil.copytree(samples, work / 'Creatives')
    for folder in ('mraid/expand-one-part', 'mraid/resize', 'banner/static'):
        shutil.copytree(samples / folder, work / 'creatives' / pathlib.Path(folder).name)
    page(work / 'creatives/summer-sale/index.html', 'summer', 300, 251, '#075')
    page(work / 'creatives/same-again/index.html', 'summer', 300, 251, '#075')
    for name in ('banner.html', 'ad.html', 'tag.html', 'ad/index.html', 'creative/index.html'):
        page(work / name, name, 161, 607, '#740')
    (work / 'creative/index.html').write_text((samples / 'mraid/expand-one-part/index.html').read_text())
    for name in ('banner', 'campaign'):
        page(work / f'{name}/index.html', name, 728, 90, '#047')
        shutil.make_archive(str(work / name), 'zip', work / name)
        shutil.rmtree(work / name)
    shutil.copy(samples / 'mraid/expand-one-part/scenario.yaml', work / 'creative')
    (work / 'steps.yaml').write_text('steps:\n  - advance: 0.5s\n')
    for place in (samples / 'video/end-card').iterdir():
        shutil.copy(place, work)
    (work / 'scenario.yaml').unlink()
    shutil.copy(work / 'ad.xml', work / 'spot.xml')
    shutil.copy(next((samples / 'video/bid').glob('*.json')), work / 'bid.json')
    pictures = sorted((root / 'docs/images').glob('*.png'))
    for name in ('before.png', 'after.png'):
        shutil.copy(pictures[0], work / name)


def page(path, name, width, height, colour):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PAGE.format(name=name, width=width, height=height, colour=colour))


@contextlib.contextmanager
def service(galley, data):
    """The port of a server that lets this machine's own addresses be rendered."""
    words = [galley.path, 'serve', '--port', '0', '--data', data, '--allow-private-network', '--json']
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout
        try:
            yield json.loads(process.stdout.readline())["address"].rsplit(":", 1)[1]
        finally:
            process.terminate()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class served:
    """A folder on this machine's own address."""

    def __init__(self, folder):
        handler = functools.partial(Quiet, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), handler)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f'http://127.0.0.1:{self.server.server_port}'

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
