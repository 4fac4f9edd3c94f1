"""The pictures of README.md and of checks: Galley's own screenshots of its samples.

Those of README.md are laid out on pages that Galley renders too.
"""

import pathlib
import shutil
import subprocess
import tempfile

# What GitHub shows at once.
LARGEST = 150_000

# Checks whose creatives show in a picture what is wrong with them.
VISIBLE = [
    'blank-render', 'clipped-text', 'faint-close', 'missing-border', 'missing-file', 'overflow', 'rejected-resize',
    'resize-without-properties', 'small-close', 'small-text', 'unfilled-macro', 'wrong-size-meta',
]

PHONES = '''<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>States</title>
<style>
body { margin: 0; height: 100vh; display: flex; align-items: center; justify-content: center; gap: 72px;
  background: #e9edf2; font: 15px Arial, sans-serif; color: #333; text-align: center; }
figure { margin: 0; }
img { display: block; width: 250px; border-radius: 30px; margin-bottom: 10px; border: 6px solid #222; }
</style>
<figure><img src="001-default.png" alt="">default</figure>
<figure><img src="002-expanded.png" alt="">expanded, after a tap</figure>
</html>
'''

DIFFERENCE = '''<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Difference</title>
<style>
body { margin: 0; height: 100vh; display: flex; flex-direction: column; align-items: center;
  justify-content: space-evenly; background: #e9edf2; font: 15px Arial, sans-serif; color: #333; }
figure { margin: 0; display: flex; align-items: center; gap: 20px; }
figcaption { width: 90px; text-align: right; }
img { width: 512px; }
</style>
<figure><figcaption>before</figcaption><img src="before.png" alt=""></figure>
<figure><figcaption>difference</figcaption><img src="highlight.png" alt=""></figure>
<figure><figcaption>after</figcaption><img src="after.png" alt=""></figure>
</html>
'''


def make(root, galley, names):
    """Makes the pictures of README.md, then those of the checks; names choose `readme` or a check."""
    images = root / 'docs/images'
    with tempfile.TemporaryDirectory(prefix='galley-pictures-') as scratch:
        maker = Maker(root, galley, pathlib.Path(scratch))
        if not names or 'readme' in names:
            images.mkdir(exist_ok=True)
            for name, picture in (('expand-phone', maker.phones()), ('report', maker.report()), ('diff', maker.diff())):
                shutil.copy(picture, images / f'{name}.png')
        for folder in sorted((root / 'Creatives/checks').glob('*/*')):
            if folder.name in VISIBLE and (not names or folder.name in names):
                maker.check(folder, images / 'checks')
    sizes = {str(file.relative_to(images)): file.stat().st_size for file in sorted(images.rglob('*.png'))}
    print(f'{len(sizes)} pictures, {sum(sizes.values())} bytes')
    return [f'{name} has {size} bytes, and {LARGEST} are allowed' for name, size in sizes.items() if size > LARGEST]


class Maker:
    def __init__(self, root, galley, scratch):
        self.root = root
        self.galley = galley
        self.scratch = scratch

    def run(self, *words, codes=(0,)):
        done = subprocess.run([self.galley.path, *words], cwd=self.scratch, stdout=subprocess.DEVNULL)
        if done.returncode not in codes:
            raise SystemExit(f'galley {" ".join(map(str, words))} ended with {done.returncode}')

    def page(self, name, screen):
        """What a page of the scratch folder looks like on a plain screen."""
        out = f'{name}-out'
        self.run('render', f'{name}/index.html', '--screen', screen, '--placement', 'interstitial', '--out', out)
        return next((self.scratch / out).rglob('001-default-ad.png'))

    def check(self, folder, images):
        """The last picture of the creative that trips a check, and of the one that passes."""
        found = {}
        for kind in ('trips', 'passes'):
            out = f'checks/{folder.name}-{kind}'
            self.run('render', folder / f'{kind}.html', '--screen', '360x640@1', '--quiet', '--out', out,
                     codes=(0, 1, 4))
            pictures = sorted((self.scratch / out).rglob('*-ad.png'))
            if pictures:
                found[kind] = pictures[-1]
        images.mkdir(parents=True, exist_ok=True)
        for kind, picture in found.items():
            shutil.copy(picture, images / f'{folder.name}-{kind}.png')

    def phones(self):
        self.run('render', self.root / 'Creatives/mraid/expand-one-part', '--device', 'iphone-15', '--out', 'states')
        folder = self.scratch / 'phones'
        shutil.copytree(self.scratch / 'states/expand-one-part/screenshots', folder)
        (folder / 'index.html').write_text(PHONES)
        return self.page('phones', '680x640@1')

    def report(self):
        samples = ['mraid/resize-rejected', 'mraid/expand-one-part', 'banner/static']
        (self.scratch / 'report').mkdir()
        for sample in samples:
            shutil.copytree(self.root / 'Creatives' / sample, self.scratch / 'Creatives' / sample)
        self.run('check', *[f'Creatives/{sample}' for sample in samples], '--profile', 'iab,google-ads,unity',
                 '--out', 'checked', '--html', 'report/index.html', codes=(0, 1))
        return self.page('report', '1000x720@1')

    def diff(self):
        """A sample before and after its text was changed; no file of the samples is touched."""
        sample = self.scratch / 'static'
        shutil.copytree(self.root / 'Creatives/banner/static', sample)
        self.run('render', sample, '--out', 'before')
        document = sample / 'index.html'
        text = document.read_text(encoding='utf-8')
        changed = text.replace('Slow coffee for loud mornings', 'Loud coffee for slow mornings')
        if changed == text:
            raise SystemExit(f'{document} has no text to change')
        document.write_text(changed, encoding='utf-8')
        self.run('render', sample, '--out', 'after')
        self.run('diff', 'before', 'after', '--out', 'differences', codes=(1,))
        folder = self.scratch / 'difference'
        folder.mkdir()
        name = 'static/screenshots/001-default-ad.png'
        shutil.copy(self.scratch / 'before' / name, folder / 'before.png')
        shutil.copy(self.scratch / 'after' / name, folder / 'after.png')
        highlight = next((self.scratch / 'differences').rglob('*001-default-ad*highlight*.png'))
        shutil.copy(highlight, folder / 'highlight.png')
        (folder / 'index.html').write_text(DIFFERENCE)
        return self.page('difference', '700x330@1')
