// Everything by which an ad could tell Galley from a phone, one test each: true is what a phone would answer. The page
// says a JSON text of [name, held, seen] for each to its console, once before anybody touched it and once after.
"use strict";
const KIND = "__KIND__";
const found = [];
const isTouch = KIND !== "desktop";
const tell = (name, test, seen) => {
  let held = false, said = "";
  try {
    held = test() === true;
    said = seen ? String(seen()) : "";
  } catch (error) { said = String(error); }
  found.push([name, held, said.slice(0, 120)]);
};
const textOf = Function.prototype.toString;
const isNative = (made, name) => {
  const wanted = `function ${name}() {\n    [native code]\n}`;
  return typeof made === "function" && textOf.call(made) === wanted && String(made) === wanted && made + "" === wanted
    && made.toString() === wanted;
};
const isPlain = (made) => {
  if ("prototype" in made || JSON.stringify(Object.getOwnPropertyNames(made)) !== '["length","name"]') return false;
  const shape = JSON.stringify(Object.getOwnPropertyDescriptor(made, "name"));
  if (!shape.includes('"writable":false,"enumerable":false,"configurable":true')) return false;
  try { new made(); } catch (error) { return error instanceof TypeError && /not a constructor/.test(error.message); }
  return false;
};
const frame = document.createElement("iframe");
frame.style.display = "none";
(document.body ?? document.documentElement).append(frame);
const other = frame.contentWindow;
const ofFrame = other.Function.prototype.toString;

const METHODS = {
  window: ["setTimeout", "setInterval", "requestAnimationFrame", "cancelAnimationFrame"],
  console: ["log", "info", "warn", "error", "debug", "assert", "trace"],
  "HTMLMediaElement.prototype": ["play", "pause", "load"],
  "Element.prototype": ["setAttribute", "setPointerCapture", "releasePointerCapture", "hasPointerCapture"],
  "Storage.prototype": ["setItem"],
  "IDBFactory.prototype": ["open"],
  URL: ["createObjectURL", "revokeObjectURL"],
  Math: ["random"],
  "Crypto.prototype": ["getRandomValues", "randomUUID"],
  "Function.prototype": ["toString"],
  "AudioContext.prototype": ["resume", "suspend", "close"],
  "AudioScheduledSourceNode.prototype": ["start", "stop"],
};
const ACCESSORS = {
  "Navigator.prototype": ["platform", "vendor", "maxTouchPoints", "hardwareConcurrency"],
  "Screen.prototype": ["width", "height", "availWidth", "availHeight"],
  "HTMLMediaElement.prototype": ["src", "currentSrc", "paused", "ended", "currentTime", "playbackRate"],
  "Document.prototype": ["cookie"],
  "UserActivation.prototype": ["hasBeenActive", "isActive"],
  "BaseAudioContext.prototype": ["state", "currentTime"],
  window: ["devicePixelRatio", "localStorage", "sessionStorage"],
};
const MAKERS = ["Worker", "WebSocket", "AudioContext"];
const at = (path, root = window) => (path === "window" ? root : path.split(".").reduce((owner, name) => owner?.[name], root));
// What the engine itself says of an accessor, in one that is nobody's stand-in.
const sample = Object.getOwnPropertyDescriptor(Navigator.prototype, "language").get;
const getterName = (name) => textOf.call(sample).slice(9, -"() {\n    [native code]\n}".length).replace("language", name);

