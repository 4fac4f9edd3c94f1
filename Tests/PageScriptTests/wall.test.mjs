import assert from "node:assert/strict";
import test from "node:test";
import { load, plain } from "./scripts.mjs";

const look = load("look");
const card = (place, name, facts = {}) => ({
  place, name, status: "passed", errors: 0, warnings: 0, device: "iphone-15", folder: "ads", checks: [], refused: [], ...facts,
});
const cards = [
  card(0, "b10", { status: "failed", errors: 1, checks: ["weight"], refused: ["unity", "iab"] }),
  card(1, "b9", { warnings: 4, checks: ["alt", "weight"], folder: "other" }),
  card(2, "a", { status: "timedOut" }),
  card(3, "c", { status: "failed", errors: 3, checks: ["weight"], refused: ["unity"], device: "pixel-8" }),
];
const names = (order, group) => look.arrange(cards, order, group)
  .map(({ key, members }) => [key, members.map(({ name }) => name).join(" ")].join(": "));

test("cards keep the order of the call", () => assert.deepEqual(plain(names("given", "none")), [": b10 b9 a c"]));
test("numbers in names are sorted as numbers", () => assert.deepEqual(plain(names("name", "none")), [": a b9 b10 c"]));
test("the worst come first", () => assert.deepEqual(plain(names("worst", "none")), [": c b10 a b9"]));
test("most findings come first, the call's order among equals", () => {
  assert.deepEqual(plain(names("findings", "none")), [": b9 c b10 a"]);
});
test("a card is in the group of each of its checks, the largest group first", () => {
  assert.deepEqual(plain(names("given", "check")), ["weight: b10 b9 c", "alt: b9", "no findings: a"]);
});
test("a card is in the group of each network that refuses it", () => {
  assert.deepEqual(plain(names("given", "network")), ["unity: b10 c", "not refused: b9 a", "iab: b10"]);
});
test("groups of verdicts, folders and devices come in the cards' order", () => {
  assert.deepEqual(plain(names("worst", "status")), ["failed: c b10", "timedOut: a", "passed: b9"]);
  assert.deepEqual(plain(names("given", "folder")), ["ads: b10 a c", "other: b9"]);
  assert.deepEqual(plain(names("given", "device")), ["iphone-15: b10 b9 a", "pixel-8: c"]);
});
test("orders and groups that nobody knows change nothing", () => {
  assert.deepEqual(plain(names("toString", "x")), [": b10 b9 a c"]);
});
test("a picture is shown whole, and at most twice as large as it is", () => {
  assert.deepEqual(plain(look.fitted(320, 50, { width: 1400, height: 800 })), { width: 640, height: 100 });
  assert.deepEqual(plain(look.fitted(393, 852, { width: 1400, height: 426 })), { width: 196, height: 426 });
  assert.deepEqual(plain(look.fitted(4000, 1, { width: 100, height: 100 })), { width: 100, height: 1 });
});
