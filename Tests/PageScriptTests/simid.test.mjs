// The player's side of SIMID 1.2, with a creative and a player that only write down what is said and done.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import vm from "node:vm";
import { plain } from "./scripts.mjs";

const source = readFileSync(resolve(import.meta.dirname, "../../Sources/Hosting/Scripts/simid.js"), "utf8");
const make = vm.runInNewContext(`${source}\nsimidSession;`, { Math, JSON, Object, Array, Number, String, Map, Set, Infinity });
const place = { videoDimensions: { x: 0, y: 0, width: 400, height: 300 }, creativeDimensions: { x: 0, y: 0, width: 400, height: 300 }, fullscreen: false };

/** A session whose creative posts what a test says; time passes when told. */
function rig({ skippable = "notSkippable", nonLinear = false, canFullScreen = true } = {}) {
  const rig = { posted: [], logged: [], told: [], done: [], time: 0, timers: [], isSettled: false, id: 0 };
  rig.film = { currentSrc: "film.mp4", currentTime: 0, duration: 10, ended: false, muted: false, paused: false, volume: 1, fullscreen: false };
  const note = (name, ...values) => { rig.done.push([name, ...values].join(" ")); };
  const player = {
    place: () => rig.place ?? place, film: () => rig.film, sound: () => ({ muted: false, volume: 1 }), canFullScreen,
    pause() { if (rig.film.paused || rig.film.ended) return false; rig.film.paused = true; note("pause"); return true; },
    play() { if (!rig.film.paused || rig.film.ended) return false; rig.film.paused = false; note("play"); return true; },
    setVolume: (volume, muted) => note("volume", volume, muted), fullScreen: () => note("fullScreen"),
    show: () => note("show"), hide: () => note("hide"), unload: () => note("unload"), halt: () => note("halt"),
    expand: () => note("expand"), collapse: () => note("collapse"), resize: (box) => { note("resize", box.width); return box.width <= 400; },
    over: (how) => note("over", how), durationChanged: () => note("duration"), hasGesture: () => true,
  };
  rig.session = make({
    settings: { nonLinear, skippable, creativeData: { adParameters: "{}" }, environmentData: { version: "1.2" } }, player,
    post: (text) => rig.posted.push(JSON.parse(text)),
    log: (name, detail) => rig.logged.push([name, plain(detail)]),
    tell: (what, detail = {}) => rig.told.push([what, plain(detail)]),
    later(wait, act) {
      const timer = { due: rig.time + wait, act, isOn: true };
      rig.timers.push(timer);
      return () => { timer.isOn = false; };
    },
    now: () => rig.time, date: () => 1000 + rig.time, settled: () => { rig.isSettled = true; },
  });
  rig.pass = (wait) => {
    const until = rig.time + wait;
    for (;;) {
      const next = rig.timers.filter((timer) => timer.isOn && timer.due <= until).sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      next.isOn = false;
      rig.time = next.due;
      next.act();
    }
    rig.time = until;
  };
  rig.post = (type, args, more = {}) => {
    const message = { sessionId: "s-1", messageId: rig.id, timestamp: 1, type, args, ...more };
    rig.id += 1;
    rig.session.receive(JSON.stringify(message));
    return message.messageId;
  };
  rig.ask = (name, args) => {
    const before = rig.posted.length;
    const id = rig.post(`SIMID:Creative:${name}`, args);
    return rig.posted.slice(before).find((message) => ["resolve", "reject"].includes(message.type) && message.args.messageId === id) ?? null;
  };
  rig.answer = (name, type = "resolve", value = {}) => {
    const asked = rig.posted.findLast((message) => message.type === `SIMID:Player:${name}`);
    return rig.post(type, { messageId: asked.messageId, value });
  };
  rig.begin = () => { rig.post("createSession"); rig.answer("init"); return rig; };
  rig.start = () => { rig.begin(); rig.session.begins(); rig.answer("startCreative"); rig.done.length = 0; return rig; };
  rig.types = () => rig.posted.map((message) => message.type.replace("SIMID:", ""));
  rig.refused = () => rig.logged.filter(([name]) => name === "refused").map(([, detail]) => detail.reason);
  rig.flaws = () => rig.logged.filter(([name]) => name === "flaw").map(([, detail]) => detail.message);
  return rig;
}
const code = (answer) => answer?.args.value?.errorCode;

