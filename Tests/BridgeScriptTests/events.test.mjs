import assert from "node:assert/strict";
import { test } from "node:test";
import { Page } from "./page.mjs";

const events = ["ready", "error", "stateChange", "viewableChange", "sizeChange", "exposureChange", "audioVolumeChange"];

function listening(...names) {
  const page = new Page();
  page.run("var log = []");
  for (const name of names) page.run(`mraid.addEventListener("${name}", (...a) => log.push(["${name}", ...a]))`);
  return page;
}

for (const name of events) {
  test(`${name} reaches its listener with the host's arguments`, () => {
    const page = listening(name);
    page.deliver({}, [name, 1, "two", { three: 3 }, null]);
    assert.deepEqual(page.json("log"), [[name, 1, "two", { three: 3 }, null]]);
    assert.deepEqual(page.calls("addEventListener")[0].args, [name]);
  });
}

test("ready has no arguments and comes once", () => {
  const page = new Page();
  page.run("var counts = []; mraid.addEventListener('ready', function () { counts.push(arguments.length) })");
  page.ready().ready();
  assert.deepEqual(page.json("counts"), [0]);
});

test("registering for ready after it fired gets nothing", () => {
  const page = new Page().ready();
  page.run("var late = 0; mraid.addEventListener('ready', () => late++)");
  page.ready();
  assert.equal(page.run("late"), 0);
});

test("every property is final before the first event", () => {
  const page = new Page().ready();
  page.run(`var seen = [];
    const look = () => seen.push([mraid.getState(), mraid.getCurrentPosition().width, mraid.getMaxSize().width]);
    mraid.addEventListener("sizeChange", look); mraid.addEventListener("stateChange", look);`);
  const box = { x: 0, y: 0, width: 852, height: 300 };
  page.deliver({ state: "expanded", currentPosition: box, maxSize: { width: 852, height: 300 } },
    ["sizeChange", 852, 300], ["stateChange", "expanded"]);
  assert.deepEqual(page.json("seen"), [["expanded", 852, 852], ["expanded", 852, 852]]);
});

test("events come in the update's order", () => {
  const page = listening(...events);
  page.deliver({}, ["sizeChange", 1, 2], ["exposureChange", 100, null, null], ["viewableChange", true], ["stateChange", "x"]);
  assert.deepEqual(page.json("log.map((e) => e[0])"), ["sizeChange", "exposureChange", "viewableChange", "stateChange"]);
});

test("a duplicate listener is called once", () => {
  const page = new Page();
  page.run("var n = 0; const f = () => n++; mraid.addEventListener('error', f); mraid.addEventListener('error', f)");
  page.deliver({}, ["error", "m", "a"]);
  assert.equal(page.run("n"), 1);
});

test("removing one listener leaves the others", () => {
  const page = new Page();
  page.run(`var log = []; const a = () => log.push("a"), b = () => log.push("b");
    mraid.addEventListener("error", a); mraid.addEventListener("error", b); mraid.removeEventListener("error", a)`);
  page.deliver({}, ["error", "m", "a"]);
  assert.deepEqual(page.json("log"), ["b"]);
});

for (const none of ["", ", undefined", ", null"]) {
  test(`removeEventListener("error"${none}) removes all of that event's and only them`, () => {
    const page = listening("error", "stateChange");
    page.run(`mraid.removeEventListener("error"${none})`);
    page.deliver({}, ["error", "m", "a"], ["stateChange", "default"]);
    assert.deepEqual(page.json("log"), [["stateChange", "default"]]);
  });
}

test("listeners added during dispatch wait for the next event", () => {
  const page = new Page();
  page.run("var n = 0; mraid.addEventListener('error', () => mraid.addEventListener('error', () => n++))");
  page.deliver({}, ["error", "1", null]);
  assert.equal(page.run("n"), 0);
  page.deliver({}, ["error", "2", null]);
  assert.equal(page.run("n"), 1);
});

test("a listener that removes itself doesn't make the next one miss the event", () => {
  const page = new Page();
  page.run(`var log = []; const a = () => { log.push("a"); mraid.removeEventListener("error", a) };
    mraid.addEventListener("error", a); mraid.addEventListener("error", () => log.push("b"))`);
  page.deliver({}, ["error", "m", null]);
  page.deliver({}, ["error", "m", null]);
  assert.deepEqual(page.json("log"), ["a", "b", "b"]);
});

