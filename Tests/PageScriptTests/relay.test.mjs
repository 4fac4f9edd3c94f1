// Elements are found in frames of other origins too, by messages that no script of the page's gets to hear.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import vm from "node:vm";

const source = readFileSync(resolve(import.meta.dirname, "../../Sources/Hosting/Scripts/relay.js"), "utf8")
  .replace("__GALLEY_LINKS__", '["inventory"]').replaceAll("__GALLEY_CHANNEL__", "secret").replace("__GALLEY_BOXES__", "word-");

const element = ([left, top, width, height], isVisible = true) => {
  const box = { left, top, width, height, right: left + width, bottom: top + height };
  return { getBoundingClientRect: () => box, getClientRects: () => [box], checkVisibility: () => isVisible, scrollIntoView() {} };
};

const deliver = (page, data, source) => {
  const event = new Event("message");
  Object.assign(event, { data, source });
  setTimeout(() => page.dispatchEvent(event), 0);
};

/** A window with these elements by their selectors and these frames, some in a shadow tree, in which the script runs before a page's own. */
function frame(elements, frames = [], offers = null) {
  const page = new EventTarget();
  class Document extends EventTarget {
    querySelector(selector) {
      if (selector === "<") throw new SyntaxError("no selector");
      return elements[selector] ?? null;
    }
    elementFromPoint(x, y) { return elements.hit?.(x, y) ?? null; }
    querySelectorAll() {
      const shadowRoot = (frame) => ({ querySelector: () => null, querySelectorAll: () => [frame] });
      const host = (frame) => ({ localName: "div", shadowRoot: shadowRoot(frame) });
      return page.frames.map((frame) => (frame.isInShadow ? host(frame) : frame));
    }
  }
  Object.assign(page, { heard: [], parent: page, top: page, window: page, document: new Document() });
  page.frames = frames.map(({ at, page: inner, isVisible, isInShadow }) => {
    // What a frame knows of its parent's window is where it posts to.
    // And the other way round: neither is the window that a script has in hand inside.
    const contentWindow = { postMessage: (data) => { if (!inner.isSilent) deliver(inner, data, inner.parent); } };
    inner.parent = { postMessage: (data) => deliver(page, data, contentWindow) };
    inner.top = page;
    return { ...element(at, isVisible), localName: "iframe", isInShadow, contentWindow, clientLeft: 1, clientTop: 2 };
  });
  page.postMessage = (data) => deliver(page, data, page);
  const script = vm.runInNewContext(`(function (window, document, Document) {${source}})`, {
    EventTarget, CustomEvent, Event, Element: EventTarget, innerWidth: 400, innerHeight: 300, setTimeout, clearTimeout,
    webkit: { messageHandlers: { galley: { postMessage() {} } } },
  });
  script(page, page.document, Document);
  page.addEventListener("message", (event) => page.heard.push(event.data));
  if (offers) {
    // What stands for `inventory.js`: it says what is here, and hands on what frames have told.
    const end = new EventTarget();
    page.dispatchEvent(Object.assign(new Event("secret-inventory"), { relatedTarget: end }));
    end.addEventListener("host", ({ detail }) => {
      end.dispatchEvent(new CustomEvent("say", { detail: JSON.stringify([offers, ...JSON.parse(detail)]) }));
    });
  }
  return page;
}
const plain = (value) => JSON.parse(JSON.stringify(value));

test("an element of the page's own goes before one in a frame", async () => {
  const inner = frame({ "#go": element([1, 1, 2, 2]) });
  const page = frame({ "#go": element([10, 20, 30, 40]) }, [{ at: [0, 0, 100, 100], page: inner }]);
  assert.deepEqual(plain(await page.galley.find("#go")), { box: [10, 20, 30, 40], isVisible: true });
});

test("one in a frame of a frame is found where it is on the page, and no page's script hears of it", async () => {
  const inmost = frame({ "#go": element([1, 1, 2, 2], false) });
  const inner = frame({}, [{ at: [10, 10, 50, 50], page: inmost }]);
  const page = frame({}, [{ at: [5, 5, 20, 20], page: frame({}) }, { at: [100, 100, 80, 80], page: inner }]);
  assert.deepEqual(plain(await page.galley.find("#go")), { box: [113, 115, 2, 2], isVisible: false });
  deliver(inner, "hello", inner.parent);
  await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual([page.heard, inner.heard, inmost.heard], [[], ["hello"], []]);
});

