// Shadow trees that a page closes to its own scripts are open to Galley's, which look for elements, texts and films in them;
// the page sees them closed. Runs in every frame before the page, after all scripts that look into trees.
(() => {
  "use strict";
  const { attachShadow } = Element.prototype;
  if (!attachShadow) return;
  const { apply } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const { WeakSet, ShadowRoot } = window;
  const bound = (method) => Function.prototype.call.bind(method);
  const [has, add] = [WeakSet.prototype.has, WeakSet.prototype.add].map(bound);
  const parentOf = bound(getOwnPropertyDescriptor(Node.prototype, "parentNode").get);
  const rootOf = bound(Node.prototype.getRootNode);
  const hostOf = bound(getOwnPropertyDescriptor(ShadowRoot.prototype, "host").get);
  const targetOf = bound(getOwnPropertyDescriptor(Event.prototype, "currentTarget").get);
  const closed = new WeakSet();
  let isAny = false;

  natives.method(Element.prototype, "attachShadow", (native, self, values) => {
    const init = values[0];
    if (typeof init !== "object" || init === null) return apply(native, self, values);
    // Whatever the page hands over is read once, as the engine would.
    const { mode, delegatesFocus, slotAssignment, clonable, serializable } = init;
    const isClosed = `${mode}` === "closed";
    const given = { __proto__: null, mode: isClosed ? "open" : mode, delegatesFocus, clonable, serializable };
    if (slotAssignment !== undefined) given.slotAssignment = slotAssignment;
    const root = apply(native, self, [given]);
    if (isClosed) {
      add(closed, root);
      isAny = true;
    }
    return root;
  });
  natives.getter(Element.prototype, "shadowRoot", (native, self, values) => {
    const root = apply(native, self, values);
    return isAny && root !== null && has(closed, root) ? null : root;
  });
  natives.getter(ShadowRoot.prototype, "mode", (native, self, values) => {
    const mode = apply(native, self, values);
    return has(closed, self) ? "closed" : mode;
  });
  // Of a closed tree's nodes an event only tells those that are in it.
  const isHidden = (node, from) => {
    if (!(node instanceof Node)) return false;
    for (let root = rootOf(node); root instanceof ShadowRoot; root = rootOf(hostOf(root))) {
      if (!has(closed, root)) continue;
      let at = from instanceof Node ? from : null;
      while (at !== null && at !== root) at = parentOf(at) ?? (at instanceof ShadowRoot ? hostOf(at) : null);
      if (at === null) return true;
    }
    return false;
  };
  natives.method(Event.prototype, "composedPath", (native, self, values) => {
    const path = apply(native, self, values);
    if (!isAny) return path;
    const from = targetOf(self);
    const told = [];
    for (let i = 0; i < path.length; i += 1) {
      if (isHidden(path[i], from)) continue;
      defineProperty(told, told.length, { __proto__: null, value: path[i], writable: true, enumerable: true, configurable: true });
    }
    return told;
  });
})();