for (const [thrown, message] of [["new Error('boom')", "Error: boom"],
  ["new TypeError('no')", "TypeError: no"], ["'text'", "text"], ["null", "null"], ["undefined", "undefined"],
  ["{ toString() { throw 1 } }", ""], ["{ message: 'a', toString: null }", ""], ["Symbol('s')", "Symbol(s)"]]) {
  test(`a listener that throws ${thrown} is reported and stops nobody`, () => {
    const page = new Page();
    page.run(`var n = 0; mraid.addEventListener("sizeChange", () => { throw ${thrown} });
      mraid.addEventListener("sizeChange", () => n++); mraid.addEventListener("stateChange", () => n++)`);
    page.deliver({}, ["sizeChange", 1, 1], ["stateChange", "default"]);
    assert.equal(page.run("n"), 2);
    const reports = page.messages.filter((m) => m.type === "listenerError");
    assert.equal(reports.length, 1);
    assert.equal(reports[0].event, "sizeChange");
    assert.equal(reports[0].message, message);
  });
}

test("where an Error was made is reported with it", () => {
  const page = new Page();
  const error = "Object.assign(new Error('boom'), { sourceURL: 'ad.js', line: 7, column: 3 })";
  page.run(`mraid.addEventListener('error', () => { throw ${error} })`);
  page.deliver({}, ["error", "m", null]);
  const { file, line, column } = page.messages.at(-1);
  assert.deepEqual([file, line, column], ["ad.js", 7, 3]);
});

for (const place of ["{ get line() { throw 1 } }", "{ line: -1, column: 0.5, sourceURL: {} }", "{ line: NaN, column: '2' }"]) {
  test(`a place ${place} that is none is left out`, () => {
    const page = new Page();
    page.run(`mraid.addEventListener('error', () => { throw ${place} })`);
    page.deliver({}, ["error", "m", null]);
    const { file, line } = page.messages.at(-1);
    assert.deepEqual([file, line], [undefined, undefined]);
  });
}

for (const [args, problem] of [
  ["'nope', () => 0", /unknown event nope/], ["'constructor', () => 0", /unknown event constructor/],
  ["undefined, () => 0", /unknown event/], ["Symbol(), () => 0", /unknown event/],
  ["'ready'", /no function/], ["'ready', 'f'", /no function/], ["'ready', {}", /no function/],
]) {
  test(`addEventListener(${args}) is posted as misuse and raises nothing by itself`, () => {
    const page = listening("error");
    page.run(`mraid.addEventListener(${args})`);
    assert.match(page.messages.at(-1).problem, problem);
    assert.deepEqual(page.json("log"), []);
  });
}

test("removeEventListener of an unknown event is posted as misuse", () => {
  const page = new Page();
  page.run("mraid.removeEventListener('nope')");
  assert.match(page.calls("removeEventListener")[0].problem, /unknown event/);
});

test("listeners get copies: one can't change the next one's arguments", () => {
  const page = new Page();
  page.run(`var seen; mraid.addEventListener("exposureChange", (p, r) => { r.width = 0 });
    mraid.addEventListener("exposureChange", (p, r) => { seen = r.width })`);
  page.deliver({}, ["exposureChange", 100, { x: 0, y: 0, width: 320, height: 50 }, null]);
  assert.equal(page.run("seen"), 320);
});

test("an update with unknown events does nothing", () => {
  const page = listening("error");
  page.deliver({}, ["__proto__"], ["toString", 1]);
  assert.deepEqual(page.json("log"), []);
});

test("what listeners post stands between the marks of their update", () => {
  const page = new Page();
  page.run("mraid.addEventListener('ready', () => mraid.open('https://a.example'))");
  page.ready();
  page.run("mraid.close()");
  const marks = page.everything.map((m) => (m.type === "dispatch" ? (m.begins ? "begin" : "end") : m.name));
  assert.deepEqual(marks, ["addEventListener", "begin", "open", "end", "close"]);
});
