import assert from "node:assert/strict";
import { test } from "node:test";
import { Page } from "./page.mjs";

const events = [
  "AdClickThru", "AdError", "AdImpression", "AdPaused", "AdPlaying", "AdVideoStart", "AdVideoFirstQuartile",
  "AdVideoMidpoint", "AdVideoThirdQuartile", "AdVideoComplete",
];
const object = `var starts = 0, handlers = {}; var ad = {
  subscribe(fn, event) { if (this !== ad) throw 1; handlers[event] = fn }, unsubscribe() {},
  startAd() { if (this !== ad) throw 1; starts += 1 }, getAdDuration() { return 30 }, getAdRemainingTime() { return 30 } }`;

async function started(properties = {}) {
  const page = new Page({ properties }).ready();
  page.run(object);
  page.run("mraid.initVpaid(ad)");
  await null;
  return page;
}

test("initVpaid subscribes to the standard's events", async () => {
  const page = await started();
  assert.deepEqual(page.json("Object.keys(handlers)"), events);
  assert.equal(page.calls("initVpaid").length, 1);
});

for (const event of events) {
  test(`${event} is posted with its arguments`, async () => {
    const page = await started();
    page.run(`handlers.${event}("https://a.example", 7, true)`);
    assert.deepEqual(page.messages.at(-1), { type: "vpaid", event, args: ["https://a.example", 7, true] });
  });
}

test("startAd waits until the ad is viewable and is called once", async () => {
  const page = await started();
  assert.equal(page.run("starts"), 0);
  page.deliver({ isViewable: true }, ["viewableChange", true]);
  page.deliver({ isViewable: false }, ["viewableChange", false]);
  page.deliver({ isViewable: true }, ["viewableChange", true]);
  assert.equal(page.run("starts"), 1);
  assert.equal(page.messages.filter((message) => message.event === "startAd").length, 1);
});

test("startAd is called soon when the ad is viewable already, not inside initVpaid", async () => {
  const page = new Page({ properties: { isViewable: true } }).ready();
  page.run(object);
  assert.equal(page.run("mraid.initVpaid(ad); starts"), 0);
  await null;
  assert.equal(page.run("starts"), 1);
});

test("startAd that throws is reported", async () => {
  const page = new Page({ properties: { isViewable: true } }).ready();
  page.run(object);
  page.run("ad.startAd = () => { throw new Error('no video') }; mraid.initVpaid(ad)");
  await null;
  const report = page.messages.at(-1);
  assert.equal(report.type, "listenerError");
  assert.equal(report.event, "vpaid.startAd");
  assert.equal(report.message, "Error: no video");
});

for (const bad of ["", "null", "{}", "{ subscribe() {}, startAd() {} }"]) {
  test(`initVpaid(${bad}) is posted as misuse`, () => {
    const page = new Page().ready();
    page.run(`mraid.initVpaid(${bad})`);
    assert.match(page.calls("initVpaid")[0].problem, /VPAID object/);
  });
}

test("a second initVpaid is misuse", async () => {
  const page = await started();
  page.run("mraid.initVpaid(ad)");
  assert.match(page.calls("initVpaid")[1].problem, /before/);
});

for (const [when, properties, isReady] of [
  ["while loading", {}, false], ["where vpaid is not supported", { supports: { vpaid: false } }, true],
]) {
  test(`initVpaid ${when} is left to the host and subscribes to nothing`, async () => {
    const page = new Page({ properties });
    if (isReady) page.ready();
    page.run(object);
    page.run("mraid.initVpaid(ad)");
    page.deliver({ isViewable: true });
    await null;
    assert.deepEqual(page.json("[Object.keys(handlers), starts]"), [[], 0]);
    assert.equal(page.calls("initVpaid")[0].problem, undefined);
  });
}
