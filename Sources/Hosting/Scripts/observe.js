// Reports what a page writes to its console, what it keeps on the device and the sockets it opens; runs in every frame
// before anything of the page's.
// All that is used later is taken here, because creatives overwrite what they like.
(() => {
  "use strict";
  const say = __GALLEY_LINK__("page");
  const { apply, construct } = Reflect;
  const { getOwnPropertyDescriptor } = Object;
  const { stringify } = JSON;
  const { Error: Fault, WebSocket: Socket } = window;
  const text = String;
  const cut = String.prototype.slice;
  const short = (value, most) => apply(cut, value, [0, most]);

  // Without a prototype, nothing of the page's comes between what is said and its text.
  const report = (observed, detail) => say(stringify({ __proto__: null, observed, detail }));

  // A film fills the screen, or no longer.
  let turns = 100;
  for (const [type, entered] of [["webkitbeginfullscreen", true], ["webkitendfullscreen", false]]) {
    window.addEventListener?.(type, () => {
      turns -= 1;
      if (turns >= 0) report("fullScreen", { __proto__: null, entered });
    }, true);
  }

  const show = (value) => {
    try {
      if (typeof value === "object" && value !== null && !(value instanceof Fault)) {
        return short(stringify(value) ?? text(value), 2000);
      }
      return short(text(value), 2000);
    } catch {
      return "[unprintable]";
    }
  };

  // A page that logs in a loop fills the log once, not for ever.
  let budget = 500;
  const note = (level, values) => {
    const first = level === "assert" ? 1 : 0;
    if ((first === 1 && values[0]) || budget <= 0) return;
    budget -= 1;
    let shown = "";
    for (let i = first; i < values.length && i < 20; i += 1) shown += (i > first ? " " : "") + show(values[i]);
    report("console", { __proto__: null, level, text: short(shown, 4000) });
  };
  for (const level of ["log", "info", "warn", "error", "debug", "assert", "trace"]) {
    natives.method(console, level, (native, self, values) => {
      note(level, values);
      return apply(native, self, values);
    });
  }

  // What a page keeps, by which it could know the person again.
  const split = String.prototype.split;
  let kept = 100;
  const keeps = (kind, key) => {
    if (kept <= 0) return;
    kept -= 1;
    report("storage", { __proto__: null, kind, key: short(text(key), 200) });
  };
  const watch = (owner, name, member, tell) => {
    if (!owner) return;
    natives[member](owner, name, (native, self, values) => {
      try { tell(self, values[0]); } catch { /* the page's own values may do anything */ }
      return apply(native, self, values);
    });
  };
  const { Document, Storage, IDBFactory } = window;
  watch(Document?.prototype, "cookie", "setter", (self, value) => keeps("cookie", apply(split, text(value), ["="])[0]));

  // What is assigned as a member of a storage calls nothing: it is there once the script that asked for the storage has
  // ended.
  const { Set: Names, Object: { keys: namesOf }, queueMicrotask: later } = window;
  const { has, add } = Names.prototype;
  const storages = { __proto__: null };
  for (const kind of ["localStorage", "sessionStorage"]) {
    const get = getOwnPropertyDescriptor(window, kind)?.get;
    if (typeof get !== "function") continue;
    let known, isLooking = false;
    const look = (tell) => {
      const names = namesOf(apply(get, window, []));
      for (let i = 0; i < names.length && kept > 0; i += 1) {
        if (apply(has, known, [names[i]])) continue;
        apply(add, known, [names[i]]);
        tell?.(kind, names[i]);
      }
    };
    // What is there before the page's first word of it is nothing of its own.
    const begin = () => {
      if (known) return;
      known = new Names();
      look();
    };
    storages[kind] = {
      __proto__: null, get, note(key) { begin(); apply(add, known, [text(key)]); },
    };
    watch(window, kind, "getter", () => {
      begin();
      if (isLooking || kept <= 0) return;
      isLooking = true;
      later(() => {
        isLooking = false;
        try { look(keeps); } catch { /* it was closed meanwhile */ }
      });
    });
  }
  watch(Storage?.prototype, "setItem", "method", (self, key) => {
    const kind = self === apply(storages.localStorage.get, window, []) ? "localStorage" : "sessionStorage";
    storages[kind].note(key);
    keeps(kind, key);
  });
  watch(IDBFactory?.prototype, "open", "method", (self, name) => keeps("indexedDB", name));

  const listen = window.EventTarget?.prototype.addEventListener;
  const once = { __proto__: null, once: true };
  // Has each that the page makes of a kind be told with what it was made of.
  const watchMaking = (name, tell) => {
    natives.maker(window, name, (native, values, maker) => {
      const made = construct(native, values, maker);
      try { tell(made, values[0]); } catch { /* the page's own values may do anything */ }
      return made;
    });
  };

  // The engine loads a file once for all workers that wait for it, and tells them in the order of their addresses in
  // memory: which of them begins first nobody knows.
  const { URL: Address, Map: Table } = window;
  const { get: countOf, set: count } = Table.prototype;
  const href = getOwnPropertyDescriptor(Address?.prototype ?? {}, "href")?.get;
  const waiting = new Table();
  watchMaking("Worker", (worker, script) => {
    const url = apply(href, new Address(text(script), document.baseURI), []);
    const others = apply(countOf, waiting, [url]) ?? 0;
    apply(count, waiting, [url, others + 1]);
    if (others === 1) report("workersOfOneFile");
    let isHeard = false;
    const hear = () => {
      if (!isHeard) apply(count, waiting, [url, apply(countOf, waiting, [url]) - 1]);
      isHeard = true;
    };
    for (const name of ["message", "error"]) apply(listen, worker, [name, hear, once]);
  });

  // The engine tells nobody of web sockets; the host looks up which of them are kept from their servers.
  const address = Socket && getOwnPropertyDescriptor(Socket.prototype, "url").get;
  let sockets = 200;
  watchMaking("WebSocket", (socket) => {
    if (sockets <= 0) return;
    sockets -= 1;
    const url = short(apply(address, socket, []), 2048);
    report("socket", { __proto__: null, url });
    // Open or refused, it isn't waited for any more.
    let isSettled = false;
    const settle = () => {
      if (!isSettled) report("socketSettled", { __proto__: null, url });
      isSettled = true;
    };
    for (const name of ["open", "error", "close"]) apply(listen, socket, [name, settle, once]);
  });
})();
