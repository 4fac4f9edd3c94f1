// Makes chance the same every time; runs in every frame before the page, each of which begins the same sequence.
(() => {
  "use strict";
  let state = Number("__GALLEY_SEED__") >>> 0;
  // Mulberry32: 32 bits of state, every one of which shows.
  const bits = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const { Math, Uint8Array, Crypto } = window;
  const replace = (owner, name, make) => {
    const native = owner[name];
    // A function without a prototype or a name of its own, as the engine's are; what is wrong with a call is its to say.
    const twin = make(native);
    Object.defineProperty(twin, "name", { value: name, configurable: true });
    Object.defineProperty(owner, name, { value: twin, writable: true, enumerable: owner !== Math, configurable: true });
  };
  replace(Math, "random", () => ({ random() { return (bits() * 2097152 + (bits() >>> 11)) / 9007199254740992; } }).random);
  replace(Crypto.prototype, "getRandomValues", (native) => ({
    getRandomValues(array) {
      native.call(this, array);
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (let i = 0; i < bytes.length; i += 1) bytes[i] = bits() >>> 24;
      return array;
    },
  }).getRandomValues);
  if (Crypto.prototype.randomUUID) {
    replace(Crypto.prototype, "randomUUID", (native) => ({
      randomUUID() {
        native.call(this);
        const hex = (digits) => Array.from({ length: digits }, () => (bits() >>> 28).toString(16)).join("");
        return `${hex(8)}-${hex(4)}-4${hex(3)}-${"89ab"[bits() >>> 30]}${hex(3)}-${hex(12)}`;
      },
    }).randomUUID);
  }
})();
