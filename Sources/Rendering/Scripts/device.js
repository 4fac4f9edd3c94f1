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

  // An app's web view (WKWebView) has none, and it would outlive its creative in a session that others use.
  delete Navigator.prototype.serviceWorker;

  // An iPhone's screen keeps its upright size however it is held; elsewhere the sides swap.
  const isFixed = device.platform.startsWith("iP");
  let isLandscape = device.width > device.height;
  const [short, long] = [device.width, device.height].sort((a, b) => a - b);
  const isWide = () => isLandscape && !isFixed;
  for (const name of ["width", "availWidth"]) getter(Screen.prototype, name, () => (isWide() ? long : short));
  for (const name of ["height", "availHeight"]) getter(Screen.prototype, name, () => (isWide() ? short : long));
  if (!device.touch) return;

  const addHandler = (target, name) => {
    const property = "on" + name;
    if (property in target) return;
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
  };
  for (const name of ["touchstart", "touchmove", "touchend", "touchcancel"]) {
    for (const target of [Window.prototype, Document.prototype, HTMLElement.prototype]) addHandler(target, name);
  }
  addHandler(Window.prototype, "orientationchange");
  if (!("orientation" in window)) getter(Window.prototype, "orientation", () => (isLandscape ? 90 : 0));
  // The host says when the device is turned, just before it raises orientationchange.
  window.addEventListener(device.turns + "landscape", () => { isLandscape = true; });
  window.addEventListener(device.turns + "portrait", () => { isLandscape = false; });
})();
