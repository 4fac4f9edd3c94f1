// Lets video and audio of the creative's own files play; runs in every frame before the page.
// The engine's media stack only opens http and blob addresses, so a file of the creative's is fetched into a blob and
// the element gets that, while `src` and `currentSrc` keep saying what the page wrote.
(() => {
  "use strict";
  const scheme = "creative:";
  const Media = HTMLMediaElement.prototype;
  const sources = new WeakMap();
  const names = new Map();
  const adoptions = new WeakMap();
  const { fetch, URL, Promise, DOMException } = window;
  const createURL = URL.createObjectURL;
  const setAttribute = Function.prototype.call.bind(Element.prototype.setAttribute);
  const getAttribute = Function.prototype.call.bind(Element.prototype.getAttribute);
  const removeAttribute = Function.prototype.call.bind(Element.prototype.removeAttribute);
  const find = Function.prototype.call.bind(Element.prototype.querySelectorAll);
  const load = Function.prototype.call.bind(Media.load);
  const play = Function.prototype.call.bind(Media.play);
  const handled = Function.prototype.call.bind(Promise.prototype.catch);
  const then = Function.prototype.call.bind(Promise.prototype.then);
  const native = Object.getOwnPropertyDescriptor(Media, "src");
  const nativeCurrent = Object.getOwnPropertyDescriptor(Media, "currentSrc");
  const nativeSource = Object.getOwnPropertyDescriptor(HTMLSourceElement.prototype, "src");

  const parse = (value) => {
    try {
      return new URL(value, document.baseURI);
    } catch {
      return null;
    }
  };
  // `//host/film.mp4` is of the web: hosts of the creative's own scheme are single words.
  const isOfWeb = (url) => url?.protocol === scheme && (/[.:[\]@%]/.test(url.host) || url.hostname === "localhost");
  const ownAddress = (value) => {
    const url = parse(value);
    return url?.protocol === scheme && !isOfWeb(url) ? url.href : null;
  };
  const webAddress = (value) => {
    const url = parse(value);
    return isOfWeb(url) ? "https:" + url.href.slice(scheme.length) : null;
  };

  const ownerOf = (element) => (element instanceof HTMLSourceElement ? element.parentElement : element);

  // What an element waits for: files, and then whoever had it play meanwhile.
  const wait = (owner) => {
    const adoption = adoptions.get(owner) ?? { files: 0, players: [] };
    adoptions.set(owner, adoption);
    adoption.files += 1;
    return adoption;
  };
  const abandon = (owner) => {
    const adoption = adoptions.get(owner);
    adoptions.delete(owner);
    for (const { fail } of adoption?.players ?? []) fail(new DOMException("The operation was aborted.", "AbortError"));
  };
  const arrive = (owner, adoption, hasSources) => {
    adoption.files -= 1;
    if (adoption.files > 0 || adoptions.get(owner) !== adoption) return;
    const isPaused = owner.paused;
    if (hasSources) load(owner);
    if (isPaused) return abandon(owner);
    adoptions.delete(owner);
    const settle = (name) => (value) => adoption.players.forEach((player) => player[name](value));
    if (adoption.players.length > 0) then(play(owner), settle("done"), settle("fail"));
  };

  // Takes the address away before the engine tries it, and puts the blob in its place.
  const adopt = (element, value) => {
    const address = ownAddress(value);
    if (!address || sources.get(element) === address) return false;
    sources.set(element, address);
    const owner = ownerOf(element);
    const hasOwner = owner instanceof HTMLMediaElement;
    removeAttribute(element, "src");
    if (hasOwner && element === owner) abandon(owner);
    if (hasOwner) load(owner);
    const adoption = hasOwner ? wait(owner) : null;
    fetch(address).then((response) => (response.ok ? response.blob() : null), () => null).then((blob) => {
      if (sources.get(element) === address) {
        const shown = blob ? createURL(blob) : address;
        names.set(shown, address);
        setAttribute(element, "src", shown);
      }
      if (hasOwner) arrive(owner, adoption, element !== owner);
    });
    return true;
  };

  const inspect = (node) => {
    if (!(node instanceof HTMLMediaElement || (node instanceof HTMLSourceElement && node.parentElement instanceof HTMLMediaElement))) return;
    const value = getAttribute(node, "src");
    if (!value || names.has(value)) return;
    const address = webAddress(value);
    if (!address) return void adopt(node, value);
    setAttribute(node, "src", address);
    if (node !== ownerOf(node)) load(ownerOf(node));
  };
  const inspectAll = (root) => {
    inspect(root);
    for (const inner of find(root, "video, audio, source")) inspect(inner);
  };

  new MutationObserver((records) => {
    for (const record of records) {
      if (record.type === "attributes") inspect(record.target);
      for (const node of record.addedNodes) {
        if (node instanceof Element) inspectAll(node);
      }
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["src"] });

  const assign = (element, value, descriptor) => {
    sources.delete(element);
    if (adopt(element, value)) return;
    if (element instanceof HTMLMediaElement) abandon(element);
    descriptor.set.call(element, webAddress(value) ?? value);
  };
  const define = (owner, descriptor) => {
    const { prototype } = owner;
    Object.defineProperty(prototype, "src", {
      configurable: true,
      enumerable: true,
      get() { return sources.get(this) ?? descriptor.get.call(this); },
      set(value) { assign(this, value, descriptor); },
    });
    // The observer hears of it too late for a script that plays in its next line.
    Object.defineProperty(prototype, "setAttribute", {
      configurable: true,
      enumerable: true,
      writable: true,
      value: { setAttribute(name, value) {
        if (`${name}`.toLowerCase() === "src" && this instanceof owner) assign(this, `${value}`, descriptor);
        else setAttribute(this, name, value);
      } }.setAttribute,
    });
  };
  define(HTMLMediaElement, native);
  define(HTMLSourceElement, nativeSource);
  Object.defineProperty(Media, "play", {
    configurable: true,
    enumerable: true,
    writable: true,
    value: { play() {
      // One that isn't in the document hasn't been looked at.
      if (this instanceof HTMLMediaElement) inspectAll(this);
      const promise = play(this);
      const adoption = adoptions.get(this);
      if (!adoption) return promise;
      // Without its file the element gives up, which isn't what the page is to hear.
      handled(promise, () => {});
      return new Promise((done, fail) => adoption.players.push({ done, fail }));
    } }.play,
  });
  Object.defineProperty(Media, "currentSrc", {
    configurable: true,
    enumerable: true,
    get() {
      const current = nativeCurrent.get.call(this);
      return names.get(current) ?? current;
    },
  });

  const { Audio, Proxy, Reflect } = window;
  window.Audio = new Proxy(Audio, {
    construct(target, [source, ...rest], made) {
      const audio = Reflect.construct(target, rest, made);
      if (source !== undefined) audio.src = source;
      return audio;
    },
  });
})();
