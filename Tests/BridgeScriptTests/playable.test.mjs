// The interfaces of ad networks for playables, made of the containers' data files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Page } from "./page.mjs";

// What the Swift side makes of a data file.
const container = (name) => {
  const url = new URL(`../../Sources/MRAID/Containers/Profiles/${name}.json`, import.meta.url);
  const { differences } = JSON.parse(readFileSync(url, "utf8"));
  const all = (what) => differences.filter((difference) => difference.what === what).map(({ value }) => value);
  const functions = Object.assign({}, ...all("functions"));
  const words = Object.keys(Object.assign({}, ...all("messages")));
  const messages = Object.fromEntries(words.map((word) => [word, `parent.postMessage('${word}')`]));
  const sends = Object.fromEntries(all("sends").flat().map(({ name, kind }) => [name, kind]));
  const owns = [...new Set(Object.keys(functions).map((path) => path.split(".")[0]))];
  return { owns, playable: { functions, messages, sends } };
};
const shown = (name, before) => new Page({ container: container(name), before });
const reports = (page) => page.messages.map(({ type, call, args, gesture, answered }) =>
  (type === "sent" ? { call, answered } : { call, args, gesture }));
const post = (page, data, source = page.root, isTrusted = true) => {
  const { EventTarget: Target, MessageEvent: Posted } = page.classes;
  Target.prototype.dispatchEvent.call(page.root, new Posted("message", { data, source, isTrusted }));
};

const stores = {
  meta: "FbPlayableAd.onCTAClick", mintegral: "install", tiktok: "openAppStore", pangle: "openAppStore",
  "app-campaigns": "ExitApi.exit", dapi: "dapi.openStoreUrl", tapjoy: "TJ_API.click", smadex: "smxTracking.redirect",
  nucleo: "NUC.trigger.convert",
};

for (const [name, path] of Object.entries(stores)) {
  test(`${name}: ${path}() is reported with the touch`, () => {
    const page = shown(name);
    page.run(`${path}()`);
    page.gesture = true;
    page.run(`window.${path}("https://a.example/")`);
    assert.deepEqual(reports(page), [
      { call: path, args: [], gesture: false }, { call: path, args: ["https://a.example/"], gesture: true },
    ]);
  });

  test(`${name}: nothing of MRAID or of another network is there`, () => {
    const page = shown(name);
    const own = path.split(".")[0];
    const others = Object.values(stores).map((other) => other.split(".")[0]).filter((other) => other !== own);
    for (const other of ["mraid", "MRAID_ENV", "$sf", ...others]) assert.equal(page.run(`typeof ${other}`), "undefined", other);
  });

  test(`${name}: a function shows no text and can't be constructed`, () => {
    const page = shown(name);
    assert.match(page.run(`Function.prototype.toString.call(${path})`), /^function \(\) \{\s*\[native code\]\s*\}$/);
    assert.equal(page.run(`${path}.name`), path.split(".").at(-1));
    assert.equal(page.run(`try { new ${path}(); } catch (error) { error.constructor === TypeError }`), true);
  });
}

test("the network's members are there once, whatever a page puts in their places", () => {
  const page = shown("meta");
  page.run("FbPlayableAd = { onCTAClick: () => 7 }");
  page.run(page.script);
  assert.equal(page.run("FbPlayableAd.onCTAClick()"), 7);
});

test("mintegral: the host calls functions that the page has", () => {
  const page = shown("mintegral");
  page.run("globalThis.calls = []; function gameStart(...values) { calls.push(values); gameEnd(); }; gameReady()");
  page.deliver({}, ["gameStart"], ["gameClose"]);
  assert.deepEqual(page.json("calls"), [[]]);
  assert.deepEqual(reports(page), [
    { call: "gameReady", args: [], gesture: false }, { call: "gameStart", answered: true },
    { call: "gameEnd", args: [], gesture: false }, { call: "gameClose", answered: false },
  ]);
});

test("what a called function throws is reported and goes no further", () => {
  const page = shown("mintegral");
  page.run("function gameStart() { throw new Error('no') }; globalThis.closed = 0; function gameClose() { closed += 1 }");
  page.deliver({}, ["gameStart"], ["gameClose"]);
  assert.equal(page.run("closed"), 1);
  const thrown = page.messages.find(({ type }) => type === "listenerError");
  assert.deepEqual([thrown.event, thrown.message], ["gameStart", "Error: no"]);
});

