// What measuring code and session clients meet in an ad's page: by omid3p, directly and by messages.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import vm from "node:vm";

const source = readFileSync(resolve(import.meta.dirname, "../../Sources/OMID/Service/omid.js"), "utf8");
const plain = (value) => JSON.parse(JSON.stringify(value));

/** A page with the service, what the host was told, and how the host tells it something. */
function page({ hasBody = true } = {}) {
  const said = [];
  const handlers = {};
  const frames = [];
  class Element {
    constructor(name) { this.name = name; this.style = {}; this.attributes = {}; this.children = []; }
    setAttribute(name, value) { this.attributes[name] = value; }
    appendChild(child) {
      this.children.push(child);
      if (child.name !== "iframe" && child.tag !== "iframe") return;
      frames.push(child);
      const got = [];
      child.contentWindow = { got, postMessage: (message) => got.push(plain(message)) };
      child.contentDocument = { createElement: (tag) => made(tag), body: new Element("body") };
    }
    getBoundingClientRect() { return this.bounds; }
  }
  const made = (tag) => Object.assign(new Element(tag), { tag });
  const observers = [];
  const document = {
    body: hasBody ? new Element("body") : null, marked: null, baseURI: "creative://ad-7/index.html",
    createElement: made, querySelector(selector) { return selector === ".omid-element" ? this.marked : null; },
  };
  const scope = {
    location: { protocol: "creative:", host: "ad-7" },
    document, Element, Image: class {}, MutationObserver: class {
      constructor(hear) { this.hear = hear; observers.push(this); }
      observe() {}
      disconnect() { this.isOff = true; }
    },
    setTimeout: (act) => { scope.timer = act; return 1; }, clearTimeout() {}, setInterval: () => 2, clearInterval() {},
    addEventListener: (type, hear) => { handlers[type] = hear; }, Date: { now: () => 1234 },
  };
  scope.window = scope;
  scope.top = scope;
  let tell = null;
  scope.linked = (hear) => { tell = hear; return (text) => said.push(JSON.parse(text)); };
  vm.runInNewContext(source.replace('__GALLEY_LINK__("omid", hear)', "linked(hear)"), scope);
  return {
    scope, said, frames, document, Element, handlers,
    publish: (type, data = {}) => tell(JSON.stringify({ publish: { type, adSessionId: "one", data } })),
    inject: (script) => tell(JSON.stringify({ inject: [{ vendor: null, parameters: null, accessMode: "limited", ...script }] })),
    bodyComes: () => { document.body = new Element("body"); for (const one of observers) if (!one.isOff) one.hear(); },
    post: (data, from) => handlers.message({ data, source: from }),
  };
}

const start = (more = {}) => ({ context: { environment: "app" }, ...more });
let guids = 0;
/** A message as clients of this version write it. */
const message = (method, args, version = "1.6.7") => ({
  omid_message_guid: `guid-${guids += 1}`, omid_message_method: method, omid_message_version: version,
  omid_message_args: version < "1.0.3" ? JSON.stringify(args) : args,
});
/** A window that gets answers. */
const client = () => { const got = []; return { got, postMessage: (words) => got.push(plain(words)) }; };

test("measuring code by omid3p hears a session in order, with times", () => {
  const { scope, publish, said } = page();
  const heard = [];
  scope.omid3p.registerSessionObserver((event) => heard.push(event), "vendor");
  scope.omid3p.addEventListener("impression", (event) => heard.push(event));
  scope.omid3p.addEventListener("media", (event) => heard.push(event));
  publish("sessionStart", start());
  publish("loaded");
  publish("impression");
  publish("geometryChange");
  publish("sessionFinish");
  assert.deepEqual(heard.map(({ type }) => type), ["sessionStart", "loaded", "impression", "sessionFinish"]);
  assert.ok(heard.every(({ timestamp, adSessionId }) => timestamp === 1234 && adSessionId === "one"));
  assert.equal(heard[0].data.context.accessMode, "full");
  assert.deepEqual(said.map(({ kind, vendor, type, by }) => [kind, vendor ?? type, by]),
    [["registered", "vendor", "omid3p"], ["listens", "impression", "omid3p"], ["listens", "media", "omid3p"]]);
});