test("a session begins with the creative, is resolved, and init follows", () => {
  const one = rig();
  assert.equal(one.posted.length, 0);
  one.post("createSession");
  assert.deepEqual(one.types(), ["resolve", "Player:init"]);
  assert.deepEqual(one.posted.map(({ messageId, sessionId }) => [messageId, sessionId]), [[0, "s-1"], [1, "s-1"]]);
  assert.equal(one.posted[0].args.messageId, 0);
  const { environmentData, creativeData } = one.posted[1].args;
  assert.equal(environmentData.version, "1.2");
  assert.deepEqual(environmentData.videoDimensions, place.videoDimensions);
  assert.equal(creativeData.adParameters, "{}");
  assert.equal(one.isSettled, false);
  one.answer("init");
  assert.equal(one.isSettled, true);
});

test("startCreative comes once the film plays, and the creative is shown once that is resolved", () => {
  const one = rig().begin();
  assert.deepEqual(one.done, []);
  one.session.begins();
  assert.equal(one.types().at(-1), "Player:startCreative");
  assert.deepEqual(one.done, []);
  one.answer("startCreative");
  assert.deepEqual(one.done, ["show"]);
  assert.ok(one.session.isStarted);
});

test("who comes late is started in the middle of the film", () => {
  const one = rig();
  one.pass(5000);
  assert.equal(one.isSettled, true);
  one.session.begins();
  assert.equal(one.posted.length, 0);
  one.begin();
  assert.equal(one.types().at(-1), "Player:startCreative");
});

test("an init that isn't answered lets the film go on, and one that is answered later counts", () => {
  const one = rig();
  one.post("createSession");
  one.pass(5000);
  assert.equal(one.isSettled, true);
  one.session.begins();
  assert.deepEqual(one.types(), ["resolve", "Player:init"]);
  one.session.media("play");
  assert.equal(one.posted.length, 2);
  one.answer("init");
  assert.equal(one.types().at(-1), "Player:startCreative");
});

for (const [name, prepare, wanted] of [
  ["no session", () => {}, 1223], ["no answer to init", (one) => one.post("createSession"), 1212],
  ["no answer to startCreative", (one) => { one.begin(); one.session.begins(); }, 1213],
]) {
  test(`${name} is told at the film's end, and the frame goes`, () => {
    const one = rig();
    prepare(one);
    let isOver = false;
    one.session.ended(() => { isOver = true; });
    assert.deepEqual(one.told.map(([what, detail]) => [what, detail.code, detail.fatal]), [["simidError", wanted, false]]);
    assert.deepEqual(one.done, ["unload"]);
    assert.ok(isOver);
  });
}

test("a rejected init or startCreative is told with the creative's code, and the frame goes", () => {
  for (const [name, value, wanted] of [
    ["init", { errorCode: 1103, message: "too new" }, 1103], ["init", undefined, 1100], ["startCreative", { errorCode: "1101" }, 1101],
    ["startCreative", { errorCode: 902, reason: "no" }, 1100],
  ]) {
    const one = rig();
    one.post("createSession");
    if (name === "startCreative") { one.answer("init"); one.session.begins(); }
    one.answer(name, "reject", value);
    assert.deepEqual(one.told.map(([what, detail]) => [what, detail.code]), [["simidError", wanted]]);
    assert.deepEqual(one.done, ["unload"]);
    assert.ok(one.isSettled && one.session.isGone);
  }
});

