// What pages hear of consent, by the interfaces of the IAB's platforms.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import vm from "node:vm";

const script = (name) => readFileSync(resolve(import.meta.dirname, `../../Sources/Hosting/Scripts/${name}.js`), "utf8");
const source = `{ const natives = (${script("natives")})(globalThis); ${script("consent")} }`;

/** A page that is told of a consent, and what the log was told. */
function page(consent) {
  const said = [];
  const facts = {
    consent, tcString: consent === "undecided" ? "" : "CORE.SHOWN", gppString: "DBACMMA~CORE.SHOWN~US", usPrivacy: "1YYN",
    vendors: 3, purposes: 11, features: 2, listVersion: 100, policyVersion: 4,
    sections: [{ id: 2, name: "tcfeuv2" }, { id: 7, name: "usnat" }],
  };
  class Navigator {}
  const scope = { said, Navigator };
  scope.window = scope;
  const text = source.replace('__GALLEY_LINK__("consent")', "(text) => said.push(JSON.parse(text))")
    .replace("__GALLEY_CONSENT__", JSON.stringify(facts));
  vm.runInNewContext(text, scope);
  return scope;
}

const call = (api, ...words) => {
  const heard = [];
  api(...words.slice(0, -1), (...values) => heard.push(JSON.parse(JSON.stringify(values))), words.at(-1));
  return heard;
};

test("a refused consent is a string, and no for every purpose and vendor", () => {
  const { __tcfapi, said } = page("refused");
  const [[data, isDone]] = call(__tcfapi, "getTCData", 2, undefined);
  assert.equal(isDone, true);
  assert.equal(data.tcString, "CORE.SHOWN");
  assert.equal(data.eventStatus, "tcloaded");
  assert.ok(Object.values(data.purpose.consents).length === 11 && Object.values(data.purpose.consents).every((yes) => !yes));
  assert.ok(Object.values(data.vendor.consents).every((yes) => !yes));
  assert.deepEqual(said.map(({ observed, detail }) => [observed, detail.api, detail.command]), [["consent", "tcf", "getTCData"]]);
});

test("a granted one is a yes, but for purposes that legitimate interest is no ground for", () => {
  const [[data]] = call(page("granted").__tcfapi, "getTCData", 2, undefined);
  assert.ok(Object.values(data.purpose.consents).every((yes) => yes));
  assert.deepEqual(Object.entries(data.purpose.legitimateInterests).filter(([, yes]) => yes).map(([key]) => Number(key)), [2, 7, 8, 9, 10, 11]);
});

test("listeners hear at once, and can be taken away once", () => {
  const { __tcfapi } = page("undecided");
  const [[data, isDone]] = call(__tcfapi, "addEventListener", 2, undefined);
  assert.equal(isDone, true);
  assert.equal(data.eventStatus, "cmpuishown");
  assert.deepEqual(call(__tcfapi, "removeEventListener", 2, data.listenerId), [[true]]);
  assert.deepEqual(call(__tcfapi, "removeEventListener", 2, data.listenerId), [[false]]);
  assert.deepEqual(call(__tcfapi, "nothing", 2, undefined), [[null, false]]);
});

test("the GPP knows its sections and fields", () => {
  const { __gpp } = page("refused");
  const ask = (...words) => { const heard = []; __gpp(words[0], (...values) => heard.push(JSON.parse(JSON.stringify(values))), words[1]); return heard; };
  assert.deepEqual(ask("hasSection", "usnat"), [[true, true]]);
  assert.deepEqual(ask("hasSection", "usca"), [[false, true]]);
  assert.deepEqual(ask("getField", "usnat.SaleOptOut"), [[1, true]]);
  assert.deepEqual(ask("getField", "usnat.Gpc"), [[true, true]]);
  assert.deepEqual(ask("getField", "nothing.at.all"), [[null, true]]);
  const [[ping]] = ask("ping");
  assert.deepEqual([ping.signalStatus, ping.sectionList, ping.supportedAPIs], ["ready", [2, 7], ["2:tcfeuv2", "7:usnat"]]);
  assert.deepEqual(ask("addEventListener").map(([{ eventName }]) => eventName), ["listenerRegistered", "signalStatus"]);
});

test("US Privacy answers, and whoever asks for ever fills the log once", () => {
  const { __uspapi, said } = page("refused");
  for (let time = 0; time < 300; time += 1) __uspapi("getUSPData", 1, () => {});
  assert.equal(said.length, 100);
  const heard = [];
  __uspapi("getUSPData", 1, (...values) => heard.push(JSON.parse(JSON.stringify(values))));
  assert.deepEqual(heard, [[{ version: 1, uspString: "1YYN" }, true]]);
});

test("a page's own platform takes their places, and a call without a listener does no harm", () => {
  const scope = page("granted");
  scope.__tcfapi("ping", 2);
  scope.__gpp("ping");
  scope.__tcfapi = 5;
  assert.equal(scope.__tcfapi, 5);
});
