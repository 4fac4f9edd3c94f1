import assert from "node:assert/strict";
import { test } from "node:test";
import { Page } from "./page.mjs";

const inContainer = (container) => new Page({ container });

test("methods that a container lacks aren't there", () => {
  const page = inContainer({ missing: ["unload", "initVpaid"] });
  assert.deepEqual(page.json("[typeof mraid.unload, 'initVpaid' in mraid, typeof mraid.expand]"),
    ["undefined", false, "function"]);
});

test("refused methods tell the host that they aren't implemented, getters included", () => {
  const page = inContainer({ refused: ["expand", "getExpandProperties"] }).ready();
  assert.equal(page.json("mraid.expand('two.html') ?? 'nothing'"), "nothing");
  page.run("mraid.getExpandProperties()");
  assert.match(page.calls("expand")[0].problem, /not implemented/);
  assert.match(page.calls("getExpandProperties")[0].problem, /not implemented/);
});

test("inert methods are told as such and change nothing in the page", () => {
  const page = inContainer({ inert: ["setOrientationProperties", "openStoreURL"] }).ready();
  page.run("mraid.setOrientationProperties({ forceOrientation: 'landscape' }); mraid.openStoreURL()");
  assert.equal(page.json("mraid.getOrientationProperties().forceOrientation"), "none");
  assert.equal(page.calls("setOrientationProperties")[0].inert, true);
  assert.equal(page.calls("openStoreURL").length, 1);
  assert.equal(page.calls("setExpandProperties").length, 0);
});

test("without an environment there is no MRAID_ENV", () => {
  assert.equal(inContainer({ hidesEnvironment: true }).json("'MRAID_ENV' in window"), false);
  assert.equal(inContainer({}).json("MRAID_ENV.version"), "3.0");
});

// Three listeners, of which the first removes itself.
const removing = `var log = [];
  mraid.addEventListener("viewableChange", function first() {
    log.push("first");
    mraid.removeEventListener("viewableChange", first);
  });
  mraid.addEventListener("viewableChange", () => log.push("second"));
  mraid.addEventListener("viewableChange", () => log.push("third"));`;

function told(container) {
  const page = inContainer(container).ready();
  page.run(removing);
  page.deliver({}, ["viewableChange", true]);
  return page.json("log");
}

test("a listener that removes itself costs the next one the event only where the list itself is walked", () => {
  assert.deepEqual(told({}), ["first", "second", "third"]);
  assert.deepEqual(told({ skipsRemoved: true }), ["first", "third"]);
});

test("a listener that removes itself before another one is told as such", () => {
  const page = inContainer({}).ready();
  page.run(removing);
  page.deliver({}, ["viewableChange", true]);
  assert.deepEqual(page.calls("removeEventListener").map((call) => call.skips), [true]);
  const last = inContainer({}).ready();
  last.run(`mraid.addEventListener("viewableChange", () => {});
    mraid.addEventListener("viewableChange", function last() { mraid.removeEventListener("viewableChange", last); });`);
  last.deliver({}, ["viewableChange", true]);
  assert.deepEqual(last.calls("removeEventListener").map((call) => call.skips), [undefined]);
});

test("the newest listener may come first", () => {
  assert.deepEqual(told({ newestFirst: true }), ["third", "second", "first"]);
});

test("a listener that throws ends the dispatch only where it does", () => {
  const after = (container) => {
    const page = inContainer(container).ready();
    page.run(`var log = [];
      mraid.addEventListener("viewableChange", () => { throw new Error("no"); });
      mraid.addEventListener("viewableChange", () => log.push("after"));`);
    page.deliver({}, ["viewableChange", true]);
    assert.equal(page.messages.filter((message) => message.type === "listenerError").length, 1);
    return page.json("log");
  };
  assert.deepEqual(after({}), ["after"]);
  assert.deepEqual(after({ stopsAtException: true }), []);
});

test("removing all listeners by the event's name is a thing of the standard's", () => {
  const left = (container) => {
    const page = inContainer(container).ready();
    page.run(removing + "mraid.removeEventListener('viewableChange')");
    page.deliver({}, ["viewableChange", true]);
    return page.json("log.length");
  };
  assert.equal(left({}), 0);
  assert.equal(left({ keepsUnnamed: true }), 3);
});