for (const [path, names] of Object.entries(METHODS)) {
  const owner = at(path);
  for (const name of names) {
    if (!owner || !(name in owner)) continue;
    tell(`${path}.${name} prints as native`, () => isNative(owner[name], name), () => textOf.call(owner[name]));
    tell(`${path}.${name} is shaped as native`, () => isPlain(owner[name]) && owner[name].name === name);
    tell(`${path}.${name} prints as native in a frame`, () => ofFrame.call(owner[name]).includes(`function ${name}()`) && ofFrame.call(owner[name]).includes("[native code]"), () => ofFrame.call(owner[name]));
  }
}
for (const [path, names] of Object.entries(ACCESSORS)) {
  const owner = at(path);
  for (const name of names) {
    if (!owner) continue;
    const own = () => Object.getOwnPropertyDescriptor(owner, name);
    tell(`${path}.${name} prints as native`, () => textOf.call(own().get) === `function ${getterName(name)}() {\n    [native code]\n}`, () => own() && textOf.call(own().get));
    tell(`${path}.${name} is shaped as native`, () => own().get.name === sample.name.replace("language", name) && own().enumerable && own().configurable && isPlain(own().get), () => JSON.stringify(own()) + own().get.name);
  }
}
for (const name of MAKERS) {
  if (!window[name]) continue;
  tell(`${name} prints as native`, () => textOf.call(window[name]) === `function ${name}() {\n    [native code]\n}`, () => textOf.call(window[name]));
  tell(`${name} is its prototype's constructor`, () => window[name].prototype.constructor === window[name]);
  tell(`${name} prints as native in a frame`, () => ofFrame.call(window[name]).includes(`function ${name}()`), () => ofFrame.call(window[name]));
}
tell("Audio prints as native", () => textOf.call(Audio) === "function Audio() {\n    [native code]\n}" && new Audio() instanceof HTMLAudioElement);
tell("an instance has no accessors of its own", () => ["platform", "vendor", "userActivation", "maxTouchPoints"].every((name) => !Object.hasOwn(navigator, name)) && !Object.hasOwn(screen, "width"));
tell("media elements have no setAttribute of their own", () => !Object.hasOwn(HTMLMediaElement.prototype, "setAttribute") && !Object.hasOwn(HTMLSourceElement.prototype, "setAttribute"));
tell("windows have no members of Galley's", () => !Object.getOwnPropertyNames(window).some((name) => /galley|^__(?!tcfapi|gpp|uspapi)/i.test(name)), () => Object.getOwnPropertyNames(window).filter((name) => /galley|^__/i.test(name)));
tell("frames have no members of Galley's", () => !Object.getOwnPropertyNames(other).some((name) => /galley|^__(?!tcfapi|gpp|uspapi)/i.test(name)), () => Object.getOwnPropertyNames(other).filter((name) => /galley|^__/i.test(name)));
tell("no handlers of a host", () => !window.webkit?.messageHandlers?.galley);
tell("a fresh frame has the device's platform", () => other.navigator.platform === navigator.platform, () => other.navigator.platform);
tell("a fresh frame has the device's pointer", () => other.matchMedia("(pointer: coarse)").matches === isTouch);
tell("a method of one frame works on another's objects", () => textOf.call(other.console.log).includes("function log()"));
tell("a getter minds its object", () => { try { Object.getOwnPropertyDescriptor(Navigator.prototype, "platform").get.call({}); } catch { return true; } return false; });
tell("the pixel ratio may be replaced", () => { const before = Object.getOwnPropertyDescriptor(window, "devicePixelRatio"); return typeof before.set === "function"; });

