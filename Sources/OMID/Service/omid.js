// The Open Measurement service of a page, as measuring code and session clients meet it: `omid3p`, direct communication,
// messages of frames and the frames that say it is there. Runs in the top frame before any script of the page.
// The host decides what happens in the session and when; here is who listens, what each hears, and what late ones missed.
(() => {
  "use strict";
  const root = window;
  if (root.top !== root || Object.prototype.hasOwnProperty.call(root, "omid3p")) return;

  const { apply } = Reflect;
  const { defineProperty, freeze } = Object;
  const { isArray } = Array;
  const { isFinite } = Number;
  const { parse, stringify } = JSON;
  const { Map, Set, Error, Image, Element, MutationObserver } = root;
  const [text, decimal] = [String, Number];
  const unbind = (fn) => (self, ...args) => apply(fn, self, args);
  const cut = unbind(String.prototype.slice);
  const now = Date.now;
  const [later, dropLater] = [root.setTimeout, root.clearTimeout].map((fn) => (...args) => apply(fn, root, args));
  const [repeat, dropRepeat] = [root.setInterval, root.clearInterval].map((fn) => (...args) => apply(fn, root, args));

  // Of registrations, of what is told the host, of frames and timers: whoever wants more is hostile.
  const most = { listeners: 200, words: 1000, scripts: 20, timers: 50, windows: 20 };
  const longest = 2000;
  const version = "1.6.0";
  const mediaTypes = [
    "loaded", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "pause", "resume", "bufferStart",
    "bufferFinish", "skipped", "volumeChange", "playerStateChange", "adUserInteraction",
  ];
  const types = new Set(["impression", "geometryChange", "sessionStart", "sessionError", "sessionFinish", ...mediaTypes]);

  const hear = (words) => {
    const { publish, inject } = parse(words);
    if (publish) publishEvent(publish);
    if (inject) for (const script of inject) injectScript(script);
  };
  const send = __GALLEY_LINK__("omid", hear);
  let budget = most.words;
  const say = (kind, detail) => {
    if (budget <= 0) return;
    budget -= 1;
    try {
      send(stringify({ __proto__: null, kind, ...detail }));
    } catch {
      send(stringify({ __proto__: null, kind: "refused", method: cut(text(kind), 0, 50), reason: "its values can't be told" }));
    }
  };
  const word = (value) => (typeof value === "string" ? cut(value, 0, longest) : undefined);
  const copy = (value) => parse(stringify(value));
  // A value of the page's for the host; null where it can't be told.
  const told = (value) => {
    try {
      return copy(value ?? null);
    } catch {
      return null;
    }
  };

  // Who listens: each with what it is called by, what it said it is, and the script it was injected as.
  const observers = [];
  const listeners = new Map();
  const scripts = new Map();
  // What has happened in this session; of places only the last.
  let past = [];
  let isRunning = false;
  const elements = { slot: null, video: null, bounds: null };

  const scriptOf = (id, source) => {
    for (const script of scripts.values()) {
      if ((id !== undefined && script.id === id) || (source && script.frame.contentWindow === source)) return script;
    }
    return null;
  };

  // What one listener hears of an event: its parameters, what it may reach, and, where it can, the ad's elements.
  const tailored = (event, listener) => {
    const own = copy(event);
    if (event.type !== "sessionStart") return own;
    const { script } = listener;
    const known = script ?? [...scripts.values()].find(({ vendor }) => vendor && vendor === listener.vendor);
    if (known && known.parameters !== undefined) own.data.verificationParameters = known.parameters;
    own.data.context.accessMode = script ? script.accessMode : listener.isDirect ? "full" : "limited";
    if (listener.isDirect && own.data.context.accessMode === "full") {
      if (elements.slot) own.data.context.slotElement = elements.slot;
      if (elements.video) own.data.context.videoElement = elements.video;
    }
    return own;
  };
  const tell = (event, listener) => {
    try {
      listener.call(tailored(event, listener));
    } catch (error) {
      say("threw", { type: event.type, message: cut(text(error && error.message || error), 0, 500), vendor: listener.vendor, script: listener.script?.id });
    }
  };
  const isOfSession = (type) => type === "sessionStart" || type === "sessionError" || type === "sessionFinish";

  const publishEvent = ({ type, adSessionId, data }) => {
    const event = { adSessionId, timestamp: now(), type, data };
    if (type === "sessionStart") {
      past = [];
      isRunning = true;
      findElement();
    }
    if (type === "geometryChange") past = past.filter((other) => other.type !== type);
    past.push(event);
    if (type === "sessionFinish") isRunning = false;
    if (isOfSession(type)) for (const observer of [...observers]) tell(event, observer);
    for (const listener of [...(listeners.get(type) ?? [])]) tell(event, listener);
    if (type === "sessionFinish") [elements.slot, elements.video, elements.bounds] = [null, null, null];
  };
  const catchUp = (listener, wants) => {
    const missed = past.filter(({ type }) => wants(type));
    for (const event of missed) tell(event, listener);
    return missed.map(({ type }) => type);
  };
  let count = 0;
  const mayListen = () => {
    count += 1;
    return count <= most.listeners;
  };

  // Who called: directly, as an object of this window's, or by messages of a window.
  const observe = (by, call, vendorKey, injectionId) => {
    if (!mayListen()) return;
    const [vendor, id] = [word(vendorKey), word(injectionId)];
    const listener = { call, vendor, script: scriptOf(id, by.source), isDirect: by.name !== "message" };
    observers.push(listener);
    say("registered", { vendor, by: by.name, script: listener.script?.id, missed: past.filter(({ type }) => isOfSession(type)).map(({ type }) => type) });
    catchUp(listener, isOfSession);
  };
  const listen = (by, type, call, injectionId) => {
    const name = word(type) ?? "";
    if (!mayListen()) return;
    const wanted = name === "media" || name === "video" ? mediaTypes : types.has(name) ? [name] : [];
    const listener = { call, script: scriptOf(word(injectionId), by.source), isDirect: by.name !== "message" };
    listener.vendor = listener.script?.vendor;
    for (const one of wanted) listeners.set(one, [...(listeners.get(one) ?? []), listener]);
    const missed = past.filter((event) => wanted.includes(event.type)).map((event) => event.type);
    say("listens", { type: cut(name, 0, 50), types: wanted, by: by.name, script: listener.script?.id, missed });
    catchUp(listener, (type) => wanted.includes(type));
  };

  // What measuring code asks besides events, for environments that have none of it themselves.
  const timers = { timeout: new Map(), interval: new Map() };
  const wait = (kind, start, stop) => (answer, id, delay) => {
    const running = timers[kind];
    if (running.size >= most.timers && !running.has(id)) return;
    if (running.has(id)) stop(running.get(id));
    running.set(id, start(() => {
      if (kind === "timeout") running.delete(id);
      answer();
    }, decimal(delay)));
  };
  const unwait = (kind, stop) => (_, id) => {
    stop(timers[kind].get(id));
    timers[kind].delete(id);
  };
  const verification = {
    addSessionListener: (answer, vendorKey, injectionId, by) => observe(by, answer, vendorKey, injectionId),
    addEventListener: (answer, type, injectionId, by) => listen(by, type, answer, injectionId),
    sendUrl: (answer, url) => {
      const image = new Image();
      image.onload = () => answer(true);
      image.onerror = () => answer(false);
      image.src = text(url);
    },
    injectJavaScriptResource: (answer) => answer(false),
    setTimeout: wait("timeout", later, dropLater),
    clearTimeout: unwait("timeout", dropLater),
    setInterval: wait("interval", repeat, dropRepeat),
    clearInterval: unwait("interval", dropRepeat),
    attest: (answer) => answer(false, "UNSUPPORTED_MECHANISM"),
  };
  const named = { addSessionListener: 2, addEventListener: 2 };

  // What a session client calls; the host does it, but for what only this page can.
  const calls = new Set([
    "setClientInfo", "injectVerificationScriptResources", "setContentUrl", "startSession", "finishSession", "sessionError",
    "registerAdEvents", "registerMediaEvents", "setCreativeType", "setImpressionType", "impressionOccurred", ...mediaTypes,
  ]);
  const callSession = (by, method, answer, args) => {
    switch (method) {
      case "registerSessionObserver": {
        if (!mayListen()) return;
        const listener = { call: answer, script: null, isDirect: by.name !== "message" };
        observers.push(listener);
        // A client is of one session: what another was told is none of its affair.
        if (isRunning) catchUp(listener, isOfSession);
        return;
      }
      case "setSlotElement": case "setVideoElement":
        if (by.name === "message") return say("refused", { method, reason: "elements can't come by message" });
        if (args[0] !== null && !(args[0] instanceof Element)) return say("refused", { method, reason: "it is no element" });
        elements[method === "setSlotElement" ? "slot" : "video"] = args[0];
        return watch();
      case "setElementBounds":
        elements.bounds = args[0] && ["x", "y", "width", "height"].every((side) => isFinite(args[0][side])) ? told(args[0]) : null;
        return watch();
      default:
        // A new client after a session's end: what follows is another session's.
        if (method === "setClientInfo" && !isRunning) past = [];
        if (!calls.has(method)) return say("refused", { method: cut(method, 0, 50), reason: "the service has no such method" });
        say("call", { method, by: by.name, arguments: args.slice(0, 5).map((value) => (typeof value === "string" ? word(value) : told(value))) });
    }
  };

  // Clients of before 1.0.3 write their arguments as a text.
  const isOld = (client) => {
    const [one, two, three] = client.split("-")[0].split(".").map(decimal);
    return one < 1 || (one === 1 && two === 0 && three < 3);
  };
  const argumentsOf = (message, client) => {
    const args = message.omid_message_args;
    try {
      const list = isOld(client) ? (typeof args === "string" ? parse(args) : []) : args;
      return isArray(list) ? list : [];
    } catch {
      return [];
    }
  };
  const prefixes = { session: "SessionService.", verification: "VerificationService." };
  // A message to one of the two services, and how it is answered.
  const receive = (message, by, reply) => {
    if (typeof message !== "object" || message === null) return;
    const { omid_message_guid: guid, omid_message_method: method, omid_message_version: client } = message;
    if (![guid, method, client].every((part) => typeof part === "string" && part.length <= longest)) return;
    const args = argumentsOf(message, client);
    const answer = (...results) => {
      reply({
        omid_message_guid: guid, omid_message_method: "response", omid_message_version: client,
        omid_message_args: isOld(client) ? stringify(results) : results,
      });
    };
    if (method.startsWith(prefixes.verification)) {
      const name = cut(method, prefixes.verification.length);
      if (!Object.prototype.hasOwnProperty.call(verification, name)) return say("refused", { method: cut(name, 0, 50), reason: "the service has no such method" });
      const given = named[name] === undefined ? args : [args[0], args[1], by];
      verification[name](answer, ...given);
    } else if (method.startsWith(prefixes.session)) {
      const name = cut(method, prefixes.session.length);
      // As since 1.4.9: any frame of an ad could end its session otherwise.
      if (by.source && by.source !== root && !windows.has(by.source)) {
        return say("refused", { method: cut(name, 0, 50), reason: "its window wasn't registered by setSessionClientWindow" });
      }
      callSession(by, name, answer, args);
    }
  };

  const windows = new Set();
  root.addEventListener("message", (event) => {
    const { data, source } = event;
    if (!source || typeof data !== "object" || data === null) return;
    if (data.omid_script === "loaded" || data.omid_script === "failed") {
      const script = scriptOf(undefined, source);
      if (script) finishScript(script, data.omid_script === "loaded");
      return;
    }
    receive(data, { name: "message", source }, (reply) => source.postMessage(reply, "*"));
  });
  // An object with which clients of this window, or of one that may reach it, speak without messages.
  const communication = () => {
    const own = {
      handleExportedMessage(message, from) {
        receive(message, { name: "direct" }, (reply) => from && from.handleExportedMessage(reply, own));
      },
    };
    return freeze(own);
  };

  const own = (call) => {
    if (typeof call !== "function") throw new Error("the listener is no function");
    return call;
  };
  const direct = { name: "omid3p" };
  const offer = (name, value) => defineProperty(root, name, { value, writable: true, enumerable: true, configurable: true });
  offer("omid", { v1_SessionServiceCommunication: communication(), v1_VerificationServiceCommunication: communication() });
  offer("omid3p", {
    registerSessionObserver: (call, vendorKey, injectionId) => observe(direct, own(call), vendorKey, injectionId),
    addEventListener: (type, call, injectionId) => listen(direct, type, own(call), injectionId),
  });
  const inner = (method) => (...args) => callSession({ name: "interface" }, method, () => {}, args);
  offer("omidSessionInterface", {
    registerSessionObserver: (call) => callSession({ name: "interface" }, "registerSessionObserver", own(call), []),
    setSessionClientWindow(client) {
      if (windows.size >= most.windows) return;
      windows.add(client);
      const words = { omid_message_guid: "0", omid_message_method: "identifyServiceWindow", omid_message_version: version };
      client.postMessage(words, "*");
    },
    reportError: inner("sessionError"), setMediaElement: inner("setVideoElement"),
    ...Object.fromEntries(["setClientInfo", "startSession", "finishSession", "registerAdEvents", "registerMediaEvents",
      "injectVerificationScriptResources", "setSlotElement", "setVideoElement", "setElementBounds", "setContentUrl",
      "setCreativeType", "setImpressionType"].map((name) => [name, inner(name)])),
    adEvents: { impressionOccurred: inner("impressionOccurred"), loaded: inner("loaded") },
    mediaEvents: Object.fromEntries(mediaTypes.map((name) => [name, inner(name)])),
  });

  // Frames whose names say to other frames that the service is here.
  const declare = () => {
    for (const name of ["omid_v1_present", "omid_v1_present_app"]) {
      const frame = document.createElement("iframe");
      frame.id = frame.name = name;
      frame.title = "Open Measurement";
      frame.style.display = "none";
      frame.setAttribute("sandbox", "");
      frame.setAttribute("aria-hidden", "true");
      document.body.appendChild(frame);
    }
  };
  const whenThereIsABody = (act) => {
    if (document.body) return act();
    const watcher = new MutationObserver(() => {
      if (!document.body) return;
      watcher.disconnect();
      act();
    });
    watcher.observe(document, { childList: true, subtree: true });
  };
  whenThereIsABody(declare);

  // A script in a frame of its own: shut off from the ad, or of its origin where it may reach all of it.
  const injectScript = ({ id, url, vendor, parameters, accessMode }) => {
    if (scripts.size >= most.scripts) return;
    const frame = document.createElement("iframe");
    frame.title = "Open Measurement";
    frame.setAttribute("aria-hidden", "true");
    frame.style.cssText = "position:absolute;left:0;top:0;width:0;height:0;border:0;visibility:hidden";
    const isFull = accessMode === "full";
    frame.setAttribute("sandbox", isFull ? "allow-scripts allow-same-origin" : "allow-scripts");
    const script = { id, vendor: vendor ?? undefined, parameters: parameters ?? undefined, accessMode, frame, isDone: false };
    scripts.set(id, script);
    const properties = { injectionId: id, injectionSource: "app" };
    if (!isFull) frame.srcdoc = page(properties, url);
    whenThereIsABody(() => {
      document.body.appendChild(frame);
      if (isFull) fill(script, properties, url);
    });
  };
  const fill = (script, properties, url) => {
    const { contentWindow, contentDocument } = script.frame;
    contentWindow.omidVerificationProperties = { ...properties, serviceWindow: root };
    const element = contentDocument.createElement("script");
    element.setAttribute("data-injection-id", script.id);
    element.onload = () => finishScript(script, true);
    element.onerror = () => finishScript(script, false);
    element.src = url;
    contentDocument.body.appendChild(element);
  };
  const escaped = (value) => text(value).replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
  // On the page's own host without it, so that the frame is the same whichever host serves the ad.
  const short = (url) => {
    const origin = `${location.protocol}//${location.host}/`;
    const isOwn = (address) => cut(address, 0, origin.length) === origin;
    return isOwn(url) && isOwn(document.baseURI) ? cut(url, origin.length - 1) : url;
  };
  const page = (properties, url) => {
    const facts = stringify(properties).replace(/</g, "\\u003c");
    const tell = (end) => `parent.postMessage({ omid_script: '${end}' }, '*')`;
    return `<!DOCTYPE html><html lang="en"><head><title>Open Measurement</title></head><body><script>`
      + `window.omidVerificationProperties = ${facts}; omidVerificationProperties.serviceWindow = parent;</script>`
      + `<script data-injection-id="${escaped(properties.injectionId)}" src="${escaped(short(url))}" `
      + `onload="${tell("loaded")}" onerror="${tell("failed")}"></script></body></html>`;
  };
  const finishScript = (script, isLoaded) => {
    if (script.isDone) return;
    script.isDone = true;
    say("script", { script: script.id, loaded: isLoaded });
  };

  // The element of the page that is the ad, where one is named: by a client, or by the class that says so.
  let watched = null;
  let lastBounds = "null";
  const boundsOf = () => {
    const element = elements.video ?? elements.slot ?? watched;
    const offset = elements.bounds;
    if (!element && !offset) return null;
    const { x = 0, y = 0, width = 0, height = 0 } = element ? element.getBoundingClientRect() : {};
    return offset ? { x: x + offset.x, y: y + offset.y, width: offset.width, height: offset.height } : { x, y, width, height };
  };
  const measure = () => {
    const bounds = boundsOf();
    const words = stringify(bounds);
    if (words === lastBounds) return;
    lastBounds = words;
    // Places are no news for the log, so a page that scrolls for ever costs none of it.
    send(stringify({ __proto__: null, kind: "element", bounds }));
  };
  const sizes = typeof root.ResizeObserver === "function" ? new root.ResizeObserver(() => measure()) : null;
  const watch = () => {
    const element = elements.video ?? elements.slot ?? watched;
    if (sizes && element) sizes.observe(element);
    measure();
  };
  const findElement = () => {
    watched = document.querySelector(".omid-element");
    watch();
  };
  for (const name of ["scroll", "resize", "load"]) root.addEventListener(name, () => { if (isRunning) measure(); }, true);
})();
