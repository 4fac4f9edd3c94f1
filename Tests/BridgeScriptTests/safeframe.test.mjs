// $sf.ext, which ads meet in the container safeframe instead of mraid.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Page } from "./page.mjs";

const framed = () => {
  const page = new Page({ container: { owns: ["$sf"] } });
  page.run("globalThis.heard = []; $sf.ext.register(320, 50, (status, data) => heard.push([status, data]))");
  return page;
};
const statuses = (page) => page.json("heard").map(([status]) => status);

test("there is $sf and no mraid", () => {
  const page = framed();
  assert.deepEqual(page.json("[typeof mraid, typeof MRAID_ENV, $sf.ver, $sf.ext.status()]"), ["undefined", "undefined", "1-1-0", "collapsed"]);
  assert.deepEqual(page.json("$sf.ext.supports()"), { "exp-ovr": true, "exp-push": false, "read-cookie": false, "write-cookie": false });
});

test("elsewhere there is mraid and no $sf", () => {
  assert.deepEqual(new Page().json("[typeof mraid, typeof $sf]"), ["object", "undefined"]);
});

test("expanding resizes the ad by its sides, and is told when it is done", () => {
  const page = framed().ready();
  page.run("$sf.ext.expand({ t: 10, l: 0, r: 20, b: 100, push: false })");
  assert.equal(page.run("$sf.ext.status()"), "expanding");
  assert.deepEqual(page.calls("setResizeProperties")[0].args, [
    { width: 340, height: 160, offsetX: 0, offsetY: -10, allowOffscreen: true }]);
  assert.equal(page.calls("resize").length, 1);
  page.deliver({ state: "resized", currentPosition: { x: 36, y: 344, width: 340, height: 160 } }, ["stateChange", "resized"]);
  assert.equal(page.run("$sf.ext.status()"), "expanded");
  assert.deepEqual(page.json("heard.at(-1)[1].self"), { t: 344, l: 36, b: 504, r: 376, w: 340, h: 160, z: 0, xiv: 0, yiv: 0, iv: 0 });
  page.run("$sf.ext.collapse()");
  assert.equal(page.calls("close").length, 1);
  page.deliver({ state: "default" }, ["stateChange", "default"]);
  assert.deepEqual(statuses(page), ["expanded", "collapsed"]);
});

test("lengths for directions expand as well: negative to the left and up", () => {
  const page = framed().ready();
  page.run("$sf.ext.expand(-30, 40)");
  assert.deepEqual(page.calls("setResizeProperties")[0].args, [
    { width: 350, height: 90, offsetX: -30, offsetY: 0, allowOffscreen: true }]);
});

test("what was asked for too early waits until the container is ready", () => {
  const page = framed();
  page.run("$sf.ext.expand({ b: 100 })");
  assert.equal(page.calls("resize").length, 0);
  page.ready();
  assert.equal(page.calls("resize").length, 1);
  assert.deepEqual(statuses(page), []);
});

for (const [what, code, reason] of [
  ["pushing", "$sf.ext.expand({ b: 100, push: true })", "pushing isn't supported"],
  ["nothing", "$sf.ext.expand({ b: -1, t: NaN, l: '9' })", "there is nothing to expand by"],
  ["twice", "$sf.ext.expand({ b: 9 }); $sf.ext.expand({ b: 9 })", "it is expanded already"],
]) {
  test(`${what} fails with a reason`, () => {
    const page = framed().ready();
    page.run(code);
    assert.deepEqual(page.json("heard").map(([status, { reason: why }]) => [status, why]), [["failed", reason]]);
  });
}

test("what the container refuses fails by its words", () => {
  const page = framed().ready();
  page.run("$sf.ext.expand({ b: 100000 })");
  page.deliver({}, ["error", "beyond what a device can lay out", "setResizeProperties"]);
  assert.equal(page.json("heard.at(-1)[1].reason"), "beyond what a device can lay out");
  assert.equal(page.run("$sf.ext.status()"), "collapsed");
});

test("geometry follows what can be seen of the ad", () => {
  const page = framed().ready();
  page.deliver({ isViewable: true }, ["exposureChange", 50, { x: 0, y: 0, width: 320, height: 25 }, null], ["viewableChange", true]);
  assert.deepEqual(statuses(page), ["geom-update", "focus-change"]);
  assert.deepEqual(page.json("[$sf.ext.inViewPercentage(), $sf.ext.winHasFocus(), $sf.ext.geom().self.yiv, $sf.ext.geom().exp]"), [
    50, true, 0.5, { t: 354, l: 36, r: 37, b: 355, xs: false, ys: false }]);
});

test("a listener that throws is told and harms nobody, nor does one that is none", () => {
  const page = new Page({ container: { owns: ["$sf"] } });
  page.run("$sf.ext.register(1, 1, () => { throw new Error('mine') })");
  page.ready().deliver({}, ["exposureChange", 100, null, null]);
  assert.ok(page.messages.some(({ type, message }) => type === "listenerError" && message.includes("mine")));
  page.run("$sf.ext.register(1, 1, 5)");
  page.deliver({}, ["exposureChange", 90, null, null]);
  assert.equal(page.run("$sf.ext.inViewPercentage()"), 90);
});

test("its calls are in the log under names of their own", () => {
  const page = framed().ready();
  page.run("$sf.ext.geom(); $sf.ext.expand({ b: 9 })");
  assert.equal(page.calls("sfRegister").length + page.calls("sfGeom").length + page.calls("sfExpand").length, 3);
  assert.equal(page.calls("expand").length + page.calls("addEventListener").length, 0);
});
