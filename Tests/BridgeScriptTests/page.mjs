// A page as far as the bridge can see it: its own global object, events, user activation; and the host's world beside it.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const template = readFileSync(new URL("../../Sources/MRAID/Bridge/bridge.js", import.meta.url), "utf8");

const link = readFileSync(new URL("../../Sources/MRAID/Bridge/link.js", import.meta.url), "utf8");

const playable = readFileSync(new URL("../../Sources/MRAID/Bridge/playable.js", import.meta.url), "utf8");

const safeFrame = readFileSync(new URL("../../Sources/MRAID/Bridge/safeframe.js", import.meta.url), "utf8");

// What the bridge and the host's world meet by.
const channel = "secret";

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

// Fills the template's placeholders, as the Swift side does.
export function source(overrides = {}, container = undefined) {
  const properties = { ...initialProperties, ...overrides };
  const config = JSON.stringify({ properties, environment, container }).replaceAll("<", "\\u003c");
  const other = container?.playable ? playable : container?.owns ? safeFrame : "null";
  const whole = template.replace("__GALLEY_OTHER__", () => other);
  const linked = whole.replace("__GALLEY_LINK__", () => `(${link.replaceAll("__GALLEY_CHANNEL__", channel)})`);
  return linked.replace("__GALLEY_CONFIG__", () => config);
}

// As much of a browser's events as elements of two worlds need, out of the page's reach but for the classes themselves.
function browserEvents() {
  const heard = new WeakMap();
  class Target {
    addEventListener(type, hear, options) {
      if (!heard.has(this)) heard.set(this, []);
      heard.get(this).push({ type, hear, isOnce: options?.once === true });
    }
    dispatchEvent(event) {
      for (const one of [...(heard.get(this) ?? [])]) {
        if (one.type !== event.type) continue;
        if (one.isOnce) heard.get(this).splice(heard.get(this).indexOf(one), 1);
        Reflect.apply(one.hear, this, [event]);
        if (event.isStopped) break;
      }
      return true;
    }
  }
  class Plain {
    constructor(type) { this.type = type; }
    stopImmediatePropagation() { this.isStopped = true; }
  }
  class Message extends Plain {
    #detail;
    constructor(type, init) { super(type); this.#detail = init.detail; }
    get detail() { return this.#detail; }
  }
  class Greeting extends Plain {
    constructor(type, init) { super(type); this.relatedTarget = init.relatedTarget; }
  }
  class Posted extends Plain {
    #init;
    constructor(type, init) { super(type); this.#init = init; }
    get data() { return this.#init.data; }
    get source() { return this.#init.source; }
    get isTrusted() { return this.#init.isTrusted; }
  }
  return { EventTarget: Target, Event: Plain, CustomEvent: Message, MouseEvent: Greeting, MessageEvent: Posted };
}

export class Page {
  constructor({ properties, before = "", container, isLate = false } = {}) {
    this.texts = [];
    this.gesture = false;
    const page = this;
    class Activation {
      get isActive() { return page.gesture; }
    }
    this.classes = browserEvents();
    const { EventTarget: Target } = this.classes;
    const document = { createElement: () => new Target() };
    const globals = { navigator: { userActivation: new Activation() }, queueMicrotask, console, document };
    this.window = vm.createContext({ ...globals, ...this.classes });
    this.run("globalThis.window = globalThis.top = globalThis");
    this.root = this.run("globalThis");
    if (!isLate) this.meetBridge();
    if (before) this.run(before);
    this.script = source(properties, container);
    this.run(this.script);
    if (isLate) this.meetBridge();
  }

  // The host's world begins: it hears the first that greets it as the bridge.
  meetBridge() {
    const { addEventListener, dispatchEvent } = this.classes.EventTarget.prototype;
    const { CustomEvent: Message, Event: Plain } = this.classes;
    const { get: textOf } = Object.getOwnPropertyDescriptor(Message.prototype, "detail");
    let end = null;
    addEventListener.call(this.root, `${channel}-bridge`, (event) => {
      if (end !== null) return;
      end = event.relatedTarget;
      addEventListener.call(end, "say", (said) => this.texts.push(textOf.call(said)));
      dispatchEvent.call(end, new Plain("met"));
    });
    this.say = (text) => dispatchEvent.call(end, new Message("host", { detail: text }));
    dispatchEvent.call(this.root, new Plain(`${channel}-here`));
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
    this.say(JSON.stringify(update));
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