test("a getter in place of a function, which throws, is none", () => {
  const page = shown("mintegral");
  page.run("Object.defineProperty(window, 'gameStart', { get() { throw 1 } })");
  page.deliver({}, ["gameStart"]);
  assert.deepEqual(reports(page), [{ call: "gameStart", answered: false }]);
});

test("vungle: words for the parent are the network's, and the page doesn't receive them", () => {
  const page = shown("vungle");
  page.run("globalThis.heard = []; EventTarget.prototype.addEventListener.call(window, 'message', (event) => heard.push(event.data))");
  page.gesture = true;
  for (const word of ["download", "complete", "other", "toString"]) post(page, word);
  post(page, { download: 1 });
  assert.deepEqual(reports(page), [
    { call: "parent.postMessage('download')", args: [], gesture: true },
    { call: "parent.postMessage('complete')", args: [], gesture: true },
  ]);
  assert.deepEqual(page.json("heard"), ["other", "toString", { download: 1 }]);
});

test("vungle: a frame's words are for the page", () => {
  const page = shown("vungle");
  post(page, "download", {});
  assert.deepEqual(page.messages, []);
});

test("vungle: an event that the page makes itself is no word to its parent", () => {
  const page = shown("vungle");
  page.gesture = true;
  post(page, "download", page.root, false);
  assert.deepEqual(page.messages, []);
});

test("mintegral: a getter that gives a function once has that one", () => {
  const page = shown("mintegral");
  page.run(`globalThis.asked = 0; globalThis.begun = 0;
    Object.defineProperty(window, "gameStart", { get() { asked += 1; return asked === 1 ? () => { begun += 1 } : 0 } })`);
  page.deliver({}, ["gameStart"]);
  assert.deepEqual([page.run("asked"), page.run("begun")], [1, 1]);
  assert.deepEqual(reports(page), [{ call: "gameStart", answered: true }]);
});

test("dapi: answers are the host's, and each question is reported once", () => {
  const page = shown("dapi");
  const ask = "[dapi.isReady(), dapi.isViewable(), dapi.getScreenSize(), dapi.getAudioVolume()]";
  assert.deepEqual(page.json(ask), [false, false, { width: 393, height: 759 }, 100]);
  page.deliver({ state: "default", isViewable: true, maxSize: { width: 759, height: 393 }, volume: 0 }, ["ready"]);
  assert.deepEqual(page.json(ask), [true, true, { width: 759, height: 393 }, 0]);
  assert.deepEqual(page.messages.filter(({ type }) => type === "playable").map(({ call }) => call), [
    "dapi.isReady", "dapi.isViewable", "dapi.getScreenSize", "dapi.getAudioVolume",
  ]);
});

test("dapi: listeners receive their events until they are removed", () => {
  const page = shown("dapi");
  page.run(`globalThis.heard = [];
    const once = () => { heard.push("ready"); dapi.removeEventListener("ready", once); };
    dapi.addEventListener("ready", once);
    dapi.addEventListener("viewableChange", ({ isViewable }) => heard.push(isViewable));
    dapi.addEventListener("audioVolumeChange", (volume) => heard.push(volume));
    dapi.addEventListener("never", () => heard.push("never"));
    dapi.addEventListener("adResized", null)`);
  page.deliver({}, ["ready"]);
  page.deliver({}, ["viewableChange", { isViewable: true }], ["adResized", { width: 1, height: 2 }], ["audioVolumeChange", 40]);
  page.run("dapi.removeEventListener('viewableChange')");
  page.deliver({}, ["viewableChange", { isViewable: false }]);
  assert.deepEqual(page.json("heard"), ["ready", true, 40]);
  const sent = page.messages.filter(({ type }) => type === "sent").map(({ call, answered }) => [call, answered]);
  assert.deepEqual(sent, [
    ["ready", true], ["viewableChange", true], ["adResized", false], ["audioVolumeChange", true], ["viewableChange", false],
  ]);
});

