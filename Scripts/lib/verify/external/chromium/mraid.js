// The host of an ad that is only looked at: it answers, and nothing is done. Chromium has no other.
(() => {
  "use strict";
  if (window.top !== window || window.mraid) return;
  const listeners = new Map();
  const size = () => ({ width: window.innerWidth, height: window.innerHeight });
  const place = () => ({ x: 0, y: 0, ...size() });
  let state = "loading";
  let properties = {};
  const raise = (event, ...values) => {
    for (const listener of [...(listeners.get(event) ?? [])]) {
      try { listener(...values); } catch (error) { setTimeout(() => { throw error; }); }
    }
  };
  const nothing = () => {};
  window.mraid = {
    getVersion: () => "3.0", getState: () => state, getPlacementType: () => "inline", isViewable: () => state !== "loading",
    addEventListener: (event, listener) => listeners.set(event, [...(listeners.get(event) ?? []), listener]),
    removeEventListener: (event, listener) =>
      listeners.set(event, listener ? (listeners.get(event) ?? []).filter((one) => one !== listener) : []),
    getScreenSize: () => ({ width: screen.width, height: screen.height }), getMaxSize: () => ({ width: screen.width, height: screen.height }),
    getCurrentPosition: place, getDefaultPosition: place, supports: () => false, getLocation: () => -1,
    getExpandProperties: () => ({ ...size(), useCustomClose: false, isModal: true }),
    getResizeProperties: () => properties, setResizeProperties: (value) => { properties = value; },
    getOrientationProperties: () => ({ allowOrientationChange: true, forceOrientation: "none" }),
    getCurrentAppOrientation: () => ({ orientation: "portrait", locked: false }),
    setExpandProperties: nothing, setOrientationProperties: nothing, useCustomClose: nothing, open: nothing, close: nothing,
    expand: nothing, resize: nothing, unload: nothing, playVideo: nothing, storePicture: nothing, createCalendarEvent: nothing,
    initVpaid: nothing,
  };
  window.addEventListener("load", () => setTimeout(() => {
    state = "default";
    raise("stateChange", state);
    raise("ready");
    raise("exposureChange", 100, place(), null);
    raise("viewableChange", true);
    raise("audioVolumeChange", 100);
  }));
})();
