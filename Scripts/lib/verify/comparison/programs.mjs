// The two programs, behind one face: a pair in, a count and the bytes of a diff picture out.

import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, readFileSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

export class Pixelmatch {
  static async load(folder) {
    const {default: match} = await import(pathToFileURL(path.join(folder, 'index.js')));
    const {PNG} = createRequire(path.join(folder, 'index.js'))('pngjs');
    const {version} = JSON.parse(readFileSync(path.join(folder, 'package.json')));
    return Object.assign(new Pixelmatch(), {folder, match, PNG, version});
  }

  read(file) {
    return this.PNG.sync.read(readFileSync(file));
  }

  compare({first, second, options}) {
    const [a, b] = [this.read(first), this.read(second)];
    const picture = new Uint8Array(a.data.length);
    const count = this.match(a.data, b.data, picture, a.width, a.height, options);
    return {count, picture};
  }
}

export class Galley {
  constructor(file, folder) {
    Object.assign(this, {file, out: path.join(folder, 'out')});
    this.version = `galley ${execFileSync(file, ['--version']).toString().trim()}`;
  }

  compare({first, second, options}, pixelmatch) {
    rmSync(this.out, {recursive: true, force: true});
    const given = ['--threshold', String(options.threshold ?? 0.1), ...(options.includeAA ? ['--antialiasing'] : [])];
    const done = spawnSync(this.file, ['diff', first, second, '--json', '--out', this.out, ...given]);
    if (done.status > 1) throw new Error(done.stderr.toString());
    const {difference} = JSON.parse(done.stdout).results[0].pictures[0];
    const file = path.join(this.out, `${path.basename(second, '.png')}.highlight.png`);
    return {count: difference.differing, picture: existsSync(file) ? pixelmatch.read(file).data : undefined};
  }
}