for (const none of ["", ", undefined", ", null"]) {
  test(`dapi: removeEventListener("adResized"${none}) removes all of that event's and only them`, () => {
    const page = shown("dapi");
    page.run(`globalThis.heard = []; const hear = (name) => dapi.addEventListener(name, () => heard.push(name));
      hear("adResized"); hear("adResized"); hear("ready"); dapi.removeEventListener("adResized"${none})`);
    page.deliver({}, ["adResized", { width: 1, height: 2 }], ["ready"]);
    assert.deepEqual(page.json("heard"), ["ready"]);
  });
}

test("dapi: wrong calls for listeners are reported with their problems, and error has listeners", () => {
  const page = shown("dapi");
  page.run(`globalThis.heard = []; dapi.addEventListener("error", (...values) => heard.push(values));
    dapi.addEventListener("never", () => {}); dapi.addEventListener("adResized", null);
    dapi.removeEventListener({}, () => {}); dapi.removeEventListener("adResized", "none")`);
  const calls = page.messages.filter(({ type }) => type === "playable");
  assert.deepEqual(calls.map(({ problem }) => problem), [
    undefined, "unknown event never", "the listener is no function", "unknown event of type object", undefined,
  ]);
  page.deliver({}, ["error", "unknown event never", "addEventListener"]);
  assert.deepEqual(page.json("heard"), [["unknown event never", "addEventListener"]]);
});

test("dapi: the loader that builds carry finds the network's object", () => {
  const page = shown("dapi");
  page.run("var dapi = window.dapi || { isReady: () => false, isDemoDapi: true }");
  assert.equal(page.run("dapi.isDemoDapi"), undefined);
});

test("nucleo: the game's function starts it, with its size", () => {
  const page = shown("nucleo");
  page.run(`globalThis.heard = []; NUC.init("pa", "Game", "Arcade", "1"); NUC.callback.onStart((...values) => heard.push(values));
    NUC.trigger.ready()`);
  page.deliver({}, ["NUC.callback.onStart", 393, 759]);
  assert.deepEqual(page.json("heard"), [[393, 759]]);
  assert.deepEqual(reports(page).slice(1), [
    { call: "NUC.callback.onStart", args: [], gesture: false }, { call: "NUC.trigger.ready", args: [], gesture: false },
    { call: "NUC.callback.onStart", answered: true },
  ]);
});

test("tapjoy: functions that the page hands over are no data", () => {
  const page = shown("tapjoy");
  page.run("TJ_API.setPlayableAPI({ skipAd() {} }); TJ_API.setPlayableBuild('v1')");
  assert.deepEqual(reports(page).map(({ call, args }) => [call, args]), [
    ["TJ_API.setPlayableAPI", [{ skipAd: null }]], ["TJ_API.setPlayableBuild", ["v1"]],
  ]);
});

test("tapjoy: a build is named by a text or an object, of which the report has a bounded part", () => {
  const page = shown("tapjoy");
  page.run(`TJ_API.setPlayableBuild("v1.0"); TJ_API.setPlayableBuild({ orientation: "portrait", buildID: "b1" });
    TJ_API.setPlayableBuild({ buildID: "x".repeat(1e6), more: Array.from({ length: 1e5 }, () => ({ a: 1 })) })`);
  const [text, object, huge] = reports(page).map(({ args }) => args);
  assert.deepEqual([text, object], [["v1.0"], [{ orientation: "portrait", buildID: "b1" }]]);
  assert.equal(huge[0].buildID.length, 65536);
  assert.ok(JSON.stringify(huge).length < 2e6);
});

test("a page that changes its world early or late changes nothing of the reports", () => {
  const page = shown("dapi");
  page.run(`Array.prototype[Symbol.iterator] = () => { throw 1 }; JSON.stringify = () => "{}"; Reflect.apply = () => {};
    Object.prototype.ready = "function"; String.prototype.split = () => []; globalThis.Proxy = null;
    globalThis.heard = 0; dapi.addEventListener("adResized", () => { heard += 1 }); dapi.openStoreUrl()`);
  page.deliver({}, ["adResized", { width: 1, height: 2 }]);
  assert.equal(page.run("heard"), 1);
  assert.deepEqual(page.messages.filter(({ type }) => type !== "sent").map(({ call }) => call), [
    "dapi.addEventListener", "dapi.openStoreUrl",
  ]);
});
