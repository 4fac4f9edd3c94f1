// The interface of an ad network for playables, in place of mraid: functions, words for the parent window, listeners.
// What there is, and what each does, stands in the container's data; the host decides what the page is told and when.
(bridge) => {
  const { playable, getters, volume, put, append, remaining, copy, guarded, post, hasGesture, plainList, eventText } = bridge;
  const root = window;
  const { Proxy } = root;
  const { apply } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor, keys } = Object;
  const split = String.prototype.split;
  const reported = { __proto__: null };
  // Functions of the page by the event or the function that it gave them to.
  const heard = { __proto__: null };

  const report = (call, values, problem) => {
    post({ __proto__: null, type: "playable", call, args: plainList(values), gesture: hasGesture(), problem });
  };
  const eventProblem = (name) =>
    (typeof name === "string" && playable.sends[name] !== undefined ? undefined : "unknown event " + eventText(name));
  const listenerProblem = (name, listener) =>
    eventProblem(name) ?? (typeof listener === "function" ? undefined : "the listener is no function");
  const add = (name, listener) => {
    if (listenerProblem(name, listener) !== undefined) return;
    heard[name] ??= [];
    append(heard[name], listener);
  };
  // A question is reported the first time only: games ask in every frame.
  const question = (answer) => (path) => (values) => {
    if (reported[path] !== true) report(path, values);
    reported[path] = true;
    return answer();
  };
  const told = (path) => (values) => { report(path, values); };
  const roles = {
    __proto__: null,
    store: told,
    call: told,
    end: told,
    size: question(getters.getMaxSize),
    volume: question(volume),
    isViewable: question(() => getters.isViewable() === true),
    isReady: question(() => getters.getState() !== "loading"),
    addListener: (path) => (values) => {
      report(path, [values[0]], listenerProblem(values[0], values[1]));
      add(values[0], values[1]);
    },
    // Without a listener it removes all of the event's.
    removeListener: (path) => (values) => {
      report(path, [values[0]], eventProblem(values[0]));
      const name = values[0];
      if (typeof name !== "string" || heard[name] === undefined) return;
      heard[name] = remaining(heard[name], values[1]);
    },
    callback: (path) => (values) => {
      report(path, []);
      add(path, values[0]);
    },
  };

  // A function of the network's, which shows no text of its own, as one of an app doesn't.
  const native = (name, body) => {
    const blank = { blank() {} }.blank;
    defineProperty(blank, "name", { __proto__: null, value: name, configurable: true });
    return new Proxy(blank, { __proto__: null, apply: (target, self, values) => body(values) });
  };
  const place = (path, value) => {
    const names = apply(split, path, ["."]);
    let owner = root;
    for (let i = 0; i < names.length - 1; i += 1) {
      if (!getOwnPropertyDescriptor(owner, names[i])) put(owner, names[i], {});
      owner = getOwnPropertyDescriptor(owner, names[i]).value;
    }
    const name = names[names.length - 1];
    put(owner, name, value(name));
  };
  const paths = keys(playable.functions);
  for (let i = 0; i < paths.length; i += 1) {
    const body = roles[playable.functions[paths[i]]](paths[i]);
    place(paths[i], (name) => native(name, body));
  }

  // The window is its own parent here: words for the network aren't for the page.
  if (keys(playable.messages).length > 0) {
    const { get: dataOf } = getOwnPropertyDescriptor(MessageEvent.prototype, "data");
    const { get: sourceOf } = getOwnPropertyDescriptor(MessageEvent.prototype, "source");
    const stop = Event.prototype.stopImmediatePropagation;
    apply(EventTarget.prototype.addEventListener, root, ["message", (event) => {
      const word = apply(dataOf, event, []);
      // An event that the page makes itself was posted to nobody.
      if (!event.isTrusted || typeof word !== "string" || apply(sourceOf, event, []) !== root) return;
      const call = playable.messages[word];
      if (call === undefined) return;
      apply(stop, event, []);
      report(call, []);
    }, true]);
  }

  // What the page has under a name of its own; a getter that throws has nothing.
  const ownFunction = (name) => {
    try {
      const value = root[name];
      return typeof value === "function" ? [value] : [];
    } catch (hostile) {
      return [];
    }
  };
  // Calls the page, which may change its listeners meanwhile.
  return (name, values) => {
    const found = playable.sends[name] === "function" ? ownFunction(name) : heard[name] ?? [];
    const called = [];
    for (let i = 0; i < found.length; i += 1) append(called, found[i]);
    post({ __proto__: null, type: "sent", call: name, answered: called.length > 0 });
    for (let i = 0; i < called.length; i += 1) guarded(name, called[i], undefined, copy(values));
  };
}