test("who comes late is told what went before: of places only the last", () => {
  const { scope, publish, said } = page();
  publish("sessionStart", start());
  publish("impression");
  publish("geometryChange", { n: 1 });
  publish("geometryChange", { n: 2 });
  const heard = [];
  scope.omid3p.registerSessionObserver((event) => heard.push(event.type));
  scope.omid3p.addEventListener("impression", (event) => heard.push(event.type));
  scope.omid3p.addEventListener("geometryChange", (event) => heard.push(event.data.n));
  assert.deepEqual(heard, ["sessionStart", "impression", 2]);
  assert.deepEqual(said.map(({ missed }) => missed), [["sessionStart"], ["impression"], ["geometryChange"]]);
});

test("late ones still hear of a session that is over, and nothing of it once another begins", () => {
  const { scope, publish } = page();
  publish("sessionStart", start());
  publish("sessionFinish");
  const hear = (heard) => { scope.omid3p.registerSessionObserver(({ type }) => heard.push(type)); return heard; };
  assert.deepEqual(hear([]), ["sessionStart", "sessionFinish"]);
  publish("sessionStart", start());
  assert.deepEqual(hear([]), ["sessionStart"]);
});

test("a listener that throws is told of, and the others hear all the same", () => {
  const { scope, publish, said } = page();
  const heard = [];
  scope.omid3p.registerSessionObserver(() => { throw new Error("broken"); }, "bad");
  scope.omid3p.registerSessionObserver(({ type }) => heard.push(type));
  publish("sessionStart", start());
  assert.deepEqual(heard, ["sessionStart"]);
  assert.deepEqual(said.filter(({ kind }) => kind === "threw").map(({ type, message, vendor }) => [type, message, vendor]),
    [["sessionStart", "broken", "bad"]]);
});

test("what one listener does to an event, the next doesn't see", () => {
  const { scope, publish } = page();
  let seen = null;
  scope.omid3p.addEventListener("impression", (event) => { event.data.adView = "mine"; });
  scope.omid3p.addEventListener("impression", (event) => { seen = event.data.adView; });
  publish("impression", { adView: "the app's" });
  assert.equal(seen, "the app's");
});

test("a direct client is answered under its guid, in its version's form", () => {
  for (const [version, read] of [["1.6.7", (args) => args], ["1.0.0", (args) => JSON.parse(args)]]) {
    const { scope, publish } = page();
    const got = [];
    const asked = message("VerificationService.addSessionListener", ["vendor", undefined], version);
    scope.omid.v1_VerificationServiceCommunication.handleExportedMessage(asked, { handleExportedMessage: (answer) => got.push(answer) });
    publish("sessionStart", start());
    assert.equal(got.length, 1);
    assert.equal(got[0].omid_message_guid, asked.omid_message_guid);
    assert.equal(got[0].omid_message_method, "response");
    assert.equal(read(got[0].omid_message_args)[0].type, "sessionStart");
  }
});

test("a frame of the ad is answered by messages, and reaches nothing of the page", () => {
  const { publish, post } = page();
  const frame = client();
  post(message("VerificationService.addSessionListener", ["vendor"]), frame);
  post(message("VerificationService.addEventListener", ["video"]), frame);
  publish("sessionStart", start());
  publish("firstQuartile");
  assert.deepEqual(frame.got.map(({ omid_message_args: [{ type }] }) => type), ["sessionStart", "firstQuartile"]);
  assert.equal(frame.got[0].omid_message_args[0].data.context.accessMode, "limited");
});

test("the frames that say the service is here come as soon as there is a body", () => {
  const { frames, bodyComes } = page({ hasBody: false });
  assert.equal(frames.length, 0);
  bodyComes();
  assert.deepEqual(frames.map(({ name, attributes }) => [name, attributes.sandbox]), [["omid_v1_present", ""], ["omid_v1_present_app", ""]]);
});