test("media messages go to a creative that is ready, and to no other", () => {
  const one = rig();
  one.session.media("play");
  one.post("createSession");
  one.session.media("play");
  assert.equal(one.posted.length, 2);
  one.answer("init");
  one.session.media("timeupdate", { currentTime: 0.25 });
  assert.deepEqual(one.posted.at(-1).args, { currentTime: 0.25 });
  assert.equal(one.types().at(-1), "Media:timeupdate");
});

test("pause and play move the film, and are refused where nothing moves", () => {
  const one = rig().start();
  assert.equal(one.ask("requestPause").type, "resolve");
  assert.equal(code(one.ask("requestPause")), 1200);
  assert.equal(one.ask("requestPlay").type, "resolve");
  assert.equal(code(one.ask("requestPlay")), 1200);
  assert.deepEqual(one.done, ["pause", "play"]);
});

test("somebody who only looks on is told when a paused creative waits for a person", () => {
  const one = rig().start();
  one.ask("requestPause");
  one.pass(9999);
  assert.deepEqual(one.told, []);
  one.pass(1);
  assert.deepEqual(one.told, [["waits", {}]]);
  const other = rig().start();
  other.ask("requestPause");
  other.ask("requestPlay");
  other.pass(20000);
  assert.deepEqual(other.told, []);
});

test("a creative skips where it handles skipping, and nowhere else", () => {
  assert.equal(code(rig().start().ask("requestSkip")), 1203);
  assert.equal(code(rig({ skippable: "playerHandles" }).start().ask("requestSkip")), 1203);
  const one = rig({ skippable: "adHandles" }).start();
  const before = one.posted.length;
  one.ask("requestSkip");
  assert.deepEqual(one.types().slice(before), ["resolve", "Player:adSkipped"]);
  assert.deepEqual(one.done, ["hide", "halt", "hide"]);
  one.answer("adSkipped");
  assert.deepEqual(one.done.slice(3), ["unload", "over skip"]);
});

test("a stop is resolved, told as the creative's, and waited for so long and no longer", () => {
  const one = rig().start();
  const before = one.posted.length;
  one.ask("requestStop");
  assert.deepEqual(one.types().slice(before), ["resolve", "Player:adStopped"]);
  assert.deepEqual(one.posted.at(-1).args, { code: 4 });
  one.pass(1999);
  assert.ok(!one.session.isGone);
  one.pass(1);
  assert.deepEqual(one.done.slice(-2), ["unload", "over stop"]);
  assert.deepEqual(one.refused(), ["slow"]);
});

test("while it ends a creative may report and ask nothing else", () => {
  const one = rig().start();
  one.ask("requestStop");
  assert.equal(one.ask("reportTracking", { trackingUrls: ["https://t.example/1"] }).type, "resolve");
  assert.equal(one.ask("requestPlay").type, "reject");
  assert.deepEqual(one.refused(), ["late"]);
});

test("the person's skip and close are told to the creative, which is waited for", () => {
  for (const [end, type, args] of [
    [(session, then) => session.skip(then), "Player:adSkipped", undefined], [(session, then) => session.stop(1, then), "Player:adStopped", { code: 1 }],
  ]) {
    const one = rig().start();
    let isOver = false;
    end(one.session, () => { isOver = true; });
    assert.equal(one.types().at(-1), type);
    assert.deepEqual(one.posted.at(-1).args, args);
    assert.ok(!isOver);
    one.answer(type.slice(7));
    assert.ok(isOver);
    assert.deepEqual(one.done, ["hide", "unload"]);
  }
});

test("nobody posts to a creative that hasn't said that it is ready, not even its end", () => {
  const one = rig();
  one.post("createSession");
  one.session.skip(() => one.done.push("over"));
  assert.deepEqual(one.types(), ["resolve", "Player:init"]);
  assert.deepEqual(one.done, ["hide", "unload", "over"]);
});

test("the media's end stops the ad", () => {
  const one = rig().start();
  one.session.ended(() => one.done.push("over"));
  assert.deepEqual(one.types().slice(-2), ["Media:ended", "Player:adStopped"]);
  assert.deepEqual(one.posted.at(-1).args, { code: 2 });
  one.answer("adStopped");
  assert.deepEqual(one.done, ["hide", "unload", "over"]);
});

