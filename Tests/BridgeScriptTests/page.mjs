// A page as far as the bridge can see it: its own global object, a message handler, user activation.
import { readFileSync } from "node:fs";
import vm from "node:vm";


const template = readFileSync(new URL("../../Sources/MRAID/Bridge/bridge.js", import.meta.url), "utf8");

export const channel = "__galley_channel";
export const handler = "galley";

export const initialProperties = {
  state: "loading", version: "3.0", placementType: "inline", isViewable: false, volume: 100, location: -1,
  supports: { sms: true, tel: true, calendar: false, storePicture: false, inlineVideo: true, location: false, vpaid: true },
  screenSize: { width: 393, height: 852 }, maxSize: { width: 393, height: 759 },
  defaultPosition: { x: 36, y: 354, width: 320, height: 50 },
  currentPosition: { x: 36, y: 354, width: 320, height: 50 },
  expandProperties: { useCustomClose: false }, resizeProperties: null,
  orientationProperties: { allowOrientationChange: true, forceOrientation: "none" },
  appOrientation: { orientation: "portrait", locked: false },
};

export const environment = { version: "3.0", sdk: "Galley", sdkVersion: "1.0", ifa: "</script>" };

// Fills the template's one placeholder, as the Swift side does.
export function source(overrides = {}, container = undefined) {
  const properties = { ...initialProperties, ...overrides };
  const config = JSON.stringify({ handler, channel, properties, environment, container }).replaceAll("<", "\\u003c");
  return template.replace("__GALLEY_CONFIG__", () => config);
}

export class Page {
  constructor({ properties, before = "", container } = {}) {
    this.texts = [];
    this.gesture = false;
    const page = this;
    class Activation {
      get isActive() { return page.gesture; }
    }
    class Handler {
      postMessage(text) { page.texts.push(text); }
    }
    this.window = vm.createContext({ navigator: { userActivation: new Activation() }, queueMicrotask, console });
    this.run("globalThis.window = globalThis.top = globalThis");
    this.window.webkit = { messageHandlers: { [handler]: new Handler() } };
    if (before) this.run(before);
    this.script = source(properties, container);
    this.run(this.script);
  }

  // Runs script in the page; the result is plain data of this side.
  run(code) {
    return vm.runInContext(code, this.window);
  }

  // What a script's value looks like as JSON.
  json(code) {
    const text = vm.runInContext(`globalThis.__json ??= JSON.stringify; __json(${code})`, this.window);
    return text === undefined ? undefined : JSON.parse(text);
  }

  // The host delivers an update.
  deliver(properties = {}, ...events) {
    const update = { properties, events: events.map(([name, ...values]) => ({ name, arguments: values })) };
    this.run(`window[${JSON.stringify(channel)}](${JSON.stringify(update)})`);
  }

  // Start-up as the session does it.
  ready() {
    this.deliver({ state: "default" }, ["stateChange", "default"], ["ready"]);
    return this;
  }

  get messages() {
    return this.everything.filter((message) => message.type !== "dispatch");
  }

  // With what marks the beginning and the end of each update's events.
  get everything() {
    return this.texts.map((text) => JSON.parse(text));
  }

  calls(name) {
    return this.messages.filter((message) => message.type === "call" && message.name === name);
  }
}