test("an injected script is shut off, is known by its window, and gets its parameters whatever key it says", () => {
  const { frames, inject, publish, post, said } = page();
  inject({ id: "script-1", url: "https://v.example/a\"b.js", vendor: "v.example-omid", parameters: "p=1" });
  const frame = frames.at(-1);
  assert.equal(frame.attributes.sandbox, "allow-scripts");
  assert.match(frame.srcdoc, /src="https:\/\/v\.example\/a&quot;b\.js"/);
  assert.match(frame.srcdoc, /"injectionId":"script-1","injectionSource":"app"/);
  post(message("VerificationService.addSessionListener", ["another"]), frame.contentWindow);
  publish("sessionStart", start());
  const [{ omid_message_args: [event] }] = frame.contentWindow.got;
  assert.equal(event.data.verificationParameters, "p=1");
  assert.equal(event.data.context.accessMode, "limited");
  post({ omid_script: "loaded" }, frame.contentWindow);
  post({ omid_script: "failed" }, frame.contentWindow);
  assert.deepEqual(said.map(({ kind, script, loaded }) => [kind, script, loaded]), [["registered", "script-1", undefined], ["script", "script-1", true]]);
});

test("the frame of a script of the ad's own is the same whichever host serves it", () => {
  const { document, frames, inject } = page();
  inject({ id: "script-1", url: "creative://ad-7/m/a.js" });
  assert.match(frames.at(-1).srcdoc, / src="\/m\/a\.js"/);
  inject({ id: "script-2", url: "creative://ad-77/a.js" });
  assert.match(frames.at(-1).srcdoc, / src="creative:\/\/ad-77\/a\.js"/);
  document.baseURI = "https://elsewhere.example/";
  inject({ id: "script-3", url: "creative://ad-7/a.js" });
  assert.match(frames.at(-1).srcdoc, / src="creative:\/\/ad-7\/a\.js"/);
});

test("a script with full access is of the page's origin, and is given the ad's element", () => {
  const { scope, frames, inject, publish, Element } = page();
  inject({ id: "script-1", url: "https://v.example/a.js", vendor: "v", accessMode: "full" });
  const frame = frames.at(-1);
  assert.equal(frame.attributes.sandbox, "allow-scripts allow-same-origin");
  assert.equal(frame.contentWindow.omidVerificationProperties.injectionId, "script-1");
  assert.equal(frame.contentDocument.body.children[0].src, "https://v.example/a.js");
  const slot = Object.assign(new Element("div"), { bounds: { x: 1, y: 2, width: 3, height: 4 } });
  const interfaceOf = scope.omidSessionInterface;
  interfaceOf.setSlotElement(slot);
  let context = null;
  const words = message("VerificationService.addSessionListener", ["v", "script-1"]);
  scope.omid.v1_VerificationServiceCommunication.handleExportedMessage(words, { handleExportedMessage: (answer) => { context = answer.omid_message_args[0].data.context; } });
  publish("sessionStart", start());
  assert.equal(context.slotElement, slot);
  assert.equal(context.accessMode, "full");
});

test("code of the ad's own gets the parameters of the script with its key", () => {
  const { scope, inject, publish } = page();
  inject({ id: "script-1", url: "https://v.example/a.js", vendor: "v", parameters: "p" });
  const heard = [];
  for (const key of ["v", "w"]) scope.omid3p.registerSessionObserver(({ data }) => heard.push(data.verificationParameters), key);
  publish("sessionStart", start());
  assert.deepEqual(heard, ["p", undefined]);
});

test("a session client's calls go to the host with their arguments", () => {
  const { scope, said } = page();
  const end = { handleExportedMessage() {} };
  const call = (method, ...args) => scope.omid.v1_SessionServiceCommunication.handleExportedMessage(message(`SessionService.${method}`, args), end);
  call("setClientInfo", "1.6.7", "Partner", "2", "id");
  call("registerAdEvents", "id");
  call("impressionOccurred", "id");
  call("nothing", "id");
  assert.deepEqual(said.map(({ kind, method, arguments: args }) => [kind, method, args?.[0]]), [
    ["call", "setClientInfo", "1.6.7"], ["call", "registerAdEvents", "id"], ["call", "impressionOccurred", "id"], ["refused", "nothing", undefined],
  ]);
});

