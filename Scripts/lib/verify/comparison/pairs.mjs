// What is compared: pixelmatch's fixtures at two thresholds, and random pictures that look like pages, noise and edges.

import {existsSync, writeFileSync} from 'node:fs';
import path from 'node:path';

export function fixturePairs({folder}) {
  const names = [['1a', '1b'], ['2a', '2b'], ['3a', '3b'], ['4a', '4b'], ['5a', '5b'], ['6a', '6b'], ['7a', '7b'], ['8a', '5b']];
  const file = (name) => path.join(folder, 'test', 'fixtures', `${name}.png`);
  return names.filter((pair) => pair.every((name) => existsSync(file(name)))).flatMap(([a, b]) =>
    [{}, {threshold: 0.05}, {threshold: 0.02, includeAA: true}].map((options) => ({
      name: `${a} and ${b}`, first: file(a), second: file(b), options,
    })));
}

export function randomPairs({PNG}, folder, rounds, seed) {
  const random = numbers(seed);
  return Array.from({length: rounds}, (_, round) => {
    const [width, height] = [1 + below(random, 90), 1 + below(random, 60)];
    const first = picture(random, width, height);
    const second = changed(random, first, width, height);
    const files = [first, second].map((data, index) => {
      const file = path.join(folder, `${round}-${index}.png`);
      writeFileSync(file, PNG.sync.write({width, height, data: Buffer.from(data)}, {inputHasAlpha: true}));
      return file;
    });
    const options = {threshold: [0, 0.03, 0.1, 0.1, 0.3][below(random, 5)], includeAA: random() < 0.3};
    return {name: `random pair ${round}`, first: files[0], second: files[1], options};
  });
}

// Mulberry32.
function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const below = (random, limit) => Math.floor(random() * limit);

// Slanted edges with steps between their sides, on a flat ground or on noise; some of it see-through.
function picture(random, width, height) {
  const data = new Uint8Array(width * height * 4);
  const [ground, ink] = [colour(random), colour(random)];
  const [slope, offset] = [random() * 4 - 2, random() * width];
  const noise = random() < 0.3 ? 40 : 0;
  const clear = random() < 0.3;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const share = Math.min(1, Math.max(0, x - offset - slope * y));
      const at = (y * width + x) * 4;
      for (let channel = 0; channel < 3; channel++) {
        data[at + channel] = Math.min(255, ground[channel] * (1 - share) + ink[channel] * share + random() * noise);
      }
      data[at + 3] = clear && random() < 0.5 ? below(random, 256) : 255;
    }
  }
  return data;
}

// The picture with a block of another colour, single pixels replaced, darker shades, or its rows smeared.
function changed(random, first, width, height) {
  const data = first.slice();
  const kind = below(random, 4);
  const [x0, y0, ink] = [below(random, width), below(random, height), colour(random)];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const isHit = kind === 0 ? x >= x0 && y >= y0 : kind === 1 ? random() < 0.05 : kind === 2;
      for (let channel = 0; isHit && channel < 3; channel++) {
        data[at + channel] = kind === 2 ? Math.max(0, data[at + channel] - below(random, 60)) : ink[channel];
      }
      if (kind === 3 && x > 0) data.copyWithin(at, at - 4, at);
    }
  }
  return data;
}

const colour = (random) => [below(random, 256), below(random, 256), below(random, 256)];