test("a longer duration goes on after the media, for as long as was asked", () => {
  const one = rig().start();
  assert.equal(one.ask("requestChangeAdDuration", { duration: 14 }).type, "resolve");
  one.session.ended(() => one.done.push("over"));
  assert.equal(one.types().at(-1), "Media:ended");
  assert.deepEqual(one.logged.at(-1), ["extended", { from: "player", to: 14 }]);
  one.pass(1000);
  one.ask("requestChangeAdDuration", { duration: 12 });
  one.pass(999);
  assert.equal(one.types().at(-1), "resolve");
  one.pass(1);
  assert.deepEqual(one.posted.at(-1).args, { code: 4 });
});

test("an unknown duration lasts until the creative stops", () => {
  const one = rig().start();
  one.ask("requestChangeAdDuration", { duration: -2 });
  one.session.ended(() => one.done.push("over"));
  one.pass(60000);
  assert.deepEqual(one.logged.at(-1), ["extended", { from: "player", unlimited: true }]);
  assert.deepEqual(one.told, [["waits", {}]]);
  one.ask("requestStop");
  one.answer("adStopped");
  assert.deepEqual(one.done.slice(-3), ["unload", "over", "over stop"]);
});

test("a shorter duration ends the film there", () => {
  const one = rig().start();
  one.ask("requestChangeAdDuration", { duration: 4 });
  one.film.currentTime = 3.9;
  one.session.passed();
  assert.ok(!one.done.includes("halt"));
  one.film.currentTime = 4;
  one.session.passed();
  assert.equal(one.types().at(-1), "Player:adStopped");
});

test("durations that make no sense, or no end, are refused", () => {
  const one = rig().start();
  for (const [duration, wanted] of [[0, 1202], [-1, 1202], [1e9, 1202], [null, 1211], ["soon", 1211], [undefined, 1211], [[5], 1211]]) {
    assert.equal(code(one.ask("requestChangeAdDuration", { duration })), wanted, String(duration));
  }
  assert.equal(one.session.duration, null);
  assert.equal(one.ask("requestChangeAdDuration", { duration: "12" }).type, "resolve");
  assert.equal(one.flaws().length, 1);
});

test("trackers are handed on as they are, and lists with anything but the web in them refused whole", () => {
  const one = rig().start();
  const urls = ["https://t.example/[TIMESTAMP]", "http://t.example/b"];
  assert.equal(one.ask("reportTracking", { trackingUrls: urls }).type, "resolve");
  assert.deepEqual(one.told, [["simidTracking", { urls }]]);
  for (const [list, wanted] of [
    [["https://t.example", "javascript:alert(1)"], 1204], [["file:///etc/passwd"], 1204], [["/relative"], 1204], [[7], 1204],
    [[`https://t.example/${"x".repeat(9000)}`], 1204], [Array(51).fill("https://t.example"), 1203], [[], 1211], ["https://t.example", 1211],
  ]) {
    assert.equal(code(one.ask("reportTracking", { trackingUrls: list })), wanted);
  }
  assert.equal(one.told.length, 1);
});

