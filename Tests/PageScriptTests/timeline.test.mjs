import assert from "node:assert/strict";
import test from "node:test";
import { load, plain } from "./scripts.mjs";

const { ticks, isIn, place, instant, latest } = load("timelines");
const comparison = load("comparison");

test("a ruler has round instants, and no more than there is room for", () => {
  assert.deepEqual(plain(ticks(0, 4000, 5)), [0, 1000, 2000, 3000, 4000]);
  assert.deepEqual(plain(ticks(130, 890, 4)), [200, 400, 600, 800]);
  assert.deepEqual(plain(ticks(0, 1, 10)).length, 11);
  for (const [begin, end] of [[0, 0.001], [5, 5.2], [0, 86_400_000], [17, 39_000]]) {
    assert.ok(ticks(begin, end, 12).length <= 13, `${begin} to ${end}`);
  }
});
test("what overlaps the selection is in it, and everything is without one", () => {
  const range = { begin: 10, end: 20 };
  assert.deepEqual([[0, 9], [0, 10], [12, 13], [20, 30], [21, 30]].map(([start, end]) => isIn(start, end, range)),
    [false, true, true, true, false]);
  assert.equal(isIn(1e9, 1e9, null), true);
});
test("instants and places belong together, also on a part of the axis", () => {
  const view = { begin: 1000, end: 3000 };
  assert.equal(place(1500, view), 25);
  assert.equal(instant(0.25, view), 1500);
  assert.deepEqual([instant(-1, view), instant(7, view)], [1000, 3000]);
});
test("an instant has the picture that was seen last, and the first before any", () => {
  const moments = [{ t: 100, id: "a" }, { t: 200, id: "b" }];
  assert.deepEqual([0, 100, 199, 5000].map((t) => latest(moments, t).id), ["a", "a", "a", "b"]);
});
test("pictures of different sizes keep their scale in a stack", () => {
  assert.deepEqual(plain(comparison.shares([300, 150])), [100, 50]);
  assert.deepEqual(plain(comparison.shares([0, 0])), [100, 100]);
});
test("a slider stays on its picture", () => {
  assert.deepEqual([comparison.split(150, 100, 200), comparison.split(0, 100, 200), comparison.split(900, 100, 200),
    comparison.split(5, 0, 0)], [25, 0, 100, 50]);
});
