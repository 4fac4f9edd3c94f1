// Lets video and audio of the creative's own files play; runs in every frame before the page.
// The engine's media stack only opens http and blob addresses, so a file of the creative's is fetched into a blob and
// the element gets that, while `src` and `currentSrc` keep saying what the page wrote.
(() => {
  "use strict";
  const scheme = "creative:";
  const Media = HTMLMediaElement.prototype;
  const sources = new WeakMap();
  const names = new Map();
  const { fetch, URL } = window;
  const createURL = URL.createObjectURL;
  const setAttribute = Function.prototype.call.bind(Element.prototype.setAttribute);
  const getAttribute = Function.prototype.call.bind(Element.prototype.getAttribute);
  const removeAttribute = Function.prototype.call.bind(Element.prototype.removeAttribute);
  const load = Function.prototype.call.bind(Media.load);
  const native = Object.getOwnPropertyDescriptor(Media, "src");
  const nativeCurrent = Object.getOwnPropertyDescriptor(Media, "currentSrc");
  const nativeSource = Object.getOwnPropertyDescriptor(HTMLSourceElement.prototype, "src");

  const ownAddress = (value) => {
    try {
      const url = new URL(value, document.baseURI);
      return url.protocol === scheme ? url.href : null;
    } catch {
      return null;
    }
  };

  // Takes the address away before the engine tries it, and puts the blob in its place.
  const adopt = (element, value) => {
    const address = ownAddress(value);
    if (!address || sources.get(element) === address) return false;
    sources.set(element, address);
    const owner = element instanceof HTMLSourceElement ? element.parentElement : element;
    removeAttribute(element, "src");
    if (owner instanceof HTMLMediaElement) load(owner);
    fetch(address).then((response) => (response.ok ? response.blob() : null), () => null).then((blob) => {
      if (sources.get(element) !== address) return;
      const shown = blob ? createURL(blob) : address;
      names.set(shown, address);
      setAttribute(element, "src", shown);
      if (element !== owner && owner instanceof HTMLMediaElement) load(owner);
    });
    return true;
  };

  const inspect = (node) => {
    if (!(node instanceof HTMLMediaElement || (node instanceof HTMLSourceElement && node.parentElement instanceof HTMLMediaElement))) return;
    const value = getAttribute(node, "src");
    if (value && !names.has(value)) adopt(node, value);
  };

  new MutationObserver((records) => {
    for (const record of records) {
      if (record.type === "attributes") inspect(record.target);
      for (const node of record.addedNodes) {
        if (!(node instanceof Element)) continue;
        inspect(node);
        for (const inner of node.querySelectorAll("video, audio, source")) inspect(inner);
      }
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["src"] });

  const define = (prototype, descriptor) => {
    Object.defineProperty(prototype, "src", {
      configurable: true,
      enumerable: true,
      get() { return sources.get(this) ?? descriptor.get.call(this); },
      set(value) {
        sources.delete(this);
        if (!adopt(this, value)) descriptor.set.call(this, value);
      },
    });
  };
  define(Media, native);
  define(HTMLSourceElement.prototype, nativeSource);
  Object.defineProperty(Media, "currentSrc", {
    configurable: true,
    enumerable: true,
    get() {
      const current = nativeCurrent.get.call(this);
      return names.get(current) ?? current;
    },
  });
})();