test("a session client in a frame is heard once its window is registered", () => {
  const { scope, post, said } = page();
  const frame = client();
  post(message("SessionService.finishSession", ["id"]), frame);
  assert.equal(said[0].kind, "refused");
  scope.omidSessionInterface.setSessionClientWindow(frame);
  assert.equal(frame.got[0].omid_message_method, "identifyServiceWindow");
  post(message("SessionService.finishSession", ["id"]), frame);
  assert.deepEqual([said[1].kind, said[1].method], ["call", "finishSession"]);
  post(message("SessionService.setSlotElement", [{}]), frame);
  assert.equal(said[2].kind, "refused");
});

test("a session observer of a session client hears the session", () => {
  const { scope, publish } = page();
  const got = [];
  scope.omid.v1_SessionServiceCommunication.handleExportedMessage(message("SessionService.registerSessionObserver", ["id"]), { handleExportedMessage: (answer) => got.push(answer.omid_message_args[0].type) });
  publish("sessionStart", start());
  publish("sessionFinish");
  assert.deepEqual(got, ["sessionStart", "sessionFinish"]);
});

test("a session client after a session's end, and what it injects, hear nothing of that session", () => {
  const { scope, publish } = page();
  publish("sessionStart", start());
  publish("impression");
  publish("sessionFinish");
  const got = [];
  const end = { handleExportedMessage: (answer) => got.push(answer.omid_message_args[0].type) };
  const call = (method, ...args) => scope.omid.v1_SessionServiceCommunication.handleExportedMessage(message(`SessionService.${method}`, args), end);
  call("setClientInfo", "1.6.7", "Partner", "2", "id");
  call("registerSessionObserver", "id");
  scope.omid3p.registerSessionObserver(({ type }) => got.push(type));
  assert.deepEqual(got, []);
  publish("sessionStart", start());
  assert.deepEqual(got, ["sessionStart", "sessionStart"]);
});

test("the element that is the ad is told of where it goes, and not twice where it stays", () => {
  const { document, Element, publish, said, handlers } = page();
  document.marked = Object.assign(new Element("img"), { bounds: { x: 0, y: 10, width: 100, height: 50 } });
  publish("sessionStart", start());
  handlers.scroll();
  document.marked.bounds = { x: 0, y: -20, width: 100, height: 50 };
  handlers.scroll();
  assert.deepEqual(said.filter(({ kind }) => kind === "element").map(({ bounds }) => bounds.y), [10, -20]);
});

test("bounds of a client count from its element", () => {
  const { scope, Element, said } = page();
  scope.omidSessionInterface.setSlotElement(Object.assign(new Element("div"), { bounds: { x: 5, y: 5, width: 10, height: 10 } }));
  scope.omidSessionInterface.setElementBounds({ x: 1, y: 2, width: 3, height: 4 });
  assert.deepEqual(said.at(-1).bounds, { x: 6, y: 7, width: 3, height: 4 });
});

test("measuring code without timers of its own is given some, and attesting is not supported", () => {
  const { scope, post } = page();
  const frame = client();
  post(message("VerificationService.setTimeout", [0, 10]), frame);
  scope.timer();
  assert.equal(frame.got.length, 1);
  post(message("VerificationService.attest", ["m", "1", {}, "id"]), frame);
  assert.deepEqual(frame.got[1].omid_message_args, [false, "UNSUPPORTED_MECHANISM"]);
});

test("who sends nonsense, without end, does no harm", () => {
  const { scope, post, said, publish } = page();
  const frame = client();
  for (const data of [null, 5, "x", {}, { omid_message_guid: 1 }, message("VerificationService.toString", []), message("VerificationService.constructor", []), message("Elsewhere.addEventListener", []), { ...message("VerificationService.addEventListener", []), omid_message_args: 7 }]) post(data, frame);
  assert.throws(() => scope.omid3p.registerSessionObserver("no function"), /no function/);
  for (let time = 0; time < 2000; time += 1) scope.omid3p.addEventListener("impression", () => {});
  const loop = {};
  loop.loop = loop;
  scope.omidSessionInterface.startSession(loop);
  assert.ok(said.length <= 1001);
  publish("sessionStart", start());
});
