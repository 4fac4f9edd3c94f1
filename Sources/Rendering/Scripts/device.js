// Makes the page see the device where the engine shows the machine under it; runs in every frame before the page.
(() => {
  "use strict";
  const device = __GALLEY_DEVICE__;
  const define = Object.defineProperty;
  const getter = (object, name, get) => {
    try { define(object, name, { get, set: undefined, configurable: true, enumerable: true }); } catch { /* fixed */ }
  };

  // Window scales are whole numbers: a fractional device is drawn at the next one and keeps its own ratio here.
  if (device.scale !== window.devicePixelRatio) getter(window, "devicePixelRatio", () => device.scale);
  getter(Navigator.prototype, "platform", () => device.platform);
  getter(Navigator.prototype, "vendor", () => device.vendor);
  getter(Navigator.prototype, "maxTouchPoints", () => (device.touch ? 5 : 0));

  // An app on iOS has none, and elsewhere they would outlive their creative in a session that others use.
  if (!device.serviceWorkers) delete Navigator.prototype.serviceWorker;
  // Nor have Android's web views workers that pages share.
  if (device.platform.startsWith("Linux arm")) delete window.SharedWorker;

  // An iPhone's screen keeps its upright size however it is held; elsewhere the sides swap.
  const isFixed = device.platform.startsWith("iP");
  let isLandscape = device.width > device.height;
  const [short, long] = [device.width, device.height].sort((a, b) => a - b);
  const isWide = () => isLandscape && !isFixed;
  for (const name of ["width", "availWidth"]) getter(Screen.prototype, name, () => (isWide() ? long : short));
  for (const name of ["height", "availHeight"]) getter(Screen.prototype, name, () => (isWide() ? short : long));
  if (!device.touch) return;

  const touches = ["touchstart", "touchmove", "touchend", "touchcancel"];
  const bind = (prototype, name) => Function.prototype.call.bind(prototype[name]);
  const getAttribute = bind(Element.prototype, "getAttribute");
  const setAttribute = bind(Element.prototype, "setAttribute");
  const removeAttribute = bind(Element.prototype, "removeAttribute");
  const createElement = bind(Document.prototype, "createElement");
  const preventDefault = bind(Event.prototype, "preventDefault");
  const clickHandler = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "onclick");

  // The handler of each target by event, and the attribute it was made from, if it was.
  const handlers = {};
  const assign = (self, name, handler, source) => {
    const previous = handlers[name].get(self);
    if (previous?.listener) self.removeEventListener(name, previous.listener);
    const isCallable = typeof handler === "function";
    const listener = isCallable ? (event) => { if (handler.call(self, event) === false) preventDefault(event); } : null;
    handlers[name].set(self, { handler: isCallable ? handler : null, listener, source });
    if (listener) self.addEventListener(name, listener);
  };

  // The engine makes a function of an attribute of its own, with an inline handler's scope and under the page's policy.
  const compile = (source) => {
    const helper = createElement(document, "i");
    // Its scope is the helper's; the element that it is called for comes first.
    setAttribute(helper, "onclick", `with (this) {\n${source}\n}`);
    return clickHandler.get.call(helper);
  };
  // The engine runs an attribute by itself, but only sends touches where somebody listens.
  const listen = () => {};
  const adopt = (element, name) => {
    const source = getAttribute(element, "on" + name);
    if (source === (handlers[name].get(element)?.source ?? null)) return;
    assign(element, name, null, source);
    if (source === null) return;
    handlers[name].set(element, { handler: compile(source), listener: listen, source });
    element.addEventListener(name, listen);
  };

  const addHandler = (target, name) => {
    const property = "on" + name;
    if (property in target) return;
    handlers[name] ??= new WeakMap();
    define(target, property, {
      configurable: true,
      enumerable: true,
      get() {
        const self = this ?? window;
        if (self instanceof Element) adopt(self, name);
        return handlers[name].get(self)?.handler ?? null;
      },
      set(handler) {
        const self = this ?? window;
        // Nothing else ends the engine's own handler.
        if (self instanceof Element) removeAttribute(self, property);
        assign(self, name, handler, null);
      },
    });
  };
  for (const name of touches) {
    const targets = [Window.prototype, Document.prototype, HTMLElement.prototype, SVGElement.prototype];
    for (const target of targets) addHandler(target, name);
  }

  const marked = touches.map((name) => `[on${name}]`).join();
  const adoptAll = (element) => {
    for (const name of touches) if (handlers[name]) adopt(element, name);
  };
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === "attributes") adoptAll(target);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches(marked)) adoptAll(node);
        for (const inner of node.querySelectorAll(marked)) adoptAll(inner);
      }
    }
  }).observe(document, {
    subtree: true, childList: true, attributes: true, attributeFilter: touches.map((name) => "on" + name),
  });
  addHandler(Window.prototype, "orientationchange");
  if (!("orientation" in window)) getter(Window.prototype, "orientation", () => (isLandscape ? 90 : 0));
  // The host says when the device is turned, just before it raises orientationchange.
  window.addEventListener(device.turns + "landscape", () => { isLandscape = true; });
  window.addEventListener(device.turns + "portrait", () => { isLandscape = false; });
})();
