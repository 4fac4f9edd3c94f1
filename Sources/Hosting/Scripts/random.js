// Makes chance the same every time; runs in every frame before the page. Each frame begins a sequence of its own, by its
// place among the frames of the page, lest they make up the same names. Workers that a page makes of its own texts begin
// one each; those from files have the engine's generators seeded.
(() => {
  "use strict";
  // The page itself has the seed as it is.
  const sown = (view) => {
    if (view.parent === view) return Number("__GALLEY_SEED__") >>> 0;
    let place = 0;
    while (place < 1000 && place < view.parent.length && view.parent[place] !== view) place += 1;
    return (Math.imul(sown(view.parent) ^ (place + 1), 0x85ebca6b) + 0xc2b2ae35) >>> 0;
  };
  const seed = sown(window);
  // Its text goes to workers as well: no comment stands in it, and nothing from around it.
  const install = (scope, seed, natives) => {
    "use strict";
    let state = seed >>> 0;
    const { Math, Uint8Array, Crypto, Array } = scope;
    const bits = () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = state;
      mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return (mixed ^ (mixed >>> 14)) >>> 0;
    };
    natives.twin(Math, "random", () => ({ random() { return (bits() * 2097152 + (bits() >>> 11)) / 9007199254740992; } }).random);
    natives.twin(Crypto.prototype, "getRandomValues", (native) => ({
      getRandomValues(array) {
        natives.apply(native, this, arguments);
        const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
        for (let i = 0; i < bytes.length; i += 1) bytes[i] = bits() >>> 24;
        return array;
      },
    }).getRandomValues);
    natives.twin(Crypto.prototype, "randomUUID", (native) => ({
      randomUUID() {
        natives.apply(native, this, arguments);
        const hex = (digits) => Array.from({ length: digits }, () => (bits() >>> 28).toString(16)).join("");
        return `${hex(8)}-${hex(4)}-4${hex(3)}-${"89ab"[bits() >>> 30]}${hex(3)}-${hex(12)}`;
      },
    }).randomUUID);
  };
  // Mulberry32: 32 bits of state, every one of which shows. Functions without a prototype or a name of their own, as the
  // engine's are; what is wrong with a call is the engine's to say.
  install(window, seed, natives);

  // A worker's own text is known where it is a blob of the page's; in one line, so that its errors keep their lines.
  const { Blob, Map, URL, String, Reflect } = window;
  const oneLine = (made) => Function.prototype.toString.call(made).replace(/\n\s*/g, " ");
  const text = `(${oneLine(install)})(self, SEED, (${oneLine(installNatives)})(self));`;
  const blobs = new Map();
  let workers = 0;
  const { createObjectURL } = URL;
  natives.method(URL, "createObjectURL", (native, self, values) => {
    const url = Reflect.apply(native, self, values);
    if (values[0] instanceof Blob) Map.prototype.set.call(blobs, url, values[0]);
    return url;
  });
  natives.method(URL, "revokeObjectURL", (native, self, values) => {
    Map.prototype.delete.call(blobs, String(values[0]));
    return Reflect.apply(native, self, values);
  });
  for (const name of ["Worker", "SharedWorker"]) {
    natives.maker(window, name, (native, values, target) => {
      const blob = Map.prototype.get.call(blobs, String(values[0]));
      workers += 1;
      const begin = text.replace("SEED", (seed + workers * 0x9e3779b9) >>> 0);
      const url = blob && createObjectURL.call(URL, new Blob([begin, blob], { type: blob.type }));
      return Reflect.construct(native, blob ? [url, ...values.slice(1)] : values, target);
    });
  }
})();
