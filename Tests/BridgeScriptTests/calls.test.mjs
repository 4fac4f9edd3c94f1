import assert from "node:assert/strict";
import { test } from "node:test";
import { Page } from "./page.mjs";

const commands = ["close", "createCalendarEvent", "expand", "open", "playVideo", "resize", "storePicture", "unload"];
const setters = ["setExpandProperties", "setOrientationProperties", "setResizeProperties", "useCustomClose"];

for (const name of [...commands, ...setters]) {
  test(`${name} is posted every time with its arguments and state`, () => {
    const page = new Page().ready();
    page.run(`mraid.${name}("a", 1); mraid.${name}()`);
    const [first, second] = page.calls(name);
    assert.deepEqual(first, { type: "call", name, args: ["a", 1], gesture: false, state: "default" });
    assert.deepEqual(second.args, []);
  });
}

test("a getter is posted the first time in each state only", () => {
  const page = new Page();
  page.run("mraid.getState(); mraid.getState()");
  page.ready();
  page.run("mraid.getState(); mraid.getState()");
  assert.deepEqual(page.calls("getState").map((call) => call.state), ["loading", "default"]);
});

test("supports is posted once for each feature", () => {
  const page = new Page();
  page.run("mraid.supports('sms'); mraid.supports('vpaid'); mraid.supports('sms')");
  assert.deepEqual(page.calls("supports").map((call) => call.args), [["sms"], ["vpaid"]]);
});

test("gesture follows the user activation", () => {
  const page = new Page().ready();
  page.run("mraid.open('https://a.example')");
  page.gesture = true;
  page.run("mraid.open('https://a.example')");
  assert.deepEqual(page.calls("open").map((call) => call.gesture), [false, true]);
});

test("gesture is false where there is no user activation", () => {
  const page = new Page({ before: "delete navigator.userActivation" });
  page.run("mraid.close()");
  assert.equal(page.calls("close")[0].gesture, false);
});

const hostile = [
  ["Array.prototype.push = Array.prototype.slice = Array.prototype.forEach = () => { throw 1 }"],
  ["Array.prototype[Symbol.iterator] = () => { throw 1 }"],
  ["Array.prototype.toJSON = Object.prototype.toJSON = () => 'broken'"],
  ["JSON.stringify = JSON.parse = () => { throw 1 }"],
  ["Object.keys = Object.defineProperty = Object.prototype.hasOwnProperty = () => { throw 1 }"],
  ["Function.prototype.apply = Function.prototype.call = Function.prototype.bind = () => { throw 1 }"],
  ["Reflect.apply = () => { throw 1 }"],
  ["Object.defineProperty(Object.prototype, 'state', { set() { throw 1 } })"],
  ["Object.prototype.get = () => 1"],
  ["String.prototype.slice = String.prototype.charCodeAt = String.prototype.concat = () => { throw 1 }"],
  ["String = Number = Object = Array = undefined"],
  ["for (const i of [0, 1, 2]) Object.defineProperty(Array.prototype, i, { set() { throw 1 }, get() { return 7 } })"],
  ["for (const n of ['type', 'name', 'args', 'gesture', 'detail', 'then', 'left', 'text', '__proto__', 'value']) Object.defineProperty(Object.prototype, n, { get() { return 7 }, set() { throw 1 }, configurable: true })"],
  ["EventTarget.prototype.dispatchEvent = EventTarget.prototype.addEventListener = () => { throw 1 }"],
  ["Object.defineProperty(CustomEvent.prototype, 'detail', { get: () => '{}' }); CustomEvent = MouseEvent = null"],
  ["Object.defineProperty(navigator.userActivation.constructor.prototype, 'isActive', { get: () => true })"],
  ["Date.prototype.toISOString = Array.isArray = Number.isFinite = Number.isInteger = () => { throw 1 }"],
  ["navigator.userActivation = null; queueMicrotask = setTimeout = Promise = null"],
];
for (const [damage] of hostile) {
  test(`the bridge survives ${damage.slice(0, 70)}`, () => {
    const page = new Page();
    page.run("JSON.stringify({}); globalThis.__json = JSON.stringify");
    page.run(damage);
    page.run(`var n = 0; mraid.addEventListener("stateChange", () => { n += 1 });
      mraid.setResizeProperties({ width: 100, height: 100, offsetX: 0, offsetY: 0, list: [1, { a: 2 }] })`);
    const update = { properties: { state: "default" }, events: [{ name: "stateChange", arguments: ["default"] }] };
    page.say(JSON.stringify(update));
    assert.equal(page.run("n"), 1);
    assert.equal(page.run("mraid.getState()"), "default");
    assert.ok(page.messages.every((message) => message.type === "call" && message.gesture === false));
    assert.equal(page.run("mraid.getResizeProperties().width"), 100);
    assert.deepEqual(page.calls("setResizeProperties")[0].args,
      [{ width: 100, height: 100, offsetX: 0, offsetY: 0, list: [1, { a: 2 }] }]);
  });
}

const odd = [
  ["undefined", null], ["null", null], ["NaN", null], ["Infinity", null], ["() => 1", null], ["Symbol()", null],
  ["12n", "12"], ["'\\ud800a'", "\ufffda"], ["'\\ud83d\\ude00'", "\u{1f600}"], ["'</script>'", "</script>"],
  ["new Date(0)", "1970-01-01T00:00:00.000Z"], ["new Date(NaN)", {}], ["{ get a() { throw 1 } }", null],
  ["new Proxy({}, { ownKeys() { throw 1 } })", null], ["{ toJSON() { throw 1 }, a: 1 }", { toJSON: null, a: 1 }],
  ["{ a: undefined, b: [undefined] }", { a: null, b: [null] }],
];
for (const [expression, expected] of odd) {
  test(`an argument ${expression} is posted as ${JSON.stringify(expected)}`, () => {
    const page = new Page();
    page.run(`mraid.createCalendarEvent(${expression})`);
    assert.deepEqual(page.calls("createCalendarEvent")[0].args, [expected]);
  });
}

test("cycles and large objects end", () => {
  const page = new Page();
  page.run("const a = {}; a.a = a; mraid.createCalendarEvent(a); mraid.createCalendarEvent(new Array(100000).fill(1))");
  assert.equal(page.calls("createCalendarEvent").length, 2);
  for (const text of page.texts) assert.ok(text.length < 200000);
});

test("an argument that is longer than any address is wrong, and posted in part", () => {
  const page = new Page();
  page.run("mraid.open('x'.repeat(65536)); mraid.open('x'.repeat(65537)); mraid.createCalendarEvent(Array(20).fill('x'.repeat(65536)))");
  assert.deepEqual(page.calls("open").map((call) => [call.args[0].length, call.problem]),
    [[65536, undefined], [65536, "an argument is longer than 65536 characters"]]);
  assert.match(page.calls("createCalendarEvent")[0].problem, /longer/);
  for (const text of page.texts) assert.ok(text.length < 200000);
});

test("nesting ends long before the host would refuse it", () => {
  const page = new Page();
  page.run("const a = {}; a.a = a; mraid.createCalendarEvent(a)");
  assert.ok(page.texts[0].split("{").length < 20);
});

test("a wide and deep argument stays small", () => {
  const page = new Page();
  page.run("const make = (d) => d ? Array.from({ length: 20 }, () => make(d - 1)) : 1; mraid.expand(make(5))");
  assert.ok(page.texts.at(-1).length < 10000);
});