test("what a finger reaches instead is told, unless that is within the element, around it or its label", async () => {
  const [own, plainHit] = [element([10, 20, 30, 40]), { localName: "div", classList: ["veil", "dark"], id: "", closest: () => null }];
  const found = async (hit) => {
    const page = frame({ "#go": own, hit: (x, y) => (x === 25 && y === 40 ? hit : null) });
    return (await page.galley.find("#go")).coveredBy;
  };
  assert.equal(await found(plainHit), "div.veil");
  assert.equal(await found({ ...plainHit, id: "top" }), "#top");
  assert.equal(await found({ ...plainHit, parentNode: { host: own } }), undefined);
  assert.equal(await found({ ...plainHit, closest: () => ({ control: own }) }), undefined);
  const around = { ...plainHit };
  own.parentNode = around;
  assert.equal(await found(around), undefined);
  assert.equal(await found(own), undefined);
});

test("an answer counts from the frame that was asked, and a question from the parent", async () => {
  const silent = frame({});
  silent.isSilent = true;
  const page = frame({}, [{ at: [0, 0, 50, 50], page: silent }]);
  const asked = page.galley.find("#go");
  deliver(page, 'word-{"id":1,"found":{"box":[9,9,9,9],"isVisible":true}}', {});
  assert.equal(await asked, null);
  const told = [];
  deliver(silent, 'word-{"id":1,"selector":"#go","depth":1}', { postMessage: (data) => told.push(data) });
  await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual(told, []);
});

test("nothing is found where there is nothing, and frames that nobody sees aren't asked", async () => {
  const hidden = frame({ "#go": element([1, 1, 2, 2]) });
  const page = frame({}, [{ at: [0, 0, 100, 100], page: hidden, isVisible: false }]);
  assert.equal(await page.galley.find("#go"), null);
  assert.deepEqual(hidden.heard, []);
});

test("what is no selector is the caller's to hear of", async () => {
  const page = frame({});
  await assert.rejects(page.galley.find("<"), /no selector/);
});

test("what can be tapped is told with what frames of frames tell, by their places, and no page's script hears of it", async () => {
  const inmost = frame({}, [], "inmost");
  const inner = frame({}, [{ at: [10, 10, 50, 50], page: inmost }], "inner");
  const hidden = frame({}, [], "hidden");
  const page = frame({}, [
    { at: [0, 0, 9, 9], page: hidden, isVisible: false }, { at: [0, 0, 90, 90], page: inner },
  ], "top");
  const told = JSON.parse(await page.galley.survey());
  assert.deepEqual(told.slice(0, 2), ["top", null]);
  assert.deepEqual(JSON.parse(told[2]), ["inner", JSON.stringify(["inmost"])]);
  assert.deepEqual([page.heard, inner.heard, inmost.heard, hidden.heard], [[], [], [], []]);
});

test("frames in a shadow tree are asked as well, behind the element that has it", async () => {
  const inner = frame({ "#go": element([1, 1, 2, 2]) }, [], "inner");
  const page = frame({}, [
    { at: [0, 0, 9, 9], page: inner, isInShadow: true }, { at: [0, 50, 9, 9], page: frame({}, [], "last") },
  ], "top");
  assert.deepEqual(JSON.parse(await page.galley.survey()), ["top", JSON.stringify(["inner"]), JSON.stringify(["last"])]);
  assert.deepEqual(plain(await page.galley.find("#go")).box, [2, 3, 2, 2]);
});

test("a frame that never answers isn't waited for, and takes no time of the page's", async () => {
  const silent = frame({}, [], "silent");
  silent.isSilent = true;
  const page = frame({}, [{ at: [0, 0, 50, 50], page: silent }, { at: [0, 50, 50, 50], page: frame({}, [], "second") }], "top");
  assert.deepEqual(JSON.parse(await page.galley.survey()), ["top", null, JSON.stringify(["second"])]);
});

test("a page in which nothing is to be listed tells nothing", async () => {
  assert.equal(await frame({}).galley.survey(), null);
});
