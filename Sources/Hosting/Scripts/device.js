// Makes the page see the device where the engine shows the machine under it; runs in every frame before the page.
(() => {
  "use strict";
  const device = __GALLEY_DEVICE__;

  // Window scales are whole numbers: a fractional device is drawn at the next one and keeps its own ratio here.
  if (device.scale !== window.devicePixelRatio) natives.answer(window, "devicePixelRatio", () => device.scale);
  natives.answer(Navigator.prototype, "platform", () => device.platform);
  natives.answer(Navigator.prototype, "vendor", () => device.vendor);
  natives.answer(Navigator.prototype, "maxTouchPoints", () => (device.touch ? 5 : 0));

  // The engine says twice that a window has the focus again.
  let hasFocus = null;
  const stop = Event.prototype.stopImmediatePropagation;
  for (const type of ["focus", "blur"]) {
    window.addEventListener(type, (event) => {
      if (!event.isTrusted || event.target !== window) return;
      if (hasFocus === (type === "focus")) Reflect.apply(stop, event, []);
      hasFocus = type === "focus";
    }, true);
  }

  // An app on iOS has none, and elsewhere they would outlive their creative in a session that others use.
  if (!device.serviceWorkers) delete Navigator.prototype.serviceWorker;
  // Nor have Android's web views workers that pages share.
  if (device.platform.startsWith("Linux arm")) delete window.SharedWorker;

  // An iPhone's screen keeps its upright size however it is held; elsewhere the sides swap.
  const isFixed = device.platform.startsWith("iP");
  let isLandscape = device.width > device.height;
  const [short, long] = [device.width, device.height].sort((a, b) => a - b);
  const isWide = () => isLandscape && !isFixed;
  const screenSide = (name, side) => natives.answer(Screen.prototype, name, side);
  for (const name of ["width", "availWidth"]) screenSide(name, () => (isWide() ? long : short));
  for (const name of ["height", "availHeight"]) screenSide(name, () => (isWide() ? short : long));
  const touches = ["touchstart", "touchmove", "touchend", "touchcancel"];
  if (!device.touch) {
    // A process that has shown a phone's page keeps the handlers that the engine has for a finger.
    const owners = [window, Window.prototype, Document.prototype, HTMLElement.prototype, SVGElement.prototype];
    for (const name of touches) for (const owner of owners) Reflect.deleteProperty(owner, `on${name}`);
    return;
  }
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
    natives.addAccessor(target, property, function () {
      const self = this ?? window;
      if (self instanceof Element) adopt(self, name);
      return handlers[name].get(self)?.handler ?? null;
    }, function (handler) {
      const self = this ?? window;
      // Nothing else ends the engine's own handler.
      if (self instanceof Element) removeAttribute(self, property);
      assign(self, name, handler, null);
    });
  };
  // Where the engine has a window's handlers.
  const ofWindow = natives.find(window, "onclick")?.owner ?? Window.prototype;
  for (const name of touches) {
    const targets = [ofWindow, Document.prototype, HTMLElement.prototype, SVGElement.prototype];
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
  addHandler(ofWindow, "orientationchange");
  if (!("orientation" in window)) natives.addAccessor(ofWindow, "orientation", () => (isLandscape ? 90 : 0));
  // The host says when the device is turned, just before it raises orientationchange.
  window.addEventListener(device.turns + "landscape", () => { isLandscape = true; });
  window.addEventListener(device.turns + "portrait", () => { isLandscape = false; });
})();
