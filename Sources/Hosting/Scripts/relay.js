// The host's end in each frame, in a world that the page can't reach: hands on what the scripts beside it say, each by an
// element that only the two know, and hears by itself what goes wrong in the page.
(() => {
  "use strict";
  // A document that is written anew keeps its window, and loses its listeners.
  if (window.galley) return window.galley.begin();

  const channel = "__GALLEY_CHANNEL__";
  const isTop = window === window.top;
  // Who is heard: of calls and of a player only the page's top frame has anything to say, and one of each in a window. The
  // first observer's functions stay in a window whose document is written anew: a second would say the same once more.
  const names = isTop ? __GALLEY_LINKS__ : ["page", "films", "consent", "inventory"];
  const single = ["bridge", "player", "omid", "page"];
  const longest = 1048576;
  const links = new Map();
  // Whom the host knows in the document as it was begun last: its own scripts come before the page's.
  const met = new Set();
  let answer = null;

  const listen = (target, type, hear, capture = true) =>
    EventTarget.prototype.addEventListener.call(target, type, hear, capture);
  const dispatch = (target, event) => EventTarget.prototype.dispatchEvent.call(target, event);
  const post = (name, text) => {
    if (text.length <= longest) webkit.messageHandlers.galley.postMessage(`${name} ${text}`);
  };
  const speaker = (name) => (["page", "consent"].includes(name) ? (isTop ? "page" : "frame") : name);

  const meet = (name) => (event) => {
    event.stopImmediatePropagation();
    const end = event.relatedTarget;
    if (!(end instanceof Element) || met.has(name)) return;
    met.add(name);
    links.set(name, end);
    listen(end, "say", ({ detail }) => {
      if (typeof detail !== "string") return;
      if (name === "inventory") answer = detail;
      else post(speaker(name), detail);
    });
    dispatch(end, new Event("met"));
  };
  const greetings = names.map((name) => [`${channel}-${name}`, meet(name)]);

  const cut = (text, most) => text.slice(0, most);
  const place = (url) => cut(String(url ?? ""), 500);
  // The page's own values: what they say of themselves may be anything.
  const show = (value) => {
    try {
      const isError = /(Error|Exception)\]$/.test(Object.prototype.toString.call(value));
      const isPlain = typeof value !== "object" || value === null || isError;
      return cut(isPlain ? String(value) : JSON.stringify(value) ?? String(value), 2000);
    } catch {
      return "[unprintable]";
    }
  };
  const report = (observed, detail) => post(speaker("page"), JSON.stringify({ observed, detail }));
  const faults = [
    [window, "error", (event) => {
      if (event.target !== window) return;
      const { lineno: line, colno: column } = event;
      report("exception", { message: show(event.message), file: place(event.filename), line, column });
    }],
    [window, "unhandledrejection", (event) => report("rejection", { message: show(event.reason) })],
    [document, "securitypolicyviolation", (event) => {
      report("violation", { directive: event.violatedDirective, blocked: place(event.blockedURI) });
    }],
  ];

  // Where something is that a scenario names, and what can be tapped, in frames of other origins too. What frames are asked
  // and tell goes by messages that begin with a word which no script of the page's gets to hear.
  const word = "__GALLEY_BOXES__";
  const query = Function.prototype.call.bind(Document.prototype.querySelector);
  const queryAll = Function.prototype.call.bind(Document.prototype.querySelectorAll);
  const answers = new Map();
  let questions = 0;
  const mostFrames = 20;
  const patience = 500;
  // How many messages to itself a frame hears before it waits no longer for one below, by its own depth.
  const mostTurns = [1000, 200, 40, 10];
  // The frames of this document in its order, with those of open shadow trees behind the element that has one.
  const frames = () => {
    const list = [];
    const add = (elements) => {
      for (const element of elements) {
        if (list.length >= mostFrames) return;
        if (element.localName === "iframe") list.push(element);
        if (element.shadowRoot) add(element.shadowRoot.querySelectorAll("*"));
      }
    };
    add(queryAll(document, "*"));
    return list;
  };
  const boxOf = (element) => {
    const isInSight = (box) => box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
    if (!isInSight(element.getBoundingClientRect())) element.scrollIntoView({ block: "center", inline: "center" });
    // A link that wraps has a box per line, and nothing of it may lie in the middle of them all.
    const boxes = [...element.getClientRects(), element.getBoundingClientRect()];
    const box = boxes.find((box) => box.width > 0 && box.height > 0) ?? boxes[0];
    return [box.left, box.top, box.width, box.height];
  };
  const seen = (element) => element.checkVisibility({ visibilityProperty: true });
  // In the document, then in its shadow trees, closed ones too.
  const search = (root, selector) => {
    const own = root === document ? query(document, selector) : root.querySelector(selector);
    if (own) return own;
    const inside = root === document ? queryAll(document, "*") : root.querySelectorAll("*");
    for (const { shadowRoot } of inside) {
      const found = shadowRoot && search(shadowRoot, selector);
      if (found) return found;
    }
    return null;
  };
  const elementAt = Function.prototype.call.bind(Document.prototype.elementFromPoint);
  const contains = (outer, inner) => {
    for (let at = inner; at; at = at.parentNode ?? at.host) if (at === outer) return true;
    return false;
  };
  // What a finger in the middle of a box reaches in the place of an element, in words; nothing where it reaches that, what
  // it is in, or its label.
  const coverOf = (own, [x, y, width, height]) => {
    const place = [x + width / 2, y + height / 2];
    let hit = elementAt(document, ...place);
    while (hit?.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(...place);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    if (!hit || own.localName === "area" || contains(own, hit) || contains(hit, own)) return undefined;
    if (hit.closest("label")?.control === own) return undefined;
    const words = hit.id ? `#${hit.id}` : [hit.localName, ...hit.classList].slice(0, 2).join(".");
    return words.slice(0, 100);
  };
  const find = async (selector, depth = 0) => {
    const own = search(document, selector);
    if (own) {
      const box = boxOf(own);
      return { box, isVisible: seen(own), coveredBy: coverOf(own, box) };
    }
    if (depth >= mostTurns.length) return null;
    for (const frame of frames()) {
      if (!frame.contentWindow || !seen(frame)) continue;
      const found = await askFrame(frame, { selector, depth: depth + 1 }, giveUpInTime);
      if (!found) continue;
      const { left, top } = frame.getBoundingClientRect();
      const [x, y, width, height] = found.box;
      const box = [x + left + frame.clientLeft, y + top + frame.clientTop, width, height];
      return { box, isVisible: found.isVisible, coveredBy: found.coveredBy ?? coverOf(frame, box) };
    }
    return null;
  };
  const say = (target, message) => target?.postMessage(word + JSON.stringify(message), "*");
  // A frame that has no script of the host's never answers. Whoever looks for something may wait for it in the page's time;
  // who takes in what there is may not, as time stands still meanwhile: messages to itself come after those to others.
  const giveUpInTime = (id, end) => {
    const timer = setTimeout(end, patience);
    return () => clearTimeout(timer);
  };
  const giveUpInTurns = (turns) => (id) => {
    say(window, { id, turns });
    return () => {};
  };
  const askFrame = (frame, question, giveUp) => new Promise((done) => {
    questions += 1;
    const id = questions;
    const end = (found) => { answers.delete(id); stop(); done(found); };
    say(frame.contentWindow, { id, ...question });
    answers.set(id, { source: frame.contentWindow, end });
    const stop = giveUp(id, () => end(null));
  });
  // What can be tapped and filled in here and in the frames below, as `inventory.js` says it; null when it isn't there.
  const survey = async (depth = 0) => {
    const told = new Map();
    for (const frame of frames()) {
      if (depth >= mostTurns.length || !frame.contentWindow || !seen(frame)) continue;
      const inner = await askFrame(frame, { surveys: true, depth: depth + 1 }, giveUpInTurns(mostTurns[depth]));
      if (typeof inner === "string") told.set(frame, inner);
    }
    // By their places among those that are there now.
    const inner = frames().map((frame) => told.get(frame) ?? null);
    return window.galley.ask("inventory", JSON.stringify(inner));
  };
  const hearFrames = (event) => {
    if (typeof event.data !== "string" || !event.data.startsWith(word)) return;
    event.stopImmediatePropagation();
    const { id, turns, selector, surveys, depth, found } = JSON.parse(event.data.slice(word.length));
    const asked = answers.get(id);
    if (turns !== undefined) {
      if (event.source !== window || !asked) return;
      return turns > 0 ? say(window, { id, turns: turns - 1 }) : asked.end(null);
    }
    if (selector === undefined && !surveys) {
      if (asked?.source === event.source) asked.end(found);
      return;
    }
    if (event.source !== window.parent) return;
    const tell = (found) => say(event.source, { id, found });
    (surveys ? survey(depth) : find(selector, depth)).then(tell, () => tell(null));
  };

  const begin = () => {
    for (const name of met) if (!single.includes(name)) met.delete(name);
    for (const [target, type, hear] of faults) listen(target, type, hear);
    for (const [type, hear] of greetings) listen(window, type, hear);
    listen(window, "message", hearFrames);
    // Scripts that ran before this one wait for it.
    dispatch(window, new Event(`${channel}-here`));
  };
  Object.defineProperty(window, "galley", { value: Object.freeze({
    begin,
    find,
    survey,
    // Says something to the script of this name.
    tell(name, text) {
      const end = links.get(name);
      if (end) dispatch(end, new CustomEvent("host", { detail: text }));
    },
    // The same, and what the script says to it; null when it says nothing.
    ask(name, text) {
      answer = null;
      this.tell(name, text);
      return answer;
    },
  }) });
  begin();
})();
