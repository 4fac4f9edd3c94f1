// What pages keep on the device is told, whatever they do to what they keep it with.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import vm from "node:vm";

const script = (name) => readFileSync(resolve(import.meta.dirname, `../../Sources/Hosting/Scripts/${name}.js`), "utf8");
const source = `{ const natives = (${script("natives")})(window); ${script("observe")} }`;

/** A page with stand-ins for what it keeps things with and whatever else is added, and what the log was told. */
function page(add = () => {}) {
  const said = [];
  const scope = { said, console: {}, queueMicrotask, Set, Object };
  scope.window = scope;
  vm.runInNewContext(`
    class Document { #cookie = ""; get cookie() { return this.#cookie; } set cookie(value) { this.#cookie = String(value); } }
    class Storage { setItem(key, value) { if (key === "full") throw new Error("full"); this[String(key)] = String(value); } }
    class IDBFactory { open(name) { return "request " + name; } }
    Object.assign(window, { Document, Storage, IDBFactory, document: new Document(), indexedDB: new IDBFactory() });
    for (const name of ["localStorage", "sessionStorage"]) {
      const storage = new Storage();
      if (name === "sessionStorage") storage.before = "1";
      Object.defineProperty(window, name, { configurable: true, enumerable: true, get: () => storage });
    }
  `, scope);
  add(scope);
  vm.runInNewContext(source.replace('__GALLEY_LINK__("page")', "(text) => said.push(JSON.parse(text))"), scope);
  return scope;
}

const told = (scope) => scope.said.map(({ observed, detail }) => [observed, detail.kind, detail.key]);

test("cookies, storages and databases are told by their keys, and work as they did", () => {
  const scope = page();
  vm.runInNewContext('document.cookie = "id=7; path=/"; localStorage.setItem("uid", 1); sessionStorage.setItem("step", 2);', scope);
  assert.equal(vm.runInNewContext('indexedDB.open("people")', scope), "request people");
  assert.equal(scope.document.cookie, "id=7; path=/");
  assert.equal(scope.localStorage.uid, "1");
  assert.deepEqual(told(scope), [
    ["storage", "cookie", "id"], ["storage", "localStorage", "uid"], ["storage", "sessionStorage", "step"], ["storage", "indexedDB", "people"],
  ]);
});

test("members of a storage are told once the script has ended, each once, and not those of a page before", async () => {
  const scope = page();
  vm.runInNewContext('localStorage.uid = 1; localStorage.setItem("name", 2); const mine = sessionStorage; mine.step = 3;', scope);
  await null;
  vm.runInNewContext('localStorage.uid = 4; localStorage.late = 5;', scope);
  await null;
  assert.deepEqual(told(scope), [
    ["storage", "localStorage", "name"], ["storage", "localStorage", "uid"], ["storage", "sessionStorage", "step"],
    ["storage", "localStorage", "late"],
  ]);
});

test("a storage that may not be asked for throws in the page, and in nothing else", () => {
  const scope = page();
  vm.runInNewContext(`Object.defineProperty(window, "localStorage", { get() { throw new Error("not here"); } });`, scope);
  assert.throws(() => vm.runInNewContext("localStorage.x = 1", scope), /not here/);
});

test("what the engine throws is the page's to catch", () => {
  const scope = page();
  assert.throws(() => vm.runInNewContext('localStorage.setItem("full", 1)', scope), /full/);
});

test("values that do something of their own, and pages that took functions away, harm nobody", () => {
  const scope = page();
  vm.runInNewContext(`
    String.prototype.split = String.prototype.slice = JSON.stringify = () => { throw new Error("mine"); };
    localStorage.setItem({ toString() { throw new Error("no text"); } }.x, 1);
    document.cookie = "a=1";
  `, scope);
  assert.deepEqual(told(scope), [["storage", "localStorage", "undefined"], ["storage", "cookie", "a"]]);
});

test("one that keeps things for ever fills the log once", () => {
  const scope = page();
  vm.runInNewContext('for (let i = 0; i < 500; i += 1) localStorage.setItem("k" + i, i);', scope);
  assert.equal(scope.said.length, 100);
});

test("a web socket tells once that it isn't on its way any more, whatever comes of it", () => {
  const said = [];
  const scope = { said, console: {} };
  scope.window = scope;
  vm.runInNewContext(`
    class EventTarget {
      heard = [];
      addEventListener(name, listener) { this.heard.push([name, listener]); }
      tell(name) { for (const [one, listener] of this.heard) if (one === name) listener(); }
    }
    class WebSocket extends EventTarget { #url; constructor(url) { super(); this.#url = url; } get url() { return this.#url; } }
    Object.assign(window, { EventTarget, WebSocket });
  `, scope);
  vm.runInNewContext(source.replace('__GALLEY_LINK__("page")', "(text) => said.push(JSON.parse(text))"), scope);
  vm.runInNewContext(`
    EventTarget.prototype.addEventListener = () => { throw new Error("mine"); };
    window.one = new window.WebSocket("wss://one.example/"); window.other = new window.WebSocket("wss://other.example/");
    other.tell("error"); other.tell("close"); one.tell("open"); one.tell("close");
  `, scope);
  assert.deepEqual(said.map(({ observed, detail }) => [observed, detail.url]), [
    ["socket", "wss://one.example/"], ["socket", "wss://other.example/"],
    ["socketSettled", "wss://other.example/"], ["socketSettled", "wss://one.example/"],
  ]);
});

test("several workers of one file are told once, unless one was heard before the next was made", () => {
  const scope = page((scope) => {
    scope.URL = URL;
    vm.runInNewContext(`
      class EventTarget { #heard = {}; addEventListener(name, hear) { (this.#heard[name] ??= []).push(hear); }
        say(name) { for (const hear of this.#heard[name] ?? []) hear(); } }
      class Worker extends EventTarget { constructor(script) { super(); if (script === "refused") throw new Error(script); } }
      Object.assign(window, { EventTarget, Worker });
      document.baseURI = "https://ads.example/one/ad.html";
    `, scope);
  });
  const made = (script) => vm.runInNewContext(`new window.Worker(${JSON.stringify(script)})`, scope);
  made("b.js");
  made("a.js").say("message");
  const second = made("a.js");
  assert.equal(second instanceof scope.Worker && second.constructor === scope.Worker, true);
  assert.throws(() => made("refused"));
  assert.deepEqual(scope.said, []);
  made("../one/a.js");
  made("a.js");
  assert.deepEqual(scope.said.map(({ observed }) => observed), ["workersOfOneFile"]);
});
