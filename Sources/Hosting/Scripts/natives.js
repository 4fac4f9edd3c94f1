// The one way in which Galley's scripts put functions in the place of the engine's: a page that looks at them sees the
// engine's own, by text, name, length, descriptor and realm. The scripts of a frame share it in one closure, and workers
// get its text: so no comment stands in it, and nothing from around it. A table says which text belongs to a stand-in;
// windows of one origin share it, and whether a person has
// touched them, since each may look at the functions of another.
(scope, known) => {
  "use strict";
  const { Proxy, WeakMap, Reflect, Object } = scope;
  const { apply, construct } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor, setPrototypeOf, getPrototypeOf } = Object;
  const { get: read, set: write } = WeakMap.prototype;
  const bare = (value) => setPrototypeOf(value, null);
  const shared = known ?? bare({ texts: new WeakMap(), isTouched: false, touchedAt: -Infinity });
  const table = shared.texts;
  const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";
  const put = (owner, name, descriptor) => defineProperty(owner, name, bare(descriptor));
  const know = (twin, text) => {
    apply(write, table, [twin, isObject(text) ? apply(read, table, [text]) ?? text : text]);
    return twin;
  };
  const within = (native, around) => {
    const twin = new Proxy(native, bare({ apply: (target, self, values) => around(target, self, values) }));
    return know(twin, native);
  };
  const make = (name, length, call, shown) => {
    const blank = { blank() {} }.blank;
    put(blank, "name", { value: name, configurable: true });
    put(blank, "length", { value: length, configurable: true });
    const twin = new Proxy(blank, bare({ apply: (target, self, values) => apply(call, self, values) }));
    return know(twin, "function " + (shown ?? name) + "() {\n    [native code]\n}");
  };
  const find = (owner, name) => {
    for (let at = owner; isObject(at); at = getPrototypeOf(at)) {
      const found = getOwnPropertyDescriptor(at, name);
      if (found) return { owner: at, found };
    }
    return null;
  };
  const like = (native, twin) => {
    put(twin, "name", { value: native.name, configurable: true });
    put(twin, "length", { value: native.length, configurable: true });
    return know(twin, native);
  };
  const twin = (owner, name, make) => {
    const found = getOwnPropertyDescriptor(owner, name);
    if (typeof found?.value !== "function") return false;
    put(owner, name, { ...found, value: like(found.value, make(found.value)) });
    return true;
  };
  const answer = (owner, name, value) => getter(owner, name, (native, self, values) => {
    apply(native, self, values);
    return value();
  });
  const method = (owner, name, around) => {
    const found = getOwnPropertyDescriptor(owner, name);
    if (typeof found?.value !== "function") return false;
    put(owner, name, { ...found, value: within(found.value, around) });
    return true;
  };
  const getter = (owner, name, around) => {
    const found = getOwnPropertyDescriptor(owner, name);
    if (typeof found?.get !== "function") return false;
    put(owner, name, { ...found, get: within(found.get, around) });
    return true;
  };
  const setter = (owner, name, around) => {
    const found = getOwnPropertyDescriptor(owner, name);
    if (typeof found?.set !== "function") return false;
    put(owner, name, { ...found, set: within(found.set, around) });
    return true;
  };
  const members = (owner, name, own) => {
    const given = getOwnPropertyDescriptor(own, name);
    if (given.value) method(owner, name, (native, self, values) => apply(given.value, self, values));
    if (given.get) getter(owner, name, (native, self, values) => apply(given.get, self, values));
    if (given.set) setter(owner, name, (native, self, values) => apply(given.set, self, values));
  };
  const addMethod = (owner, name, length, call) => {
    put(owner, name, { value: make(name, length, call), writable: true, enumerable: true, configurable: true });
  };
  const addAccessor = (owner, name, get, set, enumerable = true) => {
    put(owner, name, {
      get: make("get " + name, 0, get, name), set: set && make("set " + name, 1, set, name),
      enumerable, configurable: true,
    });
  };
  const maker = (owner, name, build) => {
    const found = getOwnPropertyDescriptor(owner, name);
    const native = found?.value;
    if (typeof native !== "function") return null;
    const twin = know(new Proxy(native, bare({
      construct: (target, values, made) => build(target, values, made === twin ? target : made),
    })), native);
    put(owner, name, { ...found, value: twin });
    const { prototype } = native;
    const own = prototype && getOwnPropertyDescriptor(prototype, "constructor");
    if (own?.value === native) put(prototype, "constructor", { ...own, value: twin });
    return twin;
  };
  const addInterface = (name, length, parent, build) => {
    const made = function () {};
    const illegal = () => { throw new scope.TypeError("Illegal constructor"); };
    const refuse = () => { throw new scope.TypeError("Constructor requires 'new' operator"); };
    put(made, "name", { value: name, configurable: true });
    put(made, "length", { value: length, configurable: true });
    const prototype = Object.create(parent ? parent.prototype : Object.prototype);
    put(made, "prototype", { value: prototype, writable: false, enumerable: false, configurable: false });
    if (parent) setPrototypeOf(made, parent);
    const twin = know(new Proxy(made, bare({
      apply: refuse,
      construct: (target, values, maker) => (build ? build(values, maker) : illegal()),
    })), "function " + name + "() {\n    [native code]\n}");
    put(prototype, "constructor", { value: twin, writable: true, enumerable: false, configurable: true });
    put(prototype, scope.Symbol.toStringTag, { value: name, configurable: true });
    put(scope, name, { value: twin, writable: true, enumerable: false, configurable: true });
    return twin;
  };
  method(scope.Function.prototype, "toString", (native, self, values) => {
    const text = isObject(self) ? apply(read, table, [self]) : undefined;
    return typeof text === "string" ? text : apply(native, text ?? self, values);
  });
  return bare({
    shared, method, getter, setter, answer, members, twin, maker, addMethod, addAccessor, addInterface, find, make,
    apply, construct,
  });
}
