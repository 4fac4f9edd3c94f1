import assert from "node:assert/strict";
import test from "node:test";
import { load, plain } from "./scripts.mjs";

const upload = load("upload");
const bytes = (text) => new TextEncoder().encode(text);

test("an address by itself is one, and everything else is markup", () => {
  for (const text of ["https://ads.example/a?b=1", "HTTP://x"]) assert.equal(upload.pastedKind(text), "url");
  for (const text of ["<a href=https://x>", "https://x https://y", "https://x\n<p>", "ftp://x", "{}", "<VAST/>"]) {
    assert.equal(upload.pastedKind(text), "markup", text);
  }
});

test("checksums are those of zips", () => {
  assert.equal(upload.crc(bytes("123456789")), 0xcbf43926);
  assert.equal(upload.crc(bytes("")), 0);
});

test("a folder becomes a zip with each file as it is", async () => {
  const zip = upload.zip([{ path: "index.html", bytes: bytes("<p>") }, { path: "img/é.txt", bytes: bytes("é") }]);
  const view = new DataView(await zip.arrayBuffer());
  const end = view.byteLength - 22;
  assert.equal(view.getUint32(end, true), 0x06054b50);
  assert.equal(view.getUint16(end + 10, true), 2);
  const text = (at, length) => new TextDecoder().decode(new Uint8Array(view.buffer, at, length));
  let entry = view.getUint32(end + 16, true);
  const found = [];
  for (let index = 0; index < 2; index += 1) {
    assert.equal(view.getUint32(entry, true), 0x02014b50);
    const [size, name, local] = [view.getUint32(entry + 24, true), view.getUint16(entry + 28, true), view.getUint32(entry + 42, true)];
    assert.equal(view.getUint32(local, true), 0x04034b50);
    assert.equal(view.getUint32(local + 14, true), view.getUint32(entry + 16, true));
    found.push([text(entry + 46, name), text(local + 30 + name, size)]);
    entry += 46 + name;
  }
  assert.deepEqual(found, [["index.html", "<p>"], ["img/é.txt", "é"]]);
  assert.equal(entry, end);
});

/** Items as the form makes them, each of a name. */
const items = (...names) => names.map((name) => ({ name, mark: name, key: `key-${name}` }));
const fates = (list) => plain(list.map((item) => item.fate));

test("what follows a refused creative is sent all the same, and each has its fate", async () => {
  const [told, sent, accepted] = [[], [], new Map()];
  const send = async (item) => {
    sent.push(item.name);
    return item.name === "bad" ? { problem: "is no zip" } : { run: { id: item.name } };
  };
  const done = await upload.sendAll(items("a", "bad", "b"), accepted, (list) => told.push(fates(list)), send);
  assert.deepEqual(fates(done), ["accepted", "refused", "accepted"]);
  assert.equal(done[1].reason, "is no zip");
  assert.deepEqual(sent, ["a", "bad", "b"]);
  assert.deepEqual(told[0], ["waiting", "waiting", "waiting"]);
  assert.deepEqual(told.at(-1), ["accepted", "refused", "accepted"]);

  // Once more, with the bad one mended: what was accepted isn't sent again.
  sent.length = 0;
  const again = await upload.sendAll(items("a", "mended", "b"), accepted, () => {}, send);
  assert.deepEqual(sent, ["mended"]);
  assert.deepEqual(fates(again), ["before", "accepted", "before"]);
  assert.equal(again[0].run.id, "a");
});

test("a zip of several creatives becomes a request for each, and none is sent twice", async () => {
  const [sent, accepted] = [[], new Map()];
  const zip = () => {
    const data = new FormData();
    data.append("name", "all");
    return [{ name: "all.zip", mark: "all", key: "key", data }];
  };
  const send = async (item) => {
    const entry = item.data.get("entry");
    sent.push([entry, item.data.get("name"), item.key]);
    if (!entry) return { problem: "no index.html", entries: ["a", "b/ad.html", "bad"] };
    return entry === "bad" ? { problem: "is broken", entries: ["more"] } : { run: { id: entry } };
  };
  const done = await upload.sendAll(zip(), accepted, () => {}, send);
  assert.deepEqual(fates(done), ["accepted", "accepted", "refused"]);
  assert.deepEqual(plain(done.map((item) => item.name)), ["all.zip: a", "all.zip: b/ad.html", "all.zip: bad"]);
  assert.deepEqual(sent.map(([entry]) => entry), [null, "a", "b/ad.html", "bad"]);
  assert.deepEqual(sent.map(([, name]) => name), ["all", "all a", "all b/ad.html", "all bad"]);
  const keys = sent.map(([, , key]) => key);
  assert.equal(new Set(keys).size, 4);

  sent.length = 0;
  const again = await upload.sendAll(zip(), accepted, () => {}, send);
  assert.deepEqual(fates(again), ["before", "before", "refused"]);
  assert.deepEqual(sent.map(([entry]) => entry), [null, "bad"]);
  assert.equal(sent[1][2], keys[3], "the same request has the same key");
});
