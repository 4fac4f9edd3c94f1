// Compares random pictures and pixelmatch's own fixtures with both programs: counts, and every pixel of the diff picture.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {parseArgs} from 'node:util';

import {fixturePairs, randomPairs} from './pairs.mjs';
import {Galley, Pixelmatch} from './programs.mjs';

const usage = `usage: Scripts/verify-comparison --pixelmatch DIR [--rounds 200] [--seed 1] [--galley FILE]

DIR is a copy of pixelmatch 7.2.0 with pngjs in its node_modules, as 'npm install' makes it; with the test folder of
its repository in it, the fixtures there are compared too. Exits with 1 when any pixel differs.`;

const {values: options} = parseArgs({
  options: {
    pixelmatch: {type: 'string'},
    galley: {type: 'string'},
    rounds: {type: 'string', default: '200'},
    seed: {type: 'string', default: '1'},
    help: {type: 'boolean'},
  },
});
if (options.help || !options.pixelmatch) {
  console.log(usage);
  process.exit(options.help ? 0 : 2);
}

const folder = mkdtempSync(path.join(tmpdir(), 'galley-verify-'));
try {
  const pixelmatch = await Pixelmatch.load(path.resolve(options.pixelmatch));
  const galley = new Galley(options.galley, folder);
  console.log(`pixelmatch ${pixelmatch.version}, ${galley.version}`);
  const pairs = [
    ...fixturePairs(pixelmatch),
    ...randomPairs(pixelmatch, folder, Number(options.rounds), Number(options.seed)),
  ];
  let wrong = 0;
  let different = 0;
  for (const pair of pairs) {
    const [expected, found] = [pixelmatch.compare(pair), galley.compare(pair, pixelmatch)];
    different += expected.count > 0 ? 1 : 0;
    const problem = disagreement(expected, found);
    if (!problem) continue;
    wrong += 1;
    console.log(`${pair.name} ${JSON.stringify(pair.options)}: ${problem}`);
  }
  console.log(`${pairs.length} pairs, ${different} of them with differences: ${wrong} disagreements`);
  process.exitCode = wrong ? 1 : 0;
} finally {
  rmSync(folder, {recursive: true});
}

function disagreement(expected, found) {
  if (expected.count !== found.count) return `pixelmatch counts ${expected.count}, Galley ${found.count}`;
  if (!found.picture) return expected.count ? 'Galley wrote no picture' : undefined;
  const at = expected.picture.findIndex((value, index) => value !== found.picture[index]);
  return at < 0 ? undefined : `the pictures differ from byte ${at} on`;
}
