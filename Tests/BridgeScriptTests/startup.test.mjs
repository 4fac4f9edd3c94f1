import assert from "node:assert/strict";
import { test } from "node:test";
import { initialProperties, Page } from "./page.mjs";

const v1 = [
  "addEventListener", "removeEventListener", "close", "expand", "getExpandProperties", "setExpandProperties",
  "getPlacementType", "getState", "getVersion", "isViewable", "open", "useCustomClose",
];
const v2 = [
  "createCalendarEvent", "getCurrentPosition", "getDefaultPosition", "getMaxSize", "getScreenSize",
  "getResizeProperties", "setResizeProperties", "resize", "getOrientationProperties", "setOrientationProperties",
  "playVideo", "storePicture", "supports",
];
const v3 = ["unload", "getLocation", "getCurrentAppOrientation", "initVpaid"];

for (const name of [...v1, ...v2, ...v3]) {
  test(`mraid.${name} is an enumerable function from the first script`, () => {
    const page = new Page();
    assert.equal(page.run(`typeof mraid.${name}`), "function");
    assert.ok(page.json("Object.keys(mraid)").includes(name));
  });
}

test("there are no methods beyond the standard's", () => {
  assert.deepEqual(new Page().json("Object.keys(mraid)").sort(), [...v1, ...v2, ...v3].sort());
});

test("nothing is posted before the page calls anything", () => {
  assert.deepEqual(new Page().messages, []);
});

test("MRAID_ENV is there with what the host gave, escapes undone", () => {
  assert.deepEqual(new Page().json("MRAID_ENV"), { version: "3.0", sdk: "Galley", sdkVersion: "1.0", ifa: "</script>" });
});

test("the first script sees loading and every property", () => {
  const page = new Page();
  assert.equal(page.run("mraid.getState()"), "loading");
  assert.equal(page.run("mraid.getVersion()"), "3.0");
  assert.equal(page.run("mraid.getPlacementType()"), "inline");
  assert.equal(page.run("mraid.isViewable()"), false);
  assert.equal(page.run("mraid.getLocation()"), -1);
  assert.deepEqual(page.json("mraid.getMaxSize()"), initialProperties.maxSize);
  assert.deepEqual(page.json("mraid.getScreenSize()"), initialProperties.screenSize);
  assert.deepEqual(page.json("mraid.getDefaultPosition()"), initialProperties.defaultPosition);
  assert.deepEqual(page.json("mraid.getCurrentPosition()"), initialProperties.currentPosition);
  assert.deepEqual(page.json("mraid.getCurrentAppOrientation()"), { orientation: "portrait", locked: false });
  assert.deepEqual(page.json("mraid.getOrientationProperties()"), initialProperties.orientationProperties);
});

test("the host's world may begin after the bridge", () => {
  const page = new Page({ isLate: true });
  page.run("mraid.close()");
  assert.equal(page.calls("close").length, 1);
});

test("without a host mraid is there all the same", () => {
  const page = new Page({ before: "MouseEvent = class { constructor() { this.type = 'nothing' } }" });
  assert.equal(page.run("mraid.expand(); mraid.getState()"), "loading");
});

test("a second run in the same document changes nothing", () => {
  const page = new Page().ready();
  page.run("window.first = mraid; window.mraid.mine = 1");
  page.run(page.script);
  assert.equal(page.run("first === mraid && mraid.mine === 1 && mraid.getState() === 'default'"), true);
});

test("a page may replace window.mraid, and the bridge keeps working", () => {
  const page = new Page();
  page.run("const kept = mraid; var seen = []; kept.addEventListener('stateChange', (s) => seen.push(s)); mraid = {}");
  page.ready();
  assert.deepEqual(page.json("[seen, typeof mraid.getState, kept.getState()]"), [["default"], "undefined", "default"]);
});

test("window.mraid = window.mraid || {} keeps the bridge", () => {
  assert.equal(new Page().run("window.mraid = window.mraid || {}; mraid.getState()"), "loading");
});

test("the page finds nothing of the bridge's but mraid and its environment", () => {
  const names = "Object.getOwnPropertyNames(globalThis).concat(Object.getOwnPropertySymbols(globalThis).map(String))";
  const before = new Page({ before: `globalThis.before = ${names}` });
  const found = before.json(`${names}.filter((name) => !before.includes(name))`);
  assert.deepEqual(found.filter((name) => name !== "before" && name !== "__json").sort(), ["MRAID_ENV", "mraid"]);
});

test("an iframe gets no bridge", () => {
  const page = new Page({ before: "globalThis.top = {}" });
  assert.equal(page.run("typeof window.mraid"), "undefined");
});