tell("pointer", () => matchMedia("(pointer: coarse)").matches === isTouch && matchMedia("(pointer: fine)").matches !== isTouch);
tell("any-pointer", () => matchMedia("(any-pointer: coarse)").matches === isTouch && matchMedia("(any-pointer: fine)").matches !== isTouch);
tell("hover", () => matchMedia("(hover: none)").matches === isTouch && matchMedia("(hover: hover)").matches !== isTouch);
tell("any-hover", () => matchMedia("(any-hover: none)").matches === isTouch && matchMedia("(any-hover: hover)").matches !== isTouch);
tell("pointer in a style sheet", () => {
  const style = document.createElement("style");
  style.textContent = "@media (pointer: coarse) { html { --pointed: coarse } }";
  document.head.append(style);
  return (getComputedStyle(document.documentElement).getPropertyValue("--pointed").trim() === "coarse") === isTouch;
});
for (const name of ["ontouchstart", "ontouchmove", "ontouchend", "ontouchcancel"]) {
  tell(`${name} of windows`, () => (name in window) === isTouch && Object.hasOwn(window, name) === isTouch);
  tell(`${name} of elements`, () => (name in document.body) === isTouch);
  if (isTouch) tell(`${name} prints as native`, () => textOf.call(Object.getOwnPropertyDescriptor(HTMLElement.prototype, name).set).includes("[native code]"), () => textOf.call(Object.getOwnPropertyDescriptor(HTMLElement.prototype, name).get));
}
tell("touch points", () => (navigator.maxTouchPoints === 5) === isTouch);
tell("TouchEvent", () => (typeof TouchEvent === "function") || !isTouch);
tell("screen.orientation", () => {
  const held = screen.orientation;
  const kept = ["portrait-primary", "landscape-primary"].includes(held.type) && held.angle === 0 && held === screen.orientation;
  const type = Object.getPrototypeOf(held).constructor;
  return kept && type.name === "ScreenOrientation" && isNative(type, "ScreenOrientation") && isNative(held.lock, "lock")
    && String(held) === "[object ScreenOrientation]" && !Object.keys(screen).includes("orientation") && held.onchange === null;
});
tell("the orientation", () => (window.orientation === 0) === isTouch);
tell("not touched yet", () => navigator.userActivation.hasBeenActive === false && navigator.userActivation.isActive === false);
tell("a fresh frame isn't touched yet", () => other.navigator.userActivation.hasBeenActive === false);

tell("the language is one", () => /^[a-z]{2}(-[A-Z]{2})?$/.test(navigator.language) && !!new Intl.DateTimeFormat(navigator.language), () => navigator.language);
tell("the user agent is a device's", () => !/galley|headless|gtk/i.test(navigator.userAgent));
tell("no webdriver", () => navigator.webdriver !== true);
tell("cores are a device's", () => [4, 8].includes(navigator.hardwareConcurrency), () => navigator.hardwareConcurrency);
tell("DeviceMotionEvent", () => (typeof DeviceMotionEvent === "function") === isTouch && (!isTouch || ("ondevicemotion" in window && new DeviceMotionEvent("devicemotion") instanceof Event)));
tell("DeviceOrientationEvent", () => (typeof DeviceOrientationEvent === "function") === isTouch && (!isTouch || ("ondeviceorientation" in window && new DeviceOrientationEvent("x", { alpha: 3 }).alpha === 3)));
tell("sensors ask for a permission on iOS alone", () => (typeof window.DeviceMotionEvent?.requestPermission === "function") === (KIND === "ios"));
if (isTouch) tell("DeviceMotionEvent prints as native", () => textOf.call(DeviceMotionEvent) === "function DeviceMotionEvent() {\n    [native code]\n}");
tell("GestureEvent", () => (typeof window.GestureEvent === "function") === (KIND === "ios") && ("ongesturestart" in window) === (KIND === "ios"));
tell("standalone", () => ("standalone" in navigator) === (KIND === "ios") && (KIND !== "ios" || navigator.standalone === false), () => navigator.standalone);
tell("share", () => ("share" in navigator) === (KIND !== "android") || KIND === "desktop", () => "share" in navigator);
tell("mediaDevices", () => typeof navigator.mediaDevices?.getUserMedia === "function" && Object.prototype.toString.call(navigator.mediaDevices) === "[object MediaDevices]");
tell("vibrate", () => KIND === "desktop" || ("vibrate" in navigator) === (KIND === "android"));
tell("userAgentData", () => KIND === "desktop" || ("userAgentData" in navigator) === (KIND === "android"));
if (KIND === "android") {
  tell("userAgentData's brands", () => navigator.userAgentData.brands.some(({ brand }) => brand === "Android WebView") && navigator.userAgentData.mobile === true);
  tell("a web view has no chrome", () => !("chrome" in window));
  tell("the connection", () => navigator.connection.effectiveType === "4g");
  tell("the memory", () => navigator.deviceMemory === 8);
}
const gl = document.createElement("canvas").getContext("webgl");
const names = gl?.getExtension("WEBGL_debug_renderer_info");
const renderer = names && gl.getParameter(names.UNMASKED_RENDERER_WEBGL);
tell("the renderer is the device's", () => (KIND === "android" ? /^(Mali|Adreno|Samsung)/.test(renderer) : KIND === "ios" ? renderer === "Apple GPU" : !/llvmpipe|swrast/i.test(renderer)), () => renderer);
tell("the renderer of WebGL 2", () => { const two = document.createElement("canvas").getContext("webgl2"); return !two || (two.getExtension("WEBGL_debug_renderer_info") !== null && two.getParameter(37446) === renderer); });

