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
  if (!device.touch) return;

  for (const name of ["touchstart", "touchmove", "touchend", "touchcancel"]) {
    for (const target of [Window.prototype, Document.prototype, HTMLElement.prototype]) {
      const property = "on" + name;
      if (property in target) continue;
      const handlers = new WeakMap();
      define(target, property, {
        configurable: true,
        enumerable: true,
        get() { return handlers.get(this ?? window)?.handler ?? null; },
        set(handler) {
          const self = this ?? window;
          const previous = handlers.get(self);
          if (previous) self.removeEventListener(name, previous.listener);
          handlers.delete(self);
          if (typeof handler !== "function") return;
          const listener = (event) => { if (handler.call(self, event) === false) event.preventDefault(); };
          handlers.set(self, { handler, listener });
          self.addEventListener(name, listener);
        },
      });
    }
  }
  if (!("orientation" in window)) {
    getter(Window.prototype, "orientation", () => (screen.width > screen.height ? 90 : 0));
    if (!("onorientationchange" in window)) define(window, "onorientationchange", { value: null, writable: true, configurable: true });
  }
})();