test("a click is resolved before it opens, counted once, and leads only where something can be shown", () => {
  const one = rig().start();
  assert.equal(one.ask("clickThru", { x: 3, y: "4", playerHandles: true, url: "https://a.example/" }).type, "resolve");
  assert.deepEqual(one.told, [["simidClick", { opens: true, gesture: true, url: "https://a.example/", x: 3, y: 4 }]]);
  assert.equal(code(one.ask("clickThru", { playerHandles: true, url: "https://a.example/" })), 1219);
  one.pass(1000);
  assert.equal(one.ask("clickThru", { playerHandles: false }).type, "resolve");
  one.pass(1000);
  assert.equal(one.ask("clickThru", { playerHandles: true, url: "market://details?id=a.b" }).type, "resolve");
  for (const url of [undefined, "/shop", "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "https://", 7]) {
    one.pass(1000);
    assert.equal(code(one.ask("clickThru", { playerHandles: true, url })), 1214, String(url));
  }
});

test("navigations have a form and an end", () => {
  const one = rig().start();
  for (const uri of [undefined, "shop.html", "blob:https://a.example/1", "creative://ad/index.html"]) {
    assert.equal(code(one.ask("requestNavigation", { uri })), 1217, String(uri));
  }
  for (let i = 0; i < 10; i += 1) assert.equal(one.ask("requestNavigation", { uri: "https://a.example/" }).type, "resolve");
  assert.equal(code(one.ask("requestNavigation", { uri: "https://a.example/" })), 1216);
  assert.equal(one.told.length, 10);
});

test("sound changes by what is right of a message only", () => {
  const one = rig().start();
  assert.equal(one.ask("requestChangeVolume", { volume: 0.5, muted: false }).type, "resolve");
  for (const args of [{ volume: 2 }, { volume: "loud" }, { muted: "yes" }, {}, undefined, null]) {
    assert.equal(code(one.ask("requestChangeVolume", args)), 1211);
  }
  assert.deepEqual(one.done, ["volume 0.5 false"]);
});

test("full screen is resolved once the host has done it, and followed by the new sizes", () => {
  const one = rig().start();
  assert.equal(one.ask("requestFullscreen"), null);
  assert.equal(code(one.ask("requestFullscreen")), 1200);
  one.place = { ...place, fullscreen: true };
  one.session.fullScreenChanged(true);
  assert.deepEqual(one.types().slice(-2), ["resolve", "Player:resize"]);
  assert.equal(one.posted.at(-1).args.fullscreen, true);
  assert.equal(code(one.ask("requestFullscreen")), 1200);
  assert.equal(code(rig({ canFullScreen: false }).start().ask("requestFullscreen")), 1203);
  assert.equal(code(rig().start().ask("requestExitFullscreen")), 1200);
});

test("what a widespread example spells in its own way is understood, and said", () => {
  const one = rig().start();
  assert.equal(one.ask("requestVolume", { volume: 1, muted: true }).type, "resolve");
  one.ask("requestVolume", { volume: 1, muted: true });
  assert.deepEqual(one.flaws(), ["requestVolume is requestChangeVolume in the standard"]);
  assert.equal(one.posted.filter(({ type }) => type === "SIMID:Player:log").length, 1);
});

test("the media's state is told as it is", () => {
  const one = rig().start();
  assert.deepEqual(one.ask("getMediaState").args.value, one.film);
});

test("linear ads have nothing to expand, collapse or resize", () => {
  const one = rig().start();
  for (const name of ["expandNonlinear", "collapseNonlinear"]) assert.equal(code(one.ask(name)), 1203);
  assert.equal(code(one.ask("requestResize", { creativeDimensions: { x: 0, y: 0, width: 10, height: 10 } })), 1203);
});

test("a non-linear creative expands, collapses and is resized within its player", () => {
  const one = rig({ nonLinear: true }).start();
  const grown = one.ask("expandNonlinear");
  assert.deepEqual(grown.args.value, { creativeDimensions: place.creativeDimensions });
  assert.equal(code(one.ask("expandNonlinear")), 1200);
  assert.equal(code(one.ask("requestResize", { creativeDimensions: { x: 0, y: 0, width: 10, height: 10 } })), 1203);
  assert.equal(one.ask("collapseNonlinear").type, "resolve");
  assert.deepEqual(one.done, ["expand", "collapse"]);
  assert.equal(code(one.ask("requestResize", { creativeDimensions: { x: 0, y: 0, width: 500, height: 10 } })), 1203);
  assert.equal(code(one.ask("requestResize", { creativeDimensions: { x: 0, y: 0, width: 0, height: 10 } })), 1211);
  assert.equal(one.ask("requestResize", { creativeDimensions: { x: "1", y: 0, width: 100, height: 10 } }).type, "resolve");
  for (let i = 0; i < 8; i += 1) { one.ask("expandNonlinear"); one.ask("collapseNonlinear"); }
  assert.equal(code(one.ask("expandNonlinear")), 1222);
  for (const name of ["requestPause", "requestPlay", "requestSkip"]) assert.equal(code(one.ask(name)), 1203);
});

test("the player collapses an expanded creative, and says so first", () => {
  const one = rig({ nonLinear: true }).start();
  one.session.collapse();
  assert.deepEqual(one.done, []);
  one.ask("expandNonlinear");
  const before = one.posted.length;
  one.session.collapse();
  assert.deepEqual(one.types().slice(before), ["Player:collapseNonlinear", "Player:resize"]);
});

test("a non-linear creative that doesn't begin, answer or start in time is dropped", () => {
  for (const [prepare, wanted] of [
    [() => {}, 1223], [(one) => one.post("createSession"), 1212], [(one) => { one.begin(); one.session.begins(); }, 1213],
  ]) {
    const one = rig({ nonLinear: true });
    prepare(one);
    one.pass(5000);
    assert.deepEqual(one.told.map(([, detail]) => detail.code), [wanted]);
    assert.deepEqual(one.done, ["unload"]);
    assert.ok(one.isSettled);
  }
});

test("a creative's fatal error ends the ad at once", () => {
  const one = rig().start();
  assert.equal(one.ask("fatalError", { errorCode: 1101, errorMessage: "no picture" }), null);
  assert.deepEqual(one.told, [["simidError", { code: 1101, message: "the creative gave up: no picture", fatal: true }]]);
  assert.deepEqual(one.done, ["halt", "unload", "over fatal"]);
});

test("the player's fatal error is told to the creative, which is waited for", () => {
  const one = rig().start();
  one.session.fatal(1206, "the film broke");
  assert.deepEqual(one.posted.at(-1).args, { errorCode: 1206, errorMessage: "the film broke" });
  one.answer("fatalError");
  assert.deepEqual(one.done, ["halt", "hide", "unload", "over fatal"]);
});

test("what isn't the protocol is refused and said why, and nothing comes of it", () => {
  const one = rig().start();
  const before = [one.posted.length, one.done.length];
  one.session.receive({ type: "SIMID:Creative:requestStop" });
  one.session.receive("{");
  one.session.receive("null");
  one.session.receive("[]");
  one.session.receive(JSON.stringify({ type: "SIMID:Creative:requestStop", sessionId: "s-1" }));
  one.session.receive(JSON.stringify({ type: "SIMID:Creative:requestStop", sessionId: "s-1", messageId: -1 }));
  one.session.receive(" ".repeat(65537));
  one.post("SIMID:Creative:requestStop", {}, { sessionId: "s-2" });
  one.post("createSession");
  one.session.stranger();
  assert.deepEqual(one.refused(), ["text", "json", "shape", "shape", "shape", "shape", "length", "session", "session", "window"]);
  assert.deepEqual([one.posted.length, one.done.length], before);
});

test("messages that the standard doesn't have are rejected, whatever an object has under their name", () => {
  const one = rig().start();
  for (const type of ["SIMID:Creative:dance", "SIMID:Player:adStopped", "SIMID:Creative:constructor", "SIMID:Creative:__proto__", "hello"]) {
    const id = one.post(type);
    assert.deepEqual([one.posted.at(-1).type, one.posted.at(-1).args.messageId, code(one.posted.at(-1))], ["reject", id, 1211], type);
  }
});

test("requests before init is resolved are rejected; what says what is wrong is heard", () => {
  const one = rig();
  one.post("SIMID:Creative:log", { message: "hi" });
  assert.deepEqual(one.refused(), ["session"]);
  one.post("createSession");
  assert.equal(code(one.ask("requestPause")), 1210);
  assert.equal(one.ask("getMediaState").type, "resolve");
  assert.deepEqual(one.refused(), ["session", "early"]);
});

test("an answer counts once, and only where something was asked", () => {
  const one = rig();
  one.post("createSession");
  one.answer("init");
  one.answer("init", "reject", { errorCode: 1100 });
  one.post("resolve", { messageId: 77 });
  one.post("resolve", null);
  assert.deepEqual(one.refused(), ["answer", "answer", "answer"]);
  assert.deepEqual(one.told, []);
});

test("ids that don't count up and missing timestamps are put up with, and said once", () => {
  const one = rig().start();
  for (let i = 0; i < 3; i += 1) one.post("SIMID:Creative:log", { message: "m" }, { timestamp: undefined });
  one.post("SIMID:Creative:log", { message: "m" }, { messageId: 0 });
  assert.deepEqual(one.flaws(), ["the message has no timestamp", "messageId 0 comes after 5: ids count up by 1"]);
});

test("who overloads the channel is ended by 1205 and not waited for", () => {
  const one = rig().start();
  one.pass(1000);
  for (let i = 0; i < 101; i += 1) one.post("SIMID:Creative:log", { message: String(i) });
  assert.deepEqual(one.told.map(([what, detail]) => [what, detail.code, detail.fatal]), [["simidError", 1205, true]]);
  assert.equal(one.types().at(-1), "Player:fatalError");
  assert.deepEqual(one.done, ["halt", "hide", "unload", "over fatal"]);
  const lines = one.logged.length;
  one.post("SIMID:Creative:log", { message: "more" });
  assert.equal(one.logged.length, lines);
});

test("a hundred a second for ever has an end as well", () => {
  const one = rig().start();
  for (let i = 0; i < 60 && !one.session.isGone; i += 1) {
    one.pass(1000);
    for (let j = 0; j < 99; j += 1) one.post("SIMID:Creative:log");
  }
  assert.deepEqual(one.told.map(([, detail]) => detail.code), [1205]);
});

test("refusals of another window's and of a creative's messages fill so many lines and no more", () => {
  const one = rig().start();
  for (let i = 0; i < 20; i += 1) one.session.stranger();
  for (let i = 0; i < 80; i += 1) { one.pass(100); one.session.receive("{"); }
  assert.equal(one.refused().filter((reason) => reason === "window").length, 5);
  assert.equal(one.refused().filter((reason) => reason === "json").length, 50);
});

test("a film that breaks is told as such, and the creative is waited for", () => {
  const one = rig().start();
  one.session.mediaFailed(3, "it can't be decoded");
  assert.deepEqual(one.posted.slice(-2).map(({ args }) => args), [{ error: 3, message: "it can't be decoded" }, { errorCode: 1206, errorMessage: "it can't be decoded" }]);
  assert.deepEqual(one.told, []);
  one.answer("fatalError");
  assert.ok(one.session.isGone);
});

test("background, foreground and sizes are told to a creative that is ready", () => {
  const one = rig();
  one.session.foreground(false);
  one.session.resized();
  assert.equal(one.posted.length, 0);
  one.start();
  const before = one.posted.length;
  one.session.foreground(false);
  one.session.foreground(true);
  one.session.resized();
  assert.deepEqual(one.types().slice(before), ["Player:appBackgrounded", "Player:appForegrounded", "Player:resize"]);
});

test("each message, both ways, is a line of the log with what it answers", () => {
  const one = rig().start();
  one.ask("requestPause");
  assert.deepEqual(one.logged.slice(-2), [
    ["requestPause", { from: "creative", type: "SIMID:Creative:requestPause", id: 3 }],
    ["resolve", { from: "player", of: "requestPause", to: 3, id: 3 }],
  ]);
  assert.deepEqual(one.logged.map(([name]) => name), [
    "createSession", "resolve", "init", "resolve", "startCreative", "resolve", "visible", "requestPause", "resolve",
  ]);
});