const began = performance.now();
for (let i = 0, sum = 0; i < 3e6; i += 1) sum += i % 7;
tell("a loop takes time", () => performance.now() > began, () => performance.now() - began);
let readings = 0;
for (const until = performance.now(); performance.now() === until && readings < 1e5;) readings += 1;
tell("a clock that is read over and over goes on", () => readings < 1e5);
tell("instants have fractions", () => [1, 2, 3].some(() => performance.now() % 1 !== 0), () => performance.now());
tell("the address is of the web", () => /^https?:/.test(location.protocol), () => location.href);
tell("V8's objects", () => (typeof Error.captureStackTrace === "function") === (KIND !== "ios") || KIND === "ios");
tell("nothing of Galley in MRAID_ENV", () => !/galley/i.test(JSON.stringify(window.MRAID_ENV ?? {})), () => JSON.stringify(window.MRAID_ENV));

const report = (rows) => { for (const row of rows) console.log("tell " + JSON.stringify(row)); };
const later = [];
const tellLater = (name, held, seen) => later.push([name, held === true, String(seen ?? "").slice(0, 120)]);
const inWorker = `const t = Function.prototype.toString;
  const all = [["Math.random", Math.random, "random"], ["crypto.getRandomValues", crypto.getRandomValues, "getRandomValues"],
    ["Function.prototype.toString", t, "toString"], ["setTimeout", setTimeout, "setTimeout"]];
  postMessage(all.map(([path, made, name]) => [path + " prints as native in a worker", t.call(made) === "function " + name + "() {\\n    [native code]\\n}", t.call(made)]));`;
const worker = new Worker(URL.createObjectURL(new Blob([inWorker])));
worker.onmessage = ({ data }) => { for (const row of data) later.push(row); };
const asked = performance.now();
fetch("https://127.0.0.1:1/").catch(() => tellLater("a request that fails takes time", performance.now() > asked, performance.now() - asked));
const moves = [];
for (const type of ["mousemove", "mousedown", "touchstart", "touchend", "click"]) addEventListener(type, (event) => moves.push([type, event.clientX ?? event.changedTouches?.[0]?.clientX, event]), true);
setTimeout(() => report([...found, ...later]), 400);
document.documentElement.style.height = "100%";
document.body.style.cssText += "; min-height: 50px; margin: 0; position: absolute; inset: 0";
addEventListener("click", () => setTimeout(() => {
  const all = moves.map(([type]) => type);
  report([
    ["touched now", navigator.userActivation.hasBeenActive === true && navigator.userActivation.isActive === true, ""],
    ["a frame of the page is touched with it", other.navigator.userActivation.hasBeenActive === true, ""],
    ["no mouse moves ahead of a finger", !isTouch || all.indexOf("mousemove") === -1 || all.indexOf("mousemove") > all.indexOf("touchend"), all.join()],
    ["the mouse that follows a tap stands where it was", !isTouch || moves.filter(([type]) => type === "mousedown").every(([, x]) => Math.abs(x - moves.find(([type]) => type === "touchstart")[2].changedTouches[0].clientX) < 1), all.join()],
  ]);
}, 0));
setTimeout(() => report([["a touch is over after five seconds", navigator.userActivation.isActive === false, ""]]), 20000);
