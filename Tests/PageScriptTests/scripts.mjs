// The pages' scripts as far as they need no page: what they reckon, not what they draw.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const files = {
  look: "../../Sources/Pages/Assets/look.js",
  comparison: "../../Sources/Pages/Assets/compare.js",
  upload: "../../Sources/Service/Pages/Assets/upload.js",
  timelines: "../../Sources/Reports/HTML/Page/timeline.js",
};

// Later scripts use earlier ones, as in a page.
export function load(name) {
  const names = name === "look" ? ["look"] : ["look", name];
  const text = names.map((name) => readFileSync(new URL(files[name], import.meta.url), "utf8")).join("");
  return vm.runInNewContext(`${text}\n${name};`, {
    Math, Map, Number, Object, String, Array, Uint8Array, Uint32Array, DataView, ArrayBuffer, TextEncoder, Blob,
    FormData,
  });
}

// What comes of another global has other prototypes.
export const plain = (value) => JSON.parse(JSON.stringify(value));
