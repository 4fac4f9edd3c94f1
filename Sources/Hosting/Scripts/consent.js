// Answers whoever asks what the person has said to being tracked, as consent management platforms do: TCF 2.2, GPP 1.1
// and US Privacy. Runs in every frame before the page, and tells the log who asked.
(() => {
  "use strict";
  const say = __GALLEY_LINK__("consent");
  const facts = __GALLEY_CONSENT__;
  const { stringify } = JSON;
  const { apply } = Reflect;
  const text = String;
  const cut = String.prototype.slice;
  const isGranted = facts.consent === "granted";
  const isDecided = facts.consent !== "undecided";

  // One that asks for ever fills the log once.
  let budget = 100;
  const note = (api, command) => {
    if (budget <= 0) return;
    budget -= 1;
    const detail = { __proto__: null, api, command: apply(cut, text(command), [0, 100]) };
    say(stringify({ __proto__: null, observed: "consent", detail }));
  };
  const answer = (callback, ...values) => { if (typeof callback === "function") callback(...values); };
  const numbered = (count, holds) => {
    const flags = {};
    for (let number = 1; number <= count; number += 1) flags[number] = holds(number);
    return flags;
  };
  const all = () => isGranted;
  // Purposes 1 and 3 to 6 take consent.
  const byInterest = (purpose) => isGranted && (purpose === 2 || purpose >= 7);
  const listeners = { tcf: new Set(), gpp: new Set() };
  let latest = 0;

  const tcData = (listenerId) => ({
    tcString: facts.tcString, tcfPolicyVersion: facts.policyVersion, cmpId: 0, cmpVersion: 1, gdprApplies: true,
    eventStatus: isDecided ? "tcloaded" : "cmpuishown", cmpStatus: "loaded", listenerId, isServiceSpecific: true,
    useNonStandardTexts: false, publisherCC: "DE", purposeOneTreatment: false,
    purpose: { consents: numbered(facts.purposes, all), legitimateInterests: numbered(facts.purposes, byInterest) },
    vendor: { consents: numbered(facts.vendors, all), legitimateInterests: numbered(facts.vendors, all) },
    specialFeatureOptins: numbered(facts.features, all),
    publisher: { consents: {}, legitimateInterests: {}, customPurpose: { consents: {}, legitimateInterests: {} }, restrictions: {} },
  });

  const tcf = (command, version, callback, parameter) => {
    note("tcf", command);
    switch (command) {
      case "ping":
        return answer(callback, {
          gdprApplies: true, cmpLoaded: true, cmpStatus: "loaded", displayStatus: isDecided ? "hidden" : "visible",
          apiVersion: "2.2", cmpVersion: 1, cmpId: 0, gvlVersion: facts.listVersion, tcfPolicyVersion: facts.policyVersion,
        }, true);
      case "getTCData": return answer(callback, tcData(undefined), true);
      case "addEventListener": {
        latest += 1;
        listeners.tcf.add(latest);
        return answer(callback, tcData(latest), true);
      }
      case "removeEventListener": return answer(callback, listeners.tcf.delete(parameter));
      default: return answer(callback, null, false);
    }
  };

  const ping = () => ({
    gppVersion: "1.1", cmpStatus: "loaded", cmpDisplayStatus: isDecided ? "hidden" : "visible",
    signalStatus: isDecided ? "ready" : "not ready", supportedAPIs: facts.sections.map(({ id, name }) => `${id}:${name}`),
    cmpId: 0, sectionList: isDecided ? facts.sections.map(({ id }) => id) : [],
    applicableSections: facts.sections.map(({ id }) => id), gppString: facts.gppString, parsedSections: sections(),
  });
  const out = isGranted ? 2 : 1;
  const sections = () => (isDecided ? {
    tcfeuv2: [{
      Version: 2, CmpId: 0, PurposeConsents: Array.from({ length: facts.purposes }, () => isGranted),
      VendorConsents: isGranted ? Array.from({ length: facts.vendors }, (_, index) => index + 1) : [],
    }],
    usnat: [{
      Version: 1, SharingNotice: 1, SaleOptOutNotice: 1, SharingOptOutNotice: 1, TargetedAdvertisingOptOutNotice: 1,
      SaleOptOut: out, SharingOptOut: out, TargetedAdvertisingOptOut: out, MspaCoveredTransaction: 2,
    }, { SubsectionType: 1, Gpc: !isGranted }],
  } : {});

  const gpp = (command, callback, parameter) => {
    note("gpp", command);
    switch (command) {
      case "ping": return answer(callback, ping(), true);
      case "addEventListener": {
        latest += 1;
        listeners.gpp.add(latest);
        const data = { eventName: "listenerRegistered", listenerId: latest, data: true, pingData: ping() };
        answer(callback, data, true);
        // Whoever registers late hears at once that the answer is there.
        if (isDecided) answer(callback, { ...data, eventName: "signalStatus", data: "ready" }, true);
        return undefined;
      }
      case "removeEventListener": return answer(callback, listeners.gpp.delete(parameter), true);
      case "hasSection": return answer(callback, text(parameter) in sections(), true);
      case "getSection": return answer(callback, sections()[parameter] ?? null, true);
      case "getField": {
        const [section, field] = text(parameter).split(".");
        const part = (sections()[section] ?? []).find((one) => field in one);
        return answer(callback, part ? part[field] : null, true);
      }
      default: return answer(callback, null, false);
    }
  };

  const usPrivacy = (command, version, callback) => {
    note("usp", command);
    if (command === "getUSPData") return answer(callback, { version: 1, uspString: facts.usPrivacy }, true);
    return answer(callback, null, false);
  };

  // A page's own platform may take their places.
  for (const [name, value] of [["__tcfapi", tcf], ["__gpp", gpp], ["__uspapi", usPrivacy]]) {
    Object.defineProperty(window, name, { value, writable: true, enumerable: true, configurable: true });
  }
  if (!Object.getOwnPropertyDescriptor(Navigator.prototype, "globalPrivacyControl")) {
    natives.addAccessor(Navigator.prototype, "globalPrivacyControl", () => facts.consent === "refused");
  }
})();
