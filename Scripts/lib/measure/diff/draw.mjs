// Draws a page of text-like lines, panels and photo-like gradients with the PNG encoder that pixelmatch brings along:
// once, once more encoded another way, and once with 1 % of its pixels inverted in three blocks.

import {writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';

const [pixelmatch, ...rest] = process.argv.slice(2);
const {PNG} = createRequire(path.join(pixelmatch, 'index.js'))('pngjs');
const [width, height] = rest.slice(0, 2).map(Number);
const [page, again, changed] = rest.slice(2);

let state = 7;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
const data = new Uint8Array(width * height * 4).fill(255);
const scale = Math.max(1, Math.round(width / 390));

function set(x, y, r, g, b) {
  const at = (y * width + x) * 4;
  data[at] = r;
  data[at + 1] = g;
  data[at + 2] = b;
}

function glyphs(top, bottom) {
  for (let x = 20 * scale; x < width - 20 * scale; x += 7 * scale) {
    if (random() < 0.15) continue;
    const [slope, bar] = [random() * 2 - 1, Math.floor(random() * (bottom - top))];
    for (let y = top; y < bottom; y++) {
      for (let i = 0; i < 5 * scale; i++) {
        const distance = Math.min(Math.abs(i - 2 * scale - slope * (y - top) * 0.4), Math.abs(y - top - bar));
        const ink = Math.min(255, Math.round(30 + 225 * Math.max(0, distance - scale * 0.4)));
        if (x + i < width && ink < 255) set(x + i, y, ink, ink, ink);
      }
    }
  }
}

function photo(top, bottom) {
  for (let y = top; y < bottom; y++) {
    for (let x = 20 * scale; x < width - 20 * scale; x++) {
      const noise = random() * 6;
      set(x, y, (x * 150) / width + noise, 80 + ((y - top) * 120) / (bottom - top) + noise, 90 + (x * 60) / width + noise);
    }
  }
}

for (let y = 10 * scale; y < height - 20 * scale; ) {
  const isPhoto = random() < 0.06;
  const bottom = Math.min(height, y + (isPhoto ? 110 : 10) * scale);
  (isPhoto ? photo : glyphs)(y, bottom);
  y = bottom + (random() < 0.15 ? 40 : 8) * scale;
}

const write = (file, options) =>
  writeFileSync(file, PNG.sync.write({width, height, data: Buffer.from(data.buffer)}, {colorType: 2, ...options}));
write(page, {});
write(again, {filterType: 4, deflateLevel: 6});
const [blockWidth, blockHeight] = [Math.round(width * 0.3), Math.round((height * 0.01) / 0.9)];
for (let block = 0; block < 3; block++) {
  const [left, top] = [Math.floor(random() * (width - blockWidth)), Math.floor(((block + 0.5) * height) / 3.2)];
  for (let y = top; y < top + blockHeight; y++) {
    for (let at = (y * width + left) * 4; at < (y * width + left + blockWidth) * 4; at++) {
      if (at % 4 !== 3) data[at] = 255 - data[at];
    }
  }
}
write(changed, {});
