import assert from "node:assert/strict";
import { test } from "node:test";
import { initialProperties, Page } from "./page.mjs";

const objects = [
  "getExpandProperties", "getResizeProperties", "getOrientationProperties", "getCurrentPosition", "getDefaultPosition",
  "getMaxSize", "getScreenSize", "getCurrentAppOrientation",
];

for (const name of objects) {
  test(`${name} returns a copy`, () => {
    const page = new Page({ properties: { resizeProperties: { width: 1, height: 1 } } });
    const before = page.json(`mraid.${name}()`);
    page.run(`{ const o = mraid.${name}(); for (const k in o) o[k] = "changed" }`);
    assert.deepEqual(page.json(`mraid.${name}()`), before);
    assert.equal(page.run(`Object.getPrototypeOf(mraid.${name}()) === Object.prototype`), true);
  });
}

test("supports answers from the host's map, and false for anything else", () => {
  const page = new Page();
  const asked = ["sms", "calendar", "inlineVideo", "location", "nope", "constructor", "__proto__"];
  assert.deepEqual(page.json(`${JSON.stringify(asked)}.map((f) => mraid.supports(f))`),
    [true, false, true, false, false, false, false]);
  assert.equal(page.run("mraid.supports()"), false);
});

test("getLocation returns the host's object", () => {
  const location = { lat: 1, lon: 2, type: 1, accuracy: 10, lastfix: 5 };
  assert.deepEqual(new Page({ properties: { location } }).json("mraid.getLocation()"), location);
});

const full = { ...initialProperties.maxSize, useCustomClose: false, isModal: true };

test("expand properties read as full screen until they are set", () => {
  const page = new Page();
  assert.deepEqual(page.json("mraid.getExpandProperties()"), full);
  page.deliver({ maxSize: { width: 759, height: 393 } });
  assert.equal(page.run("mraid.getExpandProperties().width"), 759);
});

test("what a page puts on Object.prototype is no property of the ad", () => {
  const page = new Page();
  page.run("Object.prototype.width = 7; Object.prototype.shake = true");
  assert.equal(page.run("mraid.getExpandProperties().width"), 393);
  assert.equal(page.run("mraid.supports('shake')"), false);
});

const expandCases = [
  ["{ width: 100 }", { width: 100 }], ["{ width: 100, height: 200 }", { width: 100, height: 200 }],
  ["{ useCustomClose: true }", { useCustomClose: true }], ["{ isModal: false }", {}], ["{ width: '100' }", {}],
  ["{ width: NaN, height: 0 }", {}], ["{ width: -1 }", {}], ["{ useCustomClose: 'true' }", {}], ["null", {}], ["5", {}], ["", {}],
];
for (const [given, changes] of expandCases) {
  test(`setExpandProperties(${given}) merges ${JSON.stringify(changes)} at once`, () => {
    const page = new Page().ready();
    assert.deepEqual(page.json(`(mraid.setExpandProperties(${given}), mraid.getExpandProperties())`), { ...full, ...changes });
  });
}

test("expand properties merge over several calls", () => {
  const page = new Page().ready();
  page.run("mraid.setExpandProperties({ width: 100 }); mraid.setExpandProperties({ height: 200 })");
  assert.deepEqual(page.json("mraid.getExpandProperties()"), { ...full, width: 100, height: 200 });
});

test("expand properties are fixed once expanded", () => {
  const page = new Page().ready();
  page.deliver({ state: "expanded" });
  page.run("mraid.setExpandProperties({ width: 100 })");
  assert.equal(page.run("mraid.getExpandProperties().width"), 393);
});

test("useCustomClose shows in the expand properties", () => {
  const page = new Page().ready();
  assert.equal(page.run("mraid.useCustomClose(true); mraid.getExpandProperties().useCustomClose"), true);
  assert.equal(page.run("mraid.useCustomClose('no'); mraid.getExpandProperties().useCustomClose"), true);
});

const orientationCases = [
  ["{ forceOrientation: 'landscape' }", { forceOrientation: "landscape" }], ["{ forceOrientation: 'up' }", {}],
  ["{ allowOrientationChange: false }", { allowOrientationChange: false }], ["{ allowOrientationChange: 0 }", {}],
];
for (const [given, changes] of orientationCases) {
  test(`setOrientationProperties(${given}) merges ${JSON.stringify(changes)} at once`, () => {
    const page = new Page().ready();
    assert.deepEqual(page.json(`(mraid.setOrientationProperties(${given}), mraid.getOrientationProperties())`),
      { ...initialProperties.orientationProperties, ...changes });
  });
}

test("resize properties that were never set have only what has defaults", () => {
  assert.deepEqual(new Page().json("mraid.getResizeProperties()"), { customClosePosition: "top-right", allowOffscreen: true });
});

test("valid resize properties can be read at once, with defaults filled in", () => {
  const page = new Page().ready();
  page.run("mraid.setResizeProperties({ width: 300, height: 250, offsetX: 0, offsetY: -10, extra: 1 })");
  assert.deepEqual(page.json("mraid.getResizeProperties()"),
    { width: 300, height: 250, offsetX: 0, offsetY: -10, customClosePosition: "top-right", allowOffscreen: true });
});

for (const bad of ["", "{}", "{ width: 100 }", "{ width: '1', height: 100, offsetX: 0, offsetY: 0 }",
  "{ width: 49, height: 100, offsetX: 0, offsetY: 0 }", "[]", "{ width: NaN, height: 100, offsetX: 0, offsetY: 0 }"]) {
  test(`setResizeProperties(${bad}) unsets them`, () => {
    const page = new Page().ready();
    page.run("mraid.setResizeProperties({ width: 300, height: 250, offsetX: 0, offsetY: 0 })");
    page.run(`mraid.setResizeProperties(${bad})`);
    assert.equal(page.run("mraid.getResizeProperties().width"), undefined);
  });
}

test("the host may correct what the page set", () => {
  const page = new Page().ready();
  page.run("mraid.setResizeProperties({ width: 300, height: 250, offsetX: 900, offsetY: 0 })");
  page.deliver({ resizeProperties: null });
  assert.equal(page.run("mraid.getResizeProperties().width"), undefined);
});

test("a hidden ad's properties are fixed", () => {
  const page = new Page().ready();
  page.deliver({ state: "hidden" });
  page.run("mraid.setExpandProperties({ width: 1 }); mraid.useCustomClose(true); mraid.setOrientationProperties({ forceOrientation: 'portrait' })");
  assert.deepEqual(page.json("mraid.getExpandProperties()"), full);
  assert.equal(page.run("mraid.getOrientationProperties().forceOrientation"), "none");
});
