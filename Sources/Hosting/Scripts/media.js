// Lets video and audio of the creative's own files play; runs in every frame before the page.
// The engine's media stack only opens http and blob addresses, so a file of the creative's is fetched into a blob and
// the element gets that, while `src` and `currentSrc` keep saying what the page wrote.
(() => {
  "use strict";
  const scheme = "creative:";
  const { HTMLMediaElement: Media, HTMLSourceElement: Source } = window;
  const { prototype: Prototype } = Media;
  const { apply, construct } = Reflect;
  const sources = new WeakMap();
  const names = new Map();
  const adoptions = new WeakMap();
  const { fetch, URL, Promise, DOMException } = window;
  const createURL = URL.createObjectURL;
  const setAttribute = Function.prototype.call.bind(Element.prototype.setAttribute);
  const getAttribute = Function.prototype.call.bind(Element.prototype.getAttribute);
  const removeAttribute = Function.prototype.call.bind(Element.prototype.removeAttribute);
  const find = Function.prototype.call.bind(Element.prototype.querySelectorAll);
  const load = Function.prototype.call.bind(Prototype.load);
  const play = Function.prototype.call.bind(Prototype.play);
  const handled = Function.prototype.call.bind(Promise.prototype.catch);
  const then = Function.prototype.call.bind(Promise.prototype.then);
  const property = (name) => Object.getOwnPropertyDescriptor(Prototype, name);
  const bound = (method) => Function.prototype.call.bind(method);
  const native = property("src");
  const [readyState, networkState, currentAddress] = ["readyState", "networkState", "currentSrc"].map(
    (name) => bound(property(name).get));
  const rate = { get: bound(property("playbackRate").get), set: bound(property("playbackRate").set) };
  const [listen, dispatch] = [bound(EventTarget.prototype.addEventListener), bound(EventTarget.prototype.dispatchEvent)];
  const stop = bound(Event.prototype.stopImmediatePropagation);
  const { Event: Happening, Map: Calls } = window;
  const [later, frame] = [window.setTimeout.bind(window), window.requestAnimationFrame.bind(window)];
  const nativeSource = Object.getOwnPropertyDescriptor(Source.prototype, "src");

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

  // The engine empties an element whose address is taken away, and forgets how fast it was to play.
  const keepingPace = (owner, act) => {
    const speed = rate.get(owner);
    act();
    if (rate.get(owner) !== speed) rate.set(owner, speed);
  };
  // How often elements were emptied here, which pages are not to hear.
  const emptied = new WeakMap();
  const reload = (owner) => {
    if (networkState(owner) !== 0) emptied.set(owner, (emptied.get(owner) ?? 0) + 1);
    keepingPace(owner, () => load(owner));
  };

  // All of a file of the creative's is there once the engine has begun to read it, which it never believes of a blob.
  const whole = new WeakSet();
  const watched = new WeakSet();
  const paused = new WeakSet();
  const isWhole = (media) => whole.has(media) && readyState(media) >= 3;
  const acts = {
    emptied: (media) => {
      whole.delete(media);
      const own = emptied.get(media) ?? 0;
      if (own > 0) emptied.set(media, own - 1);
      return own > 0;
    },
    canplay: (media) => {
      if (whole.has(media) || !names.has(currentAddress(media))) return;
      whole.add(media);
      later(() => {
        if (!isWhole(media) || readyState(media) > 3) return;
        for (const type of ["progress", "suspend", "canplaythrough"]) dispatch(media, new Happening(type));
        // The engine waits for the rest before it begins by itself.
        if (media.autoplay && media.paused && !paused.has(media)) handled(media.play(), () => {});
      }, 0);
    },
    stalled: (media) => whole.has(media),
  };
  const watch = (media) => {
    if (watched.has(media)) return;
    watched.add(media);
    for (const type of ["emptied", "canplay", "stalled"]) {
      listen(media, type, (event) => { if (event.isTrusted && acts[type](media) === true) stop(event); }, true);
    }
  };
  natives.getter(Prototype, "readyState", (known, self, values) => {
    const state = apply(known, self, values);
    return state === 3 && isWhole(self) ? 4 : state;
  });
  natives.getter(Prototype, "networkState", (known, self, values) => {
    const state = apply(known, self, values);
    return (state === 2 && isWhole(self)) || (state === 0 && resting.has(self)) ? 1 : state;
  });

  // Who asks for no file before it plays has none until then.
  const resting = new WeakMap();
  const rests = (owner) => owner.preload === "none" && !owner.autoplay && owner.paused;
  const wake = (owner) => {
    const files = resting.get(owner) ?? [];
    resting.delete(owner);
    for (const bring of files) bring();
  };

  const ownerOf = (element) => (element instanceof Source ? element.parentElement : element);

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
    if (hasSources) reload(owner);
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
    const hasOwner = owner instanceof Media;
    removeAttribute(element, "src");
    if (hasOwner && element === owner) abandon(owner);
    if (hasOwner) {
      watch(owner);
      reload(owner);
    }
    if (hasOwner && rests(owner)) resting.set(owner, [...resting.get(owner) ?? [], () => bring(element, address, owner)]);
    else bring(element, address, hasOwner ? owner : null);
    return true;
  };
  const bring = (element, address, owner) => {
    if (sources.get(element) !== address) return;
    const adoption = owner ? wait(owner) : null;
    fetch(address).then((response) => (response.ok ? response.blob() : null), () => null).then((blob) => {
      if (sources.get(element) === address) {
        const shown = blob ? createURL(blob) : address;
        names.set(shown, address);
        if (owner === element) keepingPace(owner, () => setAttribute(element, "src", shown));
        else setAttribute(element, "src", shown);
      }
      if (owner) arrive(owner, adoption, element !== owner);
    });
  };

  const inspect = (node) => {
    if (!(node instanceof Media || (node instanceof Source && node.parentElement instanceof Media))) return;
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
      if (record.attributeName === "src") inspect(record.target);
      else if (record.type === "attributes" && resting.has(record.target) && !rests(record.target)) wake(record.target);
      for (const node of record.addedNodes) {
        if (node instanceof Element) inspectAll(node);
      }
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["src", "preload", "autoplay"] });

  const assign = (element, value, descriptor) => {
    sources.delete(element);
    if (adopt(element, value)) return;
    if (element instanceof Media) abandon(element);
    descriptor.set.call(element, webAddress(value) ?? value);
  };
  const define = (owner, descriptor) => {
    natives.getter(owner.prototype, "src", (native, self, values) => sources.get(self) ?? apply(native, self, values));
    natives.setter(owner.prototype, "src", (native, self, values) => assign(self, values[0], descriptor));
  };
  define(Media, native);
  define(Source, nativeSource);
  // The observer hears of it too late for a script that plays in its next line.
  natives.twin(Element.prototype, "setAttribute", (known) => ({ setAttribute(name, value) {
    const descriptor = this instanceof Media ? native : this instanceof Source ? nativeSource : null;
    if (descriptor && arguments.length > 1 && `${name}`.toLowerCase() === "src") assign(this, `${value}`, descriptor);
    else apply(known, this, arguments);
  } }).setAttribute);
  natives.method(Prototype, "play", (known, self, values) => {
    // One that isn't in the document hasn't been looked at.
    if (self instanceof Media) {
      inspectAll(self);
      wake(self);
    }
    const promise = apply(known, self, values);
    const adoption = adoptions.get(self);
    if (!adoption) return promise;
    // Without its file the element gives up, which isn't what the page is to hear.
    handled(promise, () => {});
    return new Promise((done, fail) => adoption.players.push({ done, fail }));
  });
  natives.method(Prototype, "pause", (known, self, values) => {
    if (self instanceof Media) paused.add(self);
    return apply(known, self, values);
  });
  natives.method(Prototype, "load", (known, self, values) => {
    const answer = apply(known, self, values);
    if (self instanceof Media) wake(self);
    return answer;
  });
  natives.getter(Prototype, "currentSrc", (known, self, values) => {
    const current = apply(known, self, values);
    return names.get(current) ?? current;
  });

  natives.maker(window, "Audio", (target, values, made) => {
    const audio = construct(target, values.slice(1), made);
    if (values[0] !== undefined) audio.src = values[0];
    return audio;
  });

  // Who draws a film's frames by itself asks for each; the engine tells of none of a film that nobody sees, and in stepped
  // time of none at all. A film that plays has some thirty a second, and one that rests a new one when it is sought.
  const Video = window.HTMLVideoElement.prototype;
  const askers = new WeakMap();
  const shortest = 30;
  let calls = 0;
  const comes = (film, asker) => {
    if (asker.isDue || asker.calls.size === 0 || !(asker.isNew || !film.paused) || readyState(film) < 2) return;
    asker.isDue = true;
    frame((now) => {
      asker.isDue = false;
      if (!asker.isNew && now - asker.last < shortest) return comes(film, asker);
      asker.isNew = false;
      asker.last = now;
      asker.frames += 1;
      const told = {
        presentationTime: now, expectedDisplayTime: now, width: film.videoWidth, height: film.videoHeight,
        mediaTime: film.currentTime, presentedFrames: asker.frames,
      };
      const due = [...asker.calls.values()];
      asker.calls.clear();
      for (const call of due) {
        try {
          call(now, told);
        } catch (error) {
          later(() => { throw error; }, 0);
        }
      }
    });
  };
  natives.method(Video, "requestVideoFrameCallback", (known, self, values) => {
    if (!(self instanceof window.HTMLVideoElement) || typeof values[0] !== "function") return apply(known, self, values);
    let asker = askers.get(self);
    if (!asker) {
      asker = { calls: new Calls(), isDue: false, isNew: false, last: -shortest, frames: 0 };
      askers.set(self, asker);
      const look = ({ type }) => {
        if (type !== "playing") asker.isNew = true;
        comes(self, asker);
      };
      for (const type of ["loadeddata", "seeked", "playing"]) listen(self, type, look);
    }
    calls += 1;
    asker.calls.set(calls, values[0]);
    comes(self, asker);
    return calls;
  });
  natives.method(Video, "cancelVideoFrameCallback", (known, self, values) => {
    const asker = askers.get(self);
    return asker ? void asker.calls.delete(values[0]) : apply(known, self, values);
  });
})();
