// Lists what a person could tap, swipe over and fill in; runs in every frame before the page when a render explores.
// Listeners can't be asked for afterwards, so their registration is watched by stand-ins that a page can't tell from
// the engine's own functions. All that is used later is captured here, because creatives overwrite what they like.
(() => {
  "use strict";
  const { apply } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf } = Object;
  const { stringify, parse } = JSON;
  const { max, min, round, imul } = Math;
  const { WeakMap: Registry } = window;
  const unbind = (fn) => (self, ...values) => apply(fn, self, values);
  const getter = (prototype, name) => {
    for (let owner = prototype; owner !== null; owner = getPrototypeOf(owner)) {
      const found = getOwnPropertyDescriptor(owner, name);
      if (found) return found.get ? unbind(found.get) : () => found.value;
    }
    return () => undefined;
  };
  const get = unbind(Registry.prototype.get);
  const set = unbind(Registry.prototype.set);
  const charCodeAt = unbind(String.prototype.charCodeAt);
  const indexOf = unbind(String.prototype.indexOf);
  const lowerCase = unbind(String.prototype.toLowerCase);
  const slice = unbind(String.prototype.slice);
  const trim = unbind(String.prototype.trim);
  const root = window;
  const page = document;
  const [viewWidth, viewHeight] = [getter(window, "innerWidth"), getter(window, "innerHeight")];
  const escape = CSS.escape;
  const styleOf = getComputedStyle;
  const styleValue = unbind(CSSStyleDeclaration.prototype.getPropertyValue);
  const all = unbind(Document.prototype.querySelectorAll);
  const first = unbind(Document.prototype.querySelector);
  const firstIn = unbind(Element.prototype.querySelector);
  const allInShadow = unbind(ShadowRoot.prototype.querySelectorAll);
  const listLength = getter(NodeList.prototype, "length");
  const atPoint = unbind(Document.prototype.elementFromPoint);
  const atPointInShadow = unbind(ShadowRoot.prototype.elementFromPoint ?? (() => null));
  const attribute = unbind(Element.prototype.getAttribute);
  const attributeNames = unbind(Element.prototype.getAttributeNames);
  const matches = unbind(Element.prototype.matches);
  const boxOf = unbind(Element.prototype.getBoundingClientRect);
  const boxesOf = unbind(Element.prototype.getClientRects);
  const boxesLength = getter(DOMRectList.prototype, "length");
  const [boxX, boxY, boxWidth, boxHeight] =
    ["left", "top", "width", "height"].map((name) => getter(DOMRect.prototype, name));
  const contains = unbind(Node.prototype.contains);
  const [parentOf, textOf] = [getter(Node.prototype, "parentNode"), getter(Node.prototype, "textContent")];
  const [shadowOf, nameOf, markupOf] =
    ["shadowRoot", "localName", "outerHTML"].map((name) => getter(Element.prototype, name));
  const [elementBefore, firstElement] =
    ["previousElementSibling", "firstElementChild"].map((name) => getter(Element.prototype, name));
  const namespaceOf = getter(Element.prototype, "namespaceURI");
  const hostOf = getter(ShadowRoot.prototype, "host");
  const shownText = getter(HTMLElement.prototype, "innerText");
  const frameWindow = getter(HTMLIFrameElement.prototype, "contentWindow");
  const [bodyOf, rootOf] = [getter(Document.prototype, "body"), getter(Document.prototype, "documentElement")];
  const focusOf = getter(Document.prototype, "activeElement");
  const [mediaPaused, mediaMuted] = ["paused", "muted"].map((name) => getter(HTMLMediaElement.prototype, name));
  const [inputValue, inputChecked] = ["value", "checked"].map((name) => getter(HTMLInputElement.prototype, name));
  const [edgeLeft, edgeTop] = ["clientLeft", "clientTop"].map((name) => getter(Element.prototype, name));
  const [scrollTop, scrollHeight, clientHeight, scrollLeft, scrollWidth, clientWidth] =
    ["scrollTop", "scrollHeight", "clientHeight", "scrollLeft", "scrollWidth", "clientWidth"]
      .map((name) => getter(Element.prototype, name));
  const areaValue = getter(HTMLTextAreaElement.prototype, "value");
  const [defaultInput, defaultArea] =
    [HTMLInputElement.prototype, HTMLTextAreaElement.prototype].map((owner) => getter(owner, "defaultValue"));
  const [inputType, inputLength] = ["type", "maxLength"].map((name) => getter(HTMLInputElement.prototype, name));
  const [selectIndex, selectOptions, selectSize, selectMany] = ["selectedIndex", "options", "size", "multiple"]
    .map((name) => getter(HTMLSelectElement.prototype, name));
  const optionCount = getter(HTMLOptionsCollection.prototype, "length");
  const [optionLabel, optionDefault, optionDisabled] = ["label", "defaultSelected", "disabled"]
    .map((name) => getter(HTMLOptionElement.prototype, name));
  const [inputForm, areaForm, selectForm] =
    [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement].map((kind) => getter(kind.prototype, "form"));
  const toNumber = Number;

  // How much of a page is looked at: a creative that makes elements for ever costs this much and no more.
  const mostElements = 5000;
  const mostTargets = 60;
  const mostGuesses = 12;
  const longestText = 4000;
  const longestMarkup = 400000;
  const mostSurfaces = 8;
  const mostFields = 20;
  // What a document may overflow by without meaning it.
  const slack = 8;
  // The share of a surface that a swipe over it crosses, as in a scenario.
  const stroke = 0.7;

  const types = ["click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend"];
  // A finger that moves: what listens to it is for swiping.
  const moves = ["touchmove", "pointermove"];
  const handlersOn = (owner) => types.map((type) => getter(owner, "on" + type));
  const [ofHTML, ofSVG] = [handlersOn(HTMLElement.prototype), handlersOn(SVGElement.prototype)];
  const [ofDocument, ofWindow] = [handlersOn(Document.prototype), handlersOn(window)];
  const movesOn = (owner) => moves.map((type) => getter(owner, "on" + type));
  const [movesOfHTML, movesOfSVG] = [movesOn(HTMLElement.prototype), movesOn(SVGElement.prototype)];
  const [movesOfDocument, movesOfWindow] = [movesOn(Document.prototype), movesOn(window)];
  const roles = ["button", "link", "tab", "menuitem", "checkbox", "switch", "radio", "option"];
  const controls = ["button", "input", "select", "textarea", "summary"];
  const pictures = ["img", "svg", "canvas", "video", "picture"];

  // Which listeners an event target has: type → [{ listener, capture }].
  const registry = new Registry();
  const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";
  const captures = (options) => {
    if (!isObject(options)) return options === true;
    const own = getOwnPropertyDescriptor(options, "capture");
    return own !== undefined && own.value === true;
  };
  const listenersOf = (target, type) => {
    const known = get(registry, target);
    return known !== undefined && known[type] !== undefined ? known[type] : null;
  };
  const note = (target, type, listener, options) => {
    if (typeof type !== "string" || !isObject(listener)) return;
    if (!includes(types, type) && !includes(moves, type)) return;
    let known = get(registry, target);
    if (known === undefined) {
      known = { __proto__: null };
      set(registry, target, known);
    }
    known[type] = known[type] ?? bare([]);
    const capture = captures(options);
    for (let i = 0; i < known[type].length; i += 1) {
      if (known[type][i].listener === listener && known[type][i].capture === capture) return;
    }
    put(known[type], { __proto__: null, listener, capture });
  };
  const forget = (target, type, listener, options) => {
    const list = typeof type === "string" ? listenersOf(target, type) : null;
    if (list === null) return;
    const capture = captures(options);
    const kept = bare([]);
    for (let i = 0; i < list.length; i += 1) {
      if (list[i].listener !== listener || list[i].capture !== capture) put(kept, list[i]);
    }
    get(registry, target)[type] = kept;
  };

  natives.method(EventTarget.prototype, "addEventListener", (native, self, values) => {
    const result = apply(native, self, values);
    note(self ?? root, values[0], values[1], values[2]);
    return result;
  });
  natives.method(EventTarget.prototype, "removeEventListener", (native, self, values) => {
    const result = apply(native, self, values);
    forget(self ?? root, values[0], values[1], values[2]);
    return result;
  });
  // The host asks, with what the document's frames have told it, in the order of its elements.
  const answer = __GALLEY_LINK__("inventory", (told) => answer(stringify(survey(parse(told)))));
  defineProperty(root, "__GALLEY_INVENTORY__", { __proto__: null, value: () => stringify(survey(null)) });

  // Lists without a prototype: nothing the page puts on Array.prototype gets in between.
  function bare(list) { return setPrototypeOf(list, null); }
  function put(list, value) {
    defineProperty(list, list.length, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  }
  function includes(list, value) {
    for (let i = 0; i < list.length; i += 1) if (list[i] === value) return true;
    return false;
  }
  function includesText(text, part) { return indexOf(text, part) >= 0; }

  // Everything of this frame and those below it.
  function survey(told) {
    const elements = collect();
    const found = { __proto__: null, reasoned: bare([]), reasons: new Registry() };
    for (let i = 0; i < elements.length; i += 1) {
      const reasons = reasonsFor(elements[i]);
      if (reasons.length === 0) continue;
      set(found.reasons, elements[i], reasons);
      put(found.reasoned, elements[i]);
    }
    const targets = bare([]);
    const hits = bare([]);
    for (let i = 0; i < found.reasoned.length; i += 1) listReasoned(found.reasoned[i], found, targets, hits);
    for (let i = 0; i < found.reasoned.length; i += 1) listBelow(found.reasoned[i], elements, found, targets, hits);
    const surfaces = bare([]);
    const fields = bare([]);
    for (let i = 0; i < elements.length; i += 1) {
      listSurface(elements[i], surfaces);
      listField(elements[i], fields);
    }
    const text = bare([]);
    const marks = bare([]);
    describePage(elements, text, marks);
    const framed = bare([]);
    listFrames(told, elements, targets, surfaces, fields, framed, marks);
    for (let i = 0; i < framed.length; i += 1) put(text, framed[i]);
    return {
      __proto__: null, targets, surfaces, fields, canvas: largestCanvas(elements),
      cut: elements.length >= mostElements || targets.length >= mostTargets,
      text: slice(join(text, "\n"), 0, longestText), framed: slice(join(framed, "\n"), 0, longestText),
      fingerprint: fingerprint(marks),
    };
  }

  // What can be seen of the largest canvas, on which a game is played; null if there is none.
  function largestCanvas(elements) {
    let largest = null;
    for (let i = 0; i < elements.length; i += 1) {
      if (nameOf(elements[i]) !== "canvas" || !isShown(elements[i])) continue;
      const box = boxOf(elements[i]);
      const [left, top] = [max(0, boxX(box)), max(0, boxY(box))];
      const width = min(viewWidth(root), boxX(box) + boxWidth(box)) - left;
      const height = min(viewHeight(root), boxY(box) + boxHeight(box)) - top;
      if (width <= 0 || height <= 0 || (largest !== null && width * height <= largest.width * largest.height)) continue;
      largest = rectangle(left, top, width, height);
    }
    return largest;
  }

  // Every element, those in open shadow trees included.
  function collect() {
    const list = bare([]);
    const add = (nodes) => {
      const length = listLength(nodes);
      for (let i = 0; i < length && list.length < mostElements; i += 1) {
        put(list, nodes[i]);
        const shadow = shadowOf(nodes[i]);
        if (shadow) add(allInShadow(shadow, "*"));
      }
    };
    add(all(page, "*"));
    return list;
  }

  // Why an element counts; an empty list when it doesn't.
  function reasonsFor(element) {
    const reasons = bare([]);
    if (element === bodyOf(page)) addListeners(reasons, page, "@document", ofDocument);
    if (element === bodyOf(page)) addListeners(reasons, root, "@window", ofWindow);
    addListeners(reasons, element, "", isHTML(element) ? ofHTML : ofSVG);
    // Where a finger moves it also goes down and up.
    if (reasons.length > 0 && moveReasons(element).length > 0) asDrags(reasons);
    const name = nameOf(element);
    if (name === "script" || name === "style" || name === "head" || matches(element, ":disabled")) return bare([]);
    if ((name === "a" || name === "area") && attribute(element, "href") !== null) put(reasons, "link");
    if (includes(controls, name) && attribute(element, "type") !== "hidden") put(reasons, "control");
    if ((name === "video" || name === "audio") && attribute(element, "controls") !== null) put(reasons, "control");
    const role = attribute(element, "role");
    if (role !== null && includes(roles, role)) put(reasons, "role:" + role);
    const index = attribute(element, "tabindex");
    if (index !== null && charCodeAt(index, 0) !== 45) put(reasons, "tabindex");
    const parent = parentElement(element);
    if (cursorOf(element) === "pointer" && (parent === null || cursorOf(parent) !== "pointer")) put(reasons, "cursor");
    return reasons;
  }

  function addListeners(reasons, target, suffix, handlers, names = types) {
    for (let i = 0; i < names.length; i += 1) {
      const list = listenersOf(target, names[i]);
      if (list !== null && list.length > 0) put(reasons, "listener:" + names[i] + suffix);
      else if (hasHandler(target, handlers[i])) put(reasons, "on" + names[i] + suffix);
    }
  }

  function isHTML(element) { return namespaceOf(element) === "http://www.w3.org/1999/xhtml"; }

  // Which listeners for a moving finger an element has; the body those of the document too.
  function moveReasons(element) {
    const reasons = bare([]);
    addListeners(reasons, element, "", isHTML(element) ? movesOfHTML : movesOfSVG, moves);
    if (element === bodyOf(page)) addListeners(reasons, page, "@document", movesOfDocument, moves);
    if (element === bodyOf(page)) addListeners(reasons, root, "@window", movesOfWindow, moves);
    return reasons;
  }

  // Without a click, what starts and ends a swipe claims nothing of a tap.
  function asDrags(reasons) {
    for (let i = 0; i < reasons.length; i += 1) {
      if (indexOf(reasons[i], "click") >= 0) return;
    }
    for (let i = 0; i < reasons.length; i += 1) {
      const colon = indexOf(reasons[i], ":");
      reasons[i] = "drag:" + slice(reasons[i], colon < 0 ? 2 : colon + 1);
    }
  }

  function hasHandler(target, handler) {
    try {
      return typeof handler(target) === "function";
    } catch {
      return false; // another kind of object's
    }
  }

  function cursorOf(element) { return styleValue(styleOf(element), "cursor"); }

  // The element around an element, out of a shadow tree as well; null at the top.
  function parentElement(node) {
    const parent = parentOf(node);
    if (parent === null || parent === page) return null;
    try { return hostOf(parent) ?? parent; } catch { return parent; }
  }

  function isInside(inner, outer) {
    for (let at = inner; at !== null; at = parentElement(at)) if (at === outer) return true;
    return false;
  }

  // What a finger hits, into open shadow trees.
  function hitAt(x, y) {
    let hit = atPoint(page, x, y);
    for (let i = 0; hit !== null && i < 20; i += 1) {
      const shadow = shadowOf(hit);
      const inner = shadow ? atPointInShadow(shadow, x, y) : null;
      if (inner === null || inner === hit) return hit;
      hit = inner;
    }
    return hit;
  }

  // Where to tap an element: the middle of its first box, as a scenario does, then other places of what can be seen.
  function places(element) {
    const whole = boxOf(element);
    const boxes = boxesOf(element);
    let first = whole;
    for (let i = boxesLength(boxes) - 1; i >= 0; i -= 1) {
      if (boxWidth(boxes[i]) > 0 && boxHeight(boxes[i]) > 0) first = boxes[i];
    }
    const list = bare([]);
    put(list, [boxX(first) + boxWidth(first) / 2, boxY(first) + boxHeight(first) / 2]);
    const left = max(0, boxX(whole));
    const top = max(0, boxY(whole));
    const width = min(viewWidth(root), boxX(whole) + boxWidth(whole)) - left;
    const height = min(viewHeight(root), boxY(whole) + boxHeight(whole)) - top;
    if (width <= 0 || height <= 0) return list;
    const shares = [
      [0.5, 0.5], [0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75],
      [0.5, 0.1], [0.5, 0.9], [0.1, 0.5], [0.9, 0.5],
    ];
    for (let i = 0; i < shares.length; i += 1) put(list, [left + width * shares[i][0], top + height * shares[i][1]]);
    return list;
  }

  function isShown(element) {
    const box = boxOf(element);
    return boxWidth(box) > 0 && boxHeight(box) > 0 && styleValue(styleOf(element), "visibility") === "visible";
  }

  // A finger belongs to the innermost element that has a reason.
  function ownerOf(hit, reasons) {
    for (let at = hit; at !== null; at = parentElement(at)) if (get(reasons, at) !== undefined) return at;
    return null;
  }

  function listReasoned(element, found, targets, hits) {
    if (targets.length >= mostTargets || !isShown(element)) return;
    const spots = places(element);
    let covering = null;
    let isInherited = false;
    for (let i = 0; i < spots.length; i += 1) {
      const hit = hitAt(spots[i][0], spots[i][1]);
      if (hit === null) continue;
      if (ownerOf(hit, found.reasons) === element) {
        put(hits, hit);
        const listed = target(element, get(found.reasons, element), "tappable", spots[i], i === 0);
        return void put(targets, within(element, found, listed));
      }
      if (isInside(hit, element)) isInherited = true;
      covering = covering ?? hit;
    }
    // Wherever it is tapped, something in it with a reason of its own is tapped.
    if (isInherited) return;
    const reach = covering !== null ? "covered" : canBeScrolledTo(element) ? "tappable" : "offScreen";
    const listed = target(element, get(found.reasons, element), reach, spots[0], true);
    if (covering !== null) listed.coveredBy = selectorOf(covering) ?? nameOf(covering);
    put(targets, within(element, found, listed));
  }

  // A tap on it reaches the listeners of what is around it too.
  function within(element, found, listed) {
    const outer = ownerOf(parentElement(element), found.reasons);
    if (outer !== null) listed.within = selectorOf(outer) ?? nameOf(outer);
    return listed;
  }

  // Under a listener anything may act: what stands out in it is tried as well.
  function listBelow(container, elements, found, targets, hits) {
    const isEmpty = firstElement(container) === null && nameOf(container) !== "canvas";
    if (isEmpty || !delegates(get(found.reasons, container))) return;
    const under = selectorOf(container) ?? nameOf(container);
    let left = mostGuesses;
    for (let i = 0; i < elements.length && left > 0 && targets.length < mostTargets; i += 1) {
      const element = elements[i];
      if (element === container || get(found.reasons, element) !== undefined || !standsOut(element)) continue;
      if (ownerOf(element, found.reasons) !== container || !isShown(element)) continue;
      const spot = places(element)[0];
      const hit = hitAt(spot[0], spot[1]);
      if (hit === null || !isInside(hit, element) || includes(hits, hit)) continue;
      put(hits, hit);
      const listed = target(element, bare(["under:" + under]), "tappable", spot, true);
      put(targets, within(element, found, listed));
      left -= 1;
    }
    const isWhole = container === bodyOf(page) || container === rootOf(page);
    if (nameOf(container) === "canvas" || (isWhole && left === mostGuesses)) listSpots(container, under, targets);
    for (let i = 0; i < elements.length; i += 1) {
      if (nameOf(elements[i]) !== "canvas" || elements[i] === container || !isShown(elements[i])) continue;
      if (ownerOf(elements[i], found.reasons) === container) listSpots(elements[i], under, targets);
    }
  }

  // A game draws its buttons: four places of it stand for all.
  function listSpots(element, under, targets) {
    const spots = places(element);
    for (let i = 2; i < 6 && i < spots.length && targets.length < mostTargets; i += 1) {
      const hit = hitAt(spots[i][0], spots[i][1]);
      if (hit === null || !isInside(hit, element)) continue;
      put(targets, target(element, bare(["spot:" + under]), "tappable", spots[i], false));
    }
  }

  function delegates(reasons) {
    for (let i = 0; i < reasons.length; i += 1) {
      if (indexOf(reasons[i], "listener:") === 0 || indexOf(reasons[i], "on") === 0) return true;
      if (indexOf(reasons[i], "drag:") === 0) return true;
    }
    return false;
  }

  function standsOut(element) {
    const name = nameOf(element);
    if (includes(pictures, name)) return !includes(pictures, nameOf(parentElement(element) ?? element));
    const names = attributeNames(element);
    for (let i = 0; i < names.length; i += 1) {
      if (names[i] === "id" || indexOf(names[i], "data-") === 0 || names[i] === "aria-label") return true;
    }
    const style = styleOf(element);
    const isRound = styleValue(style, "border-top-left-radius") !== "0px";
    return isRound && styleValue(style, "background-color") !== "rgba(0, 0, 0, 0)";
  }

  function canBeScrolledTo(element) {
    for (let at = parentElement(element); at !== null; at = parentElement(at)) {
      const overflow = styleValue(styleOf(at), "overflow-y");
      const isTop = at === rootOf(page);
      if (scrollHeight(at) <= clientHeight(at) + 1) continue;
      if (overflow === "auto" || overflow === "scroll") return true;
      if (isTop && overflow === "visible" && !hidesOverflow(bodyOf(page))) return true;
    }
    return false;
  }

  // What a finger can move over an element, if it can: lists that scroll, and what listens to moving fingers.
  function listSurface(element, surfaces) {
    if (surfaces.length >= mostSurfaces || !isShown(element)) return;
    const reasons = moveReasons(element);
    const isListening = reasons.length > 0;
    const directions = bare([]);
    const place = scrolling(element, reasons, directions);
    if (isListening) addDragged(element, directions);
    if (directions.length === 0) return;
    const seen = visiblePart(element);
    if (seen === null || !takesFinger(element, seen, directions)) return;
    const selector = selectorOf(element);
    const middle = hitAt(seen.x + seen.width / 2, seen.y + seen.height / 2);
    put(surfaces, {
      __proto__: null, selector, element: selector ?? nameOf(element), reasons, directions, frame: seen, place,
      shows: middle === null || element === bodyOf(page) || !isInside(middle, element) ? "" : showing(middle),
    });
  }

  // Adds where a list can be scrolled to, and says how many swipes away from its beginning it is.
  function scrolling(element, reasons, directions) {
    const isRoot = element === rootOf(page);
    const style = styleOf(element);
    const can = (axis) => {
      const overflow = styleValue(style, "overflow-" + axis);
      if (isRoot) return overflow !== "hidden" && overflow !== "clip" && !hidesOverflow(bodyOf(page), axis);
      return overflow === "auto" || overflow === "scroll";
    };
    const least = isRoot ? slack : 1;
    const place = point(0, 0);
    const across = scrollWidth(element) - clientWidth(element);
    if (across > least && can("x")) {
      const start = styleValue(style, "direction") === "rtl" ? -across : 0;
      const gone = scrollLeft(element) - start;
      if (gone < across - 1) put(directions, "left");
      if (gone > 1) put(directions, "right");
      place.x = round(gone / (clientWidth(element) * stroke));
      put(reasons, "overflow-x");
    }
    const down = scrollHeight(element) - clientHeight(element);
    if (down > least && can("y")) {
      if (scrollTop(element) < down - 1) put(directions, "up");
      if (scrollTop(element) > 1) put(directions, "down");
      place.y = round(scrollTop(element) / (clientHeight(element) * stroke));
      put(reasons, styleValue(style, "scroll-snap-type") === "none" ? "overflow-y" : "snaps-y");
    }
    return place;
  }

  // A page that moves things itself doesn't say which way; what the browser keeps for itself does.
  function addDragged(element, directions) {
    const action = styleValue(styleOf(element), "touch-action");
    const isTall = scrollHeight(element) > clientHeight(element) + slack;
    const isWide = scrollWidth(element) > clientWidth(element) + slack;
    const isUpright = action === "pan-x" || (action !== "pan-y" && isTall && !isWide && element !== bodyOf(page));
    const ways = isUpright ? ["up", "down"] : ["left", "right"];
    for (let i = 0; i < ways.length; i += 1) if (!includes(directions, ways[i])) put(directions, ways[i]);
  }

  function visiblePart(element) {
    const box = boxOf(element);
    const left = max(0, boxX(box));
    const top = max(0, boxY(box));
    const width = min(viewWidth(root), boxX(box) + boxWidth(box)) - left;
    const height = min(viewHeight(root), boxY(box) + boxHeight(box)) - top;
    return width < 20 || height < 20 ? null : rectangle(left, top, width, height);
  }

  // Whether a finger that goes down where its swipes begin is on it.
  function takesFinger(element, seen, directions) {
    const margin = (1 - stroke) / 2;
    for (let i = 0; i < directions.length; i += 1) {
      let x = 0.5;
      let y = 0.5;
      if (directions[i] === "left") x = 1 - margin;
      if (directions[i] === "right") x = margin;
      if (directions[i] === "up") y = 1 - margin;
      if (directions[i] === "down") y = margin;
      const hit = hitAt(seen.x + seen.width * x, seen.y + seen.height * y);
      if (hit !== null && isInside(hit, element)) return true;
    }
    return false;
  }

  // What is to be seen in the middle of a surface: which of its slides.
  function showing(element) {
    const picture = attribute(element, "src") ?? styleValue(styleOf(element), "background-image");
    const place = selectorOf(element) ?? nameOf(element);
    if (picture === "none" || includesText(picture, "data:")) return place;
    return place + " " + slice(picture, max(0, picture.length - 60));
  }

  // What a person types into or chooses from, and what would be typed.
  function listField(element, fields) {
    if (fields.length >= mostFields || !isShown(element) || matches(element, ":disabled")) return;
    const field = fieldOf(element);
    if (field === null) return;
    const spot = places(element)[0];
    const hit = hitAt(spot[0], spot[1]);
    // Scrolling brings it where it can be tapped.
    if (hit === null ? !canBeScrolledTo(element) : !isInside(hit, element)) return;
    const selector = selectorOf(element);
    field.selector = selector;
    field.element = selector ?? nameOf(element);
    field.point = point(spot[0], spot[1]);
    put(fields, field);
  }

  function fieldOf(element) {
    const name = nameOf(element);
    try {
      if (name === "select") return choiceOf(element);
      if (name === "textarea" && !isReadOnly(element)) {
        return entry("text", "Galley", areaValue(element) !== defaultArea(element), areaForm(element));
      }
      if (name === "input" && !isReadOnly(element)) {
        const wanted = entryFor(element);
        if (wanted === null) return null;
        return entry("text", wanted, inputValue(element) !== defaultInput(element), inputForm(element));
      }
    } catch {
      return null; // only bears the name
    }
    const editable = attribute(element, "contenteditable");
    if (editable === null || editable === "false") return null;
    return entry("text", "Galley", includesText(textOf(element) ?? "", "Galley"), null);
  }

  function isReadOnly(element) { return attribute(element, "readonly") !== null; }

  function entry(kind, text, isFilled, form) {
    const group = form === null || form === undefined ? "" : selectorOf(form) ?? nameOf(form);
    return { __proto__: null, kind, entry: text, isFilled, group, selector: null, element: "", point: point(0, 0) };
  }

  // By the type, else by what the field calls itself; null for what no keyboard fills in.
  function entryFor(element) {
    const type = inputType(element);
    const longest = inputLength(element);
    const fits = (text) => (longest > 0 ? slice(text, 0, longest) : text);
    if (type === "email") return "galley@example.com";
    if (type === "tel") return fits("5550100");
    if (type === "url") return "https://example.com";
    if (type === "password") return fits("Galley42");
    if (type === "number") return "" + max(7, toNumber(attribute(element, "min") ?? 0) || 0);
    if (type !== "text" && type !== "search") return null;
    const names = ["autocomplete", "inputmode", "name", "id", "placeholder"];
    let words = "";
    for (let i = 0; i < names.length; i += 1) words += " " + lowerCase(attribute(element, names[i]) ?? "");
    if (includesText(words, "mail")) return fits("galley@example.com");
    if (includesText(words, "phone") || includesText(words, "tel")) return fits("5550100");
    const numbers = ["zip", "postal", "numeric"];
    for (let i = 0; i < numbers.length; i += 1) if (includesText(words, numbers[i])) return fits("12345");
    return fits("Galley");
  }

  // Another option than the one that is chosen by itself.
  function choiceOf(element) {
    if (selectMany(element) || selectSize(element) > 1) return null;
    const options = selectOptions(element);
    const count = optionCount(options);
    let own = 0;
    for (let i = 0; i < count; i += 1) if (optionDefault(options[i])) own = i;
    for (let i = count - 1, found = null; i >= 0; i -= 1) {
      if (i !== own && !optionDisabled(options[i]) && plainText(optionLabel(options[i])) !== "") found = options[i];
      if (i === 0 && found !== null) {
        return entry("choice", plainText(optionLabel(found)), selectIndex(element) !== own, selectForm(element));
      }
    }
    return null;
  }

  function hidesOverflow(element, axis = "y") {
    return element !== null && styleValue(styleOf(element), "overflow-" + axis) === "hidden";
  }

  function target(element, reasons, reach, spot, isMiddle) {
    const box = boxOf(element);
    const selector = selectorOf(element);
    return {
      __proto__: null, selector: isMiddle ? selector : null, element: selector ?? nameOf(element), name: nameOf(element),
      label: labelOf(element), reasons, reach, closes: saysClose(element), draws: draws(element),
      point: point(spot[0], spot[1]),
      frame: rectangle(boxX(box), boxY(box), boxWidth(box), boxHeight(box)), coveredBy: undefined, within: undefined,
    };
  }

  function draws(element) {
    return matches(element, "canvas, video, iframe, img") || firstIn(element, "canvas, video, iframe") !== null;
  }

  function point(x, y) { return { __proto__: null, x: tenth(x), y: tenth(y) }; }
  function rectangle(x, y, width, height) {
    return { __proto__: null, x: tenth(x), y: tenth(y), width: tenth(width), height: tenth(height) };
  }
  function tenth(value) { return round(value * 10) / 10; }

  function labelOf(element) {
    const names = ["aria-label", "alt", "title"];
    for (let i = 0; i < names.length; i += 1) {
      const value = attribute(element, names[i]);
      if (value !== null && trim(value) !== "") return slice(plainText(value), 0, 40);
    }
    return slice(plainText(slice(textOf(element) ?? "", 0, 400)), 0, 40);
  }

  // On one line, runs of white space as one.
  function plainText(text) {
    let result = "";
    let isGap = true;
    for (let i = 0; i < text.length; i += 1) {
      const isSpace = charCodeAt(text, i) <= 32 || charCodeAt(text, i) === 160;
      if (!isSpace) result += text[i];
      else if (!isGap) result += " ";
      isGap = isSpace;
    }
    return trim(result);
  }

  // Whether an element calls itself a close button.
  function saysClose(element) {
    const names = ["id", "class", "aria-label", "title"];
    for (let i = 0; i < names.length; i += 1) {
      const value = lowerCase(attribute(element, names[i]) ?? "");
      if (includesText(value, "close") || includesText(value, "dismiss")) return true;
    }
    const text = plainText(slice(textOf(element) ?? "", 0, 40));
    return includes(["×", "✕", "✖", "✗", "❌", "X", "x"], text) || indexOf(lowerCase(text), "close") === 0;
  }

  // The first match in the document of what it returns is the element; null in shadow trees.
  function selectorOf(element) {
    const name = nameOf(element);
    if (element === bodyOf(page) || element === rootOf(page)) return name;
    const id = attribute(element, "id");
    const tries = bare([]);
    if (id) put(tries, "#" + escape(id));
    const names = attributeNames(element);
    for (let i = 0; i < names.length; i += 1) {
      if (indexOf(names[i], "data-") !== 0 && !includes(["name", "aria-label", "href", "alt"], names[i])) continue;
      const value = attribute(element, names[i]);
      if (value.length <= 60) put(tries, name + "[" + escape(names[i]) + "=" + quoted(value) + "]");
    }
    const classes = attribute(element, "class");
    if (classes && trim(classes) !== "") put(tries, name + dotted(plainText(classes)));
    for (let i = 0; i < tries.length; i += 1) if (isOnly(tries[i], element)) return tries[i];
    return pathTo(element);
  }

  // The only one, lest another that comes later be taken for it.
  function isOnly(selector, element) {
    try {
      const found = all(page, selector);
      return listLength(found) === 1 && found[0] === element;
    } catch {
      return false;
    }
  }

  // Enough for a place in the tree; to count the matches of one takes a large page seconds.
  function isFirst(selector, element) {
    try {
      return first(page, selector) === element;
    } catch {
      return false;
    }
  }

  function quoted(value) {
    let result = '"';
    for (let i = 0; i < value.length; i += 1) {
      const code = charCodeAt(value, i);
      result += code < 32 || code === 34 || code === 92 || code === 127 ? "\\" + hex(code) + " " : value[i];
    }
    return result + '"';
  }
  function hex(code) { return ("0123456789abcdef"[code >> 4]) + "0123456789abcdef"[code & 15]; }

  function dotted(classes) {
    let result = "";
    let word = "";
    for (let i = 0; i <= classes.length; i += 1) {
      if (i < classes.length && classes[i] !== " ") word += classes[i];
      else {
        result += "." + escape(word);
        word = "";
      }
    }
    return result;
  }

  // By place, from the nearest ancestor with an id of its own.
  function pathTo(element) {
    let path = "";
    let at = element;
    for (let depth = 0; at !== null && depth < 60; depth += 1) {
      const name = nameOf(at);
      if (at === bodyOf(page) || at === rootOf(page)) return checked(name + path, element);
      const id = attribute(at, "id");
      if (at !== element && id && isFirst("#" + escape(id), at)) return checked("#" + escape(id) + path, element);
      let place = 1;
      for (let sibling = elementBefore(at); sibling !== null; sibling = elementBefore(sibling)) place += 1;
      path = " > " + escape(name) + ":nth-child(" + place + ")" + path;
      const parent = parentOf(at);
      at = parent !== null && parent !== page ? parentElement(at) : null;
    }
    return null;
  }
  function checked(selector, element) { return isFirst(selector, element) ? selector : null; }

  // What is to be read, and all that tells a page from itself before.
  function describePage(elements, text, marks) {
    const body = bodyOf(page);
    if (body !== null) put(text, plainLines(slice(shownText(body) ?? "", 0, longestText * 2)));
    put(marks, slice(markupOf(rootOf(page)) ?? "", 0, longestMarkup));
    // A tapped button has the focus too, and nobody sees it.
    const focus = focusOf(page);
    const isField = focus !== null && includes(["input", "select", "textarea"], nameOf(focus));
    if (isField) put(marks, "focus " + selectorOf(focus));
    for (let i = 0; i < elements.length; i += 1) {
      const name = nameOf(elements[i]);
      if (name === "video" || name === "audio") {
        put(marks, mediaMark(elements[i]));
      } else if (name === "input") {
        put(marks, inputMark(elements[i]));
      } else if (name === "textarea" || name === "select") {
        put(marks, valueMark(elements[i], name));
      }
      const down = scrollTop(elements[i]);
      const across = scrollLeft(elements[i]);
      if (down > 0) put(marks, "scrolled " + i + strokes(down, clientHeight(elements[i])));
      if (across !== 0) put(marks, "sideways " + i + strokes(across, clientWidth(elements[i])));
    }
  }

  // An element that only bears the name has neither.
  function mediaMark(element) {
    try {
      return (mediaPaused(element) ? "paused" : "plays") + (mediaMuted(element) ? " muted" : "");
    } catch {
      return "";
    }
  }
  function inputMark(element) {
    try {
      return inputValue(element) + (inputChecked(element) ? " checked" : "");
    } catch {
      return "";
    }
  }

  function valueMark(element, name) {
    try {
      return name === "textarea" ? areaValue(element) : "chose " + letters(selectIndex(element));
    } catch {
      return "";
    }
  }

  // How far something is scrolled, in swipes over it: a letter each, since numbers don't tell.
  function strokes(offset, length) { return " " + letters(round(max(offset, -offset) / max(1, length * stroke))); }
  function letters(count) {
    let result = "";
    for (let i = 0; i < min(count, 100); i += 1) result += "i";
    return result;
  }

  // Lines as they are read, without empty ones.
  function plainLines(text) {
    let result = "";
    let line = "";
    for (let i = 0; i <= text.length; i += 1) {
      if (i < text.length && charCodeAt(text, i) !== 10) {
        line += text[i];
        continue;
      }
      const plain = plainText(line);
      if (plain !== "") result += (result === "" ? "" : "\n") + plain;
      line = "";
    }
    return result;
  }

  function join(list, separator) {
    let result = "";
    for (let i = 0; i < list.length; i += 1) if (list[i] !== "") result += (result === "" ? "" : separator) + list[i];
    return result;
  }

  // A hash (FNV-1a) that reads every number as one sign: clocks and JavaScript animations aren't changes.
  function fingerprint(marks) {
    let high = 0x811c9dc5 | 0;
    let low = 0x01000193 | 0;
    for (let n = 0; n < marks.length; n += 1) {
      let isNumber = false;
      for (let i = 0; i < marks[n].length; i += 1) {
        let code = charCodeAt(marks[n], i);
        const isDigit = (code >= 48 && code <= 57) || (isNumber && code === 46);
        if (isDigit && isNumber) continue;
        isNumber = isDigit;
        if (isDigit) code = 48;
        high = imul(high ^ code, 0x01000193);
        low = imul(low ^ (code + 7), 0x5bd1e995);
      }
      high = imul(high ^ 31, 0x01000193);
    }
    return text16(high) + text16(low);
  }
  function text16(value) {
    let result = "";
    for (let shift = 28; shift >= 0; shift -= 4) result += "0123456789abcdef"[(value >>> shift) & 15];
    return result;
  }

  // Frames tell what is in them; one that can't be asked is one thing to tap.
  function listFrames(told, elements, targets, surfaces, fields, framed, marks) {
    let frames = 0;
    for (let i = 0; i < elements.length; i += 1) {
      const element = elements[i];
      if (nameOf(element) !== "iframe") continue;
      const heard = told !== null && frames < told.length ? told[frames] : null;
      frames += 1;
      if (!isShown(element) || targets.length >= mostTargets) continue;
      const spot = places(element)[0];
      if (hitAt(spot[0], spot[1]) !== element) continue;
      const inner = surveyOf(element, heard);
      if (inner === null) {
        put(targets, target(element, bare(["frame"]), "tappable", spot, true));
        continue;
      }
      put(framed, inner.text);
      put(marks, inner.fingerprint);
      const box = boxOf(element);
      const x = boxX(box) + edgeLeft(element);
      const y = boxY(box) + edgeTop(element);
      for (let j = 0; j < inner.targets.length && targets.length < mostTargets; j += 1) {
        put(targets, moved(inner.targets[j], x, y, selectorOf(element) ?? "iframe"));
      }
      for (let j = 0; j < inner.surfaces.length && surfaces.length < mostSurfaces; j += 1) {
        put(surfaces, moved(inner.surfaces[j], x, y, selectorOf(element) ?? "iframe"));
      }
      for (let j = 0; j < inner.fields.length && fields.length < mostFields; j += 1) {
        put(fields, moved(inner.fields[j], x, y, selectorOf(element) ?? "iframe"));
      }
    }
  }

  // By what it has told the host, or else by asking it here, which goes for frames of this origin alone.
  function surveyOf(frame, heard) {
    try {
      if (heard !== null) return parse(heard);
      const own = getOwnPropertyDescriptor(frameWindow(frame), "__GALLEY_INVENTORY__");
      return own === undefined ? null : parse(own.value());
    } catch {
      return null;
    }
  }

  function moved(inner, x, y, frame) {
    setPrototypeOf(inner, null);
    if (inner.reasons !== undefined) bare(inner.reasons);
    if (inner.directions !== undefined) bare(inner.directions);
    inner.selector = null;
    inner.element = frame + " " + inner.element;
    if (inner.point !== undefined) inner.point = point(inner.point.x + x, inner.point.y + y);
    if (inner.frame !== undefined) {
      inner.frame = rectangle(inner.frame.x + x, inner.frame.y + y, inner.frame.width, inner.frame.height);
    }
    return inner;
  }
})();