const wrong = [
  "null", "'wide'", "{}", "{ width: 20, height: 20, offsetX: 0, offsetY: 0 }",
  "{ width: 9000, height: 250, offsetX: 0, offsetY: 0, allowOffscreen: false }",
];

function errorsDuring(page, call) {
  page.run("var heard = []; mraid.removeEventListener('error'); mraid.addEventListener('error', (message, action) => heard.push([message, action]));");
  page.run(`${call}; var atOnce = heard.length;`);
  return page.json("[atOnce, heard]");
}

test("a page may judge resize properties itself: listeners hear of it before the call returns", () => {
  for (const given of wrong) {
    const page = inContainer({ errorsInCall: {} }).ready();
    const [atOnce, heard] = errorsDuring(page, `mraid.setResizeProperties(${given})`);
    assert.equal(atOnce, 1, given);
    assert.equal(heard[0][1], "setResizeProperties");
    assert.equal(page.calls("setResizeProperties")[0].told, heard[0][0]);
    assert.equal(page.json("mraid.getResizeProperties().width ?? 'none'"), "none");
    assert.equal(errorsDuring(page, "mraid.resize()")[0], 1);
  }
});

test("what a page finds wrong it says in the host's words", () => {
  const said = (given, rules = {}) =>
    errorsDuring(inContainer({ errorsInCall: rules }).ready(), `mraid.setResizeProperties(${given})`)[1][0]?.[0];
  const big = "width: 400, height: 900, offsetX: 0, offsetY: 0";
  assert.equal(said("{}"), "resize properties must be an object with width, height, offsetX and offsetY");
  assert.equal(said("{ width: 300 }"), "resize property height is missing");
  assert.equal(said("{ width: '300' }"), "resize property width isn't a finite number");
  assert.equal(said("{ width: 20, height: 60, offsetX: 0, offsetY: 0 }"),
    "a resized ad must be at least 50x50, not 20x60");
  assert.equal(said(`{ ${big}, allowOffscreen: false }`),
    "400x900 is larger than maxSize 393x759 and allowOffscreen is false");
  assert.equal(said(`{ ${big} }`), undefined);
  assert.equal(said(`{ ${big} }`, { boundsOffscreen: true }), "400x900 is larger than maxSize 393x759");
  assert.equal(said(`{ ${big} }`, { needsAllowOffscreen: true }),
    "resize property allowOffscreen must be true or false in this container");
});

test("in the standard's container the host judges, later", () => {
  for (const given of wrong) {
    const page = inContainer({}).ready();
    assert.equal(errorsDuring(page, `mraid.setResizeProperties(${given}); mraid.resize()`)[0], 0);
    assert.equal(page.calls("setResizeProperties")[0].told, undefined);
  }
});

test("what is right by the container's own rules is no error, what isn't is", () => {
  const good = "{ width: 300, height: 250, offsetX: 0, offsetY: 0 }";
  const page = inContainer({ errorsInCall: {} }).ready();
  assert.deepEqual(errorsDuring(page, `mraid.setResizeProperties(${good}); mraid.resize()`), [0, []]);
  const strict = inContainer({ errorsInCall: { needsAllowOffscreen: true } }).ready();
  assert.equal(errorsDuring(strict, `mraid.setResizeProperties(${good})`)[0], 1);
  const large = "{ width: 9000, height: 250, offsetX: 0, offsetY: 0, allowOffscreen: true }";
  assert.equal(errorsDuring(inContainer({ errorsInCall: {} }).ready(), `mraid.setResizeProperties(${large})`)[0], 0);
  const bound = inContainer({ errorsInCall: { boundsOffscreen: true } }).ready();
  assert.equal(errorsDuring(bound, `mraid.setResizeProperties(${large})`)[0], 1);
});

test("an expanded or loading ad's calls are the host's to judge", () => {
  const page = inContainer({ errorsInCall: {} });
  assert.equal(errorsDuring(page, "mraid.resize()")[0], 0);
  page.ready().deliver({ state: "expanded" });
  assert.equal(errorsDuring(page, "mraid.resize()")[0], 0);
});
