// What the device's own web view has and the engine under it hasn't: sensors, gestures, media devices, and what Android
// tells of itself. Nothing of it ever happens by itself: a phone that lies still, in an app that asks for no sensor.
// Runs in every frame before the page.
(() => {
  "use strict";
  const features = __GALLEY_FEATURES__;
  const { apply, construct } = Reflect;
  const { Promise, DOMException, EventTarget, Event, Object, Array, TypeError } = window;
  const { defineProperty, freeze } = Object;
  const { addEventListener: listen, removeEventListener: unlisten } = EventTarget.prototype;
  const preventDefault = Event.prototype.preventDefault;
  const isSecure = window.isSecureContext;
  const members = new WeakMap();
  const [read, write] = [WeakMap.prototype.get, WeakMap.prototype.set];
  const own = (self) => apply(read, members, [self]);
  const keep = (self, values) => { apply(write, members, [self, values]); return self; };
  const illegal = (name, owner) => new TypeError(`The ${owner}.${name} getter can only be used on instances of ${owner}`);
  // A member of an interface, which each of its objects has a value of.
  const attribute = (type, name, isEnumerable = true) => natives.addAccessor(type.prototype, name, function () {
    const values = own(this);
    if (!values) throw illegal(name, type.name);
    return values[name];
  }, undefined, isEnumerable);
  const handler = (owner, type, isEnumerable) => {
    const held = new WeakMap();
    natives.addAccessor(owner, `on${type}`, function () {
      return apply(read, held, [this ?? window])?.act ?? null;
    }, function (act) {
      const self = this ?? window;
      const before = apply(read, held, [self]);
      if (before) apply(unlisten, self, [type, before.hear]);
      const isUsed = typeof act === "function";
      const hear = isUsed ? (event) => { if (apply(act, self, [event]) === false) apply(preventDefault, event, []); } : null;
      apply(write, held, [self, isUsed ? { act, hear } : undefined]);
      if (isUsed) apply(listen, self, [type, hear]);
    }, isEnumerable);
  };
  const ofWindow = natives.find(window, "onclick")?.owner ?? Window.prototype;
  // An event of a kind that the engine has not: what its maker says, or nothing.
  const event = (name, defaults) => {
    const type = natives.addInterface(name, 1, Event, (values, maker) => {
      const made = construct(Event, values, maker);
      const given = Object(values[1] ?? {});
      const kept = { __proto__: null };
      for (const key in defaults) kept[key] = given[key] === undefined ? defaults[key] : given[key];
      return keep(made, kept);
    });
    for (const key in defaults) attribute(type, key);
    return type;
  };
  const denied = (message) => new DOMException(message, "NotAllowedError");

  // A document that is written anew keeps its window and what was added to it.
  if (features.hasSensors && !("DeviceMotionEvent" in window)) {
    const motion = event("DeviceMotionEvent", {
      __proto__: null, acceleration: null, accelerationIncludingGravity: null, rotationRate: null,
      interval: features.system === "iOS" ? null : 0,
    });
    const turned = { __proto__: null, alpha: null, beta: null, gamma: null };
    if (features.system === "iOS") Object.assign(turned, { webkitCompassHeading: 0, webkitCompassAccuracy: 0 });
    else turned.absolute = false;
    const orientation = event("DeviceOrientationEvent", turned);
    handler(ofWindow, "devicemotion");
    handler(ofWindow, "deviceorientation");
    if (features.system === "Android") handler(ofWindow, "deviceorientationabsolute");
    // An app that shows ads asks nobody for its sensors.
    if (features.system === "iOS") {
      for (const [type, name] of [[motion, "motion"], [orientation, "orientation"]]) {
        natives.addMethod(type, "requestPermission", 0, () => (navigator.userActivation?.isActive
          ? Promise.resolve("denied")
          : Promise.reject(denied(`Requesting device ${name} access requires a user gesture to prompt`))));
      }
    }
  }

  if (features.system === "iOS" && !("GestureEvent" in window)) {
    const gesture = natives.addInterface("GestureEvent", 0, window.UIEvent, null);
    for (const name of ["rotation", "scale"]) attribute(gesture, name);
    for (const type of ["gesturechange", "gestureend", "gesturestart"]) {
      for (const owner of [ofWindow, Document.prototype, HTMLElement.prototype]) handler(owner, type, false);
    }
    if (!("standalone" in navigator)) natives.addAccessor(Navigator.prototype, "standalone", () => false);
  }

  // Nothing but films fills the screen: elements have no such function in an app on iOS, elsewhere it fails, as in a frame
  // that may not. A film of an iPhone's fills it with the system's player, which nobody sees here.
  const asking = ["requestFullscreen", "webkitRequestFullscreen", "webkitRequestFullScreen"];
  const leaving = ["exitFullscreen", "webkitExitFullscreen", "webkitCancelFullScreen"];
  const shown = ["fullscreenElement", "webkitFullscreenElement", "webkitCurrentFullScreenElement"];
  const allowed = ["fullscreenEnabled", "webkitFullscreenEnabled"];
  if (features.system === "iOS") {
    for (const name of asking) Reflect.deleteProperty(Element.prototype, name);
    for (const name of [...leaving, ...shown, ...allowed, "webkitIsFullScreen"]) {
      Reflect.deleteProperty(Document.prototype, name);
    }
    const Video = HTMLVideoElement.prototype;
    const filling = new WeakSet();
    const { has, add, delete: remove } = WeakSet.prototype;
    const dispatch = EventTarget.prototype.dispatchEvent;
    const isReady = (film) => film.readyState > 0;
    const turn = (film, fills) => {
      if (apply(has, filling, [film]) === fills) return;
      apply(fills ? add : remove, filling, [film]);
      apply(dispatch, film, [new Event(fills ? "webkitbeginfullscreen" : "webkitendfullscreen", { bubbles: true })]);
    };
    for (const name of ["webkitEnterFullscreen", "webkitEnterFullScreen"]) {
      natives.method(Video, name, (native, self, values) => {
        if (!isReady(self)) throw new DOMException("The object is in an invalid state.", "InvalidStateError");
        turn(self, true);
      });
    }
    for (const name of ["webkitExitFullscreen", "webkitExitFullScreen"]) {
      natives.method(Video, name, (native, self) => turn(self, false));
    }
    natives.getter(Video, "webkitSupportsFullscreen", (native, self) => isReady(self));
    natives.getter(Video, "webkitDisplayingFullscreen", (native, self) => apply(has, filling, [self]));
  } else {
    const put = (owner, name, length, act) => {
      if (!natives.method(owner, name, act)) natives.addMethod(owner, name, length, () => act());
    };
    const refuse = () => Promise.reject(new TypeError("Fullscreen is not allowed"));
    put(Element.prototype, asking[0], 0, refuse);
    put(Document.prototype, leaving[0], 0, refuse);
    for (const name of asking.slice(1)) put(Element.prototype, name, 0, () => undefined);
    for (const name of leaving.slice(1)) put(Document.prototype, name, 0, () => undefined);
    for (const [names, value] of [[shown, null], [allowed, false], [["webkitIsFullScreen"], false]]) {
      for (const name of names) {
        if (!natives.getter(Document.prototype, name, () => value)) natives.addAccessor(Document.prototype, name, () => value);
      }
    }
  }

  // How the device is held: a phone by what its window says, a desktop as its screen is.
  if (!("orientation" in screen)) {
    const ofPhone = natives.find(window, "orientation")?.found.get;
    const isWide = ofPhone ? () => apply(ofPhone, window, []) !== 0 : () => screen.width > screen.height;
    const type = natives.addInterface("ScreenOrientation", 0, EventTarget, null);
    const held = keep(Object.setPrototypeOf(new EventTarget(), type.prototype), {
      __proto__: null,
      get type() { return isWide() ? "landscape-primary" : "portrait-primary"; },
      get angle() { return ofPhone && isWide() ? 90 : 0; },
    });
    for (const name of ["type", "angle"]) attribute(type, name);
    handler(type.prototype, "change");
    natives.addMethod(type.prototype, "lock", 1, () => Promise.reject(
      new DOMException("screen.orientation.lock() is not available on this device.", "NotSupportedError")));
    natives.addMethod(type.prototype, "unlock", 0, () => undefined);
    natives.addAccessor(Screen.prototype, "orientation", () => held);
    let wasWide = isWide();
    const dispatch = EventTarget.prototype.dispatchEvent;
    apply(listen, window, ["orientationchange", () => {
      if (isWide() === wasWide) return;
      wasWide = !wasWide;
      apply(dispatch, held, [construct(Event, ["change"])]);
    }]);
  }

  if (isSecure && features.hasMedia && !("mediaDevices" in navigator)) {
    const type = natives.addInterface("MediaDevices", 0, EventTarget, null);
    const devices = Object.setPrototypeOf(new EventTarget(), type.prototype);
    natives.addMethod(type.prototype, "enumerateDevices", 0, () => Promise.resolve([]));
    natives.addMethod(type.prototype, "getSupportedConstraints", 0, () => ({
      aspectRatio: true, deviceId: true, echoCancellation: true, facingMode: true, frameRate: true, groupId: true,
      height: true, sampleRate: true, sampleSize: true, volume: true, width: true,
    }));
    natives.addMethod(type.prototype, "getUserMedia", 0, () => Promise.reject(
      denied("The request is not allowed by the user agent or the platform in the current context, possibly because the user denied permission.")));
    handler(type.prototype, "devicechange");
    natives.addAccessor(Navigator.prototype, "mediaDevices", () => devices);
  }

  if (features.cores) natives.answer(Navigator.prototype, "hardwareConcurrency", () => features.cores);

  if (features.agent && !("vibrate" in navigator)) {
    const { agent } = features;
    natives.addMethod(Navigator.prototype, "vibrate", 1, () => !!navigator.userActivation?.hasBeenActive);
    if (isSecure) {
      const type = natives.addInterface("NavigatorUAData", 0, null, null);
      const brands = () => agent.brands.map(({ brand, version }) => ({ brand, version }));
      const low = () => ({ brands: brands(), mobile: agent.mobile, platform: agent.platform });
      const data = keep(Object.create(type.prototype), { __proto__: null, mobile: agent.mobile, platform: agent.platform, brands: freeze(brands()) });
      for (const name of ["brands", "mobile", "platform"]) attribute(type, name);
      natives.addMethod(type.prototype, "getHighEntropyValues", 1, (hints) => {
        const told = low();
        for (const hint of Array.from(hints ?? [])) if (Object.hasOwn(agent.details, hint)) told[hint] = agent.details[hint];
        return Promise.resolve(told);
      });
      natives.addMethod(type.prototype, "toJSON", 0, low);
      natives.addAccessor(Navigator.prototype, "userAgentData", () => data);
      natives.addAccessor(Navigator.prototype, "deviceMemory", () => 8);
    }
    const network = natives.addInterface("NetworkInformation", 0, EventTarget, null);
    const line = keep(Object.setPrototypeOf(new EventTarget(), network.prototype), {
      __proto__: null, effectiveType: "4g", rtt: 50, downlink: 10, saveData: false, type: "wifi",
    });
    for (const name of ["effectiveType", "rtt", "downlink", "saveData"]) attribute(network, name);
    if (agent.mobile) attribute(network, "type");
    handler(network.prototype, "change");
    natives.addAccessor(Navigator.prototype, "connection", () => line);
  }
  // A browser of Chromium's, which an app's web view isn't.
  if (features.isBrowser && !("chrome" in window)) {
    const chrome = { app: {} };
    natives.addMethod(chrome, "loadTimes", 0, () => ({}));
    natives.addMethod(chrome, "csi", 0, () => ({}));
    defineProperty(window, "chrome", { value: chrome, writable: true, enumerable: true, configurable: false });
  }

  // The names that drawing goes by: of the renderer the engine always says Apple's.
  if (features.graphics) {
    const names = new Map(features.graphics);
    const nameOf = Map.prototype.get;
    for (const type of ["WebGLRenderingContext", "WebGL2RenderingContext"]) {
      const owner = window[type]?.prototype;
      if (owner) natives.method(owner, "getParameter", (native, self, values) => {
        const value = apply(native, self, values);
        const name = typeof value === "string" ? apply(nameOf, names, [values[0]]) : undefined;
        return name === undefined ? value : type === "WebGL2RenderingContext" ? name.replace("WebGL 1.0", "WebGL 2.0").replace("ES 2.0", "ES 3.0").replace("ES 1.0", "ES 3.00") : name;
      });
    }
  }
})();
