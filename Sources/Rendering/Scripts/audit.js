// Looks over an ad's document once it has settled: the body of a function, in a world where the built-ins are untouched.
// The document itself isn't: a form field or image of the name stands in for any of its members, so members are taken
// from the prototypes.
const { apply } = Reflect;
const member = (owner, name) => {
  const { get, value } = Object.getOwnPropertyDescriptor(owner.prototype, name) ?? {};
  return get ? (self) => apply(get, self, []) : (self, ...values) => apply(value, self, values);
};
const [allOf, elementBy, animationsOf, bodyOf, rootOf, scrollerOf, titleOf] = [
  "querySelectorAll", "getElementById", "getAnimations", "body", "documentElement", "scrollingElement", "title",
].map((name) => member(Document, name));
const [attributeOf, boxOf, matches, closestTo, nameOf, shadowOf] = [
  "getAttribute", "getBoundingClientRect", "matches", "closest", "localName", "shadowRoot",
].map((name) => member(Element, name));
const [scrollWidth, scrollHeight, clientWidth, clientHeight, scrollLeft, scrollTop] = [
  "scrollWidth", "scrollHeight", "clientWidth", "clientHeight", "scrollLeft", "scrollTop",
].map((name) => member(Element, name));
const [allIn, parentOf, contentOf, ownerOf, typeOf, firstOf, nextOf] = [
  [Element, "querySelectorAll"], [Node, "parentNode"], [Node, "textContent"], [Node, "ownerDocument"],
  [Node, "nodeType"], [Node, "firstChild"], [Node, "nextSibling"],
].map(([owner, name]) => member(owner, name));
const documentOf = member(HTMLIFrameElement, "contentDocument");
const labelsOf = member(HTMLInputElement, "labels");

const mostElements = 4000;
const mostFindings = 20;
let isCut = false;
const cut = (list, most = mostFindings) => list.slice(0, most);
const plain = (text, most = 60) => String(text ?? "").replace(/\s+/g, " ").trim().slice(0, most);
const tenth = (value) => Math.round(value * 10) / 10;
const attribute = (element, name) => plain(attributeOf(element, name), 200);

const styles = new Map();
const styleOf = (element) => {
  if (!styles.has(element)) styles.set(element, getComputedStyle(element));
  return styles.get(element);
};
const placed = (rect, offset) => ({ x: rect.x + offset.x, y: rect.y + offset.y, width: rect.width, height: rect.height });

// How far a page can be scrolled. Where the root keeps its overflow to itself, the body may scroll of its own.
const extentsOf = (page) => {
  const [root, body, scroller] = [rootOf(page), bodyOf(page), scrollerOf(page) ?? rootOf(page)];
  const size = page === document ? { x: innerWidth, y: innerHeight } : { x: clientWidth(scroller), y: clientHeight(scroller) };
  const extent = (axis, name, length, view, gone) => {
    const own = styleOf(root)[name];
    const shared = own === "visible" && body ? styleOf(body)[name] : own;
    const isOfBody = body !== null && own !== "visible" && /auto|scroll/.test(styleOf(body)[name]);
    return {
      by: Math.max(0, length(scroller) - size[axis]), isFree: !/hidden|clip/.test(shared),
      ofBody: isOfBody ? Math.max(0, length(body) - view(body)) : 0, gone: gone(scroller) + (isOfBody ? gone(body) : 0),
    };
  };
  return {
    x: extent("x", "overflowX", scrollWidth, clientWidth, scrollLeft),
    y: extent("y", "overflowY", scrollHeight, clientHeight, scrollTop),
  };
};
const canScroll = ({ by, isFree, ofBody }) => (isFree && by > 1) || ofBody > 1;
// A view without its right and lower edges where it can be scrolled past them, and with what was scrolled out of it.
const opened = (view, page) => {
  if (!rootOf(page)) return view;
  const { x, y } = extentsOf(page);
  const [left, top] = [x, y].map((extent) => (canScroll(extent) ? Math.max(0, extent.gone) : 0));
  return {
    x: view.x - left, y: view.y - top,
    width: canScroll(x) ? 1e6 : view.width, height: canScroll(y) ? 1e6 : view.height,
  };
};

// Every element with its document's place in the ad: of shadow trees that are open and frames of its own origin too.
const seen = [];
const pages = [];
const collect = (root, offset) => {
  for (const element of root) {
    if (seen.length >= mostElements) return void (isCut = true);
    seen.push({ element, offset });
    const shadow = shadowOf(element);
    if (shadow) collect(shadow.querySelectorAll("*"), offset);
    if (nameOf(element) === "iframe") enter(element, offset);
  }
};
const enter = (frame, offset) => {
  let inner = null;
  try { inner = documentOf(frame); } catch { /* another origin's */ }
  if (!inner || pages.length > 20) return;
  const box = boxOf(frame);
  const view = placed(box, offset);
  const clip = intersection(view, offset.clip);
  const holdsStill = attribute(frame, "scrolling").toLowerCase() === "no";
  const reach = intersection(holdsStill ? view : opened(view, inner), offset.reach);
  pages.push(inner);
  collect(allOf(inner, "*"), { x: offset.x + box.x + frame.clientLeft, y: offset.y + box.y + frame.clientTop, clip, reach });
};
const intersection = (one, other) => {
  const [x, y] = [Math.max(one.x, other.x), Math.max(one.y, other.y)];
  const width = Math.min(one.x + one.width, other.x + other.width) - x;
  const height = Math.min(one.y + one.height, other.y + other.height) - y;
  return { x, y, width: Math.max(0, width), height: Math.max(0, height) };
};
const slot = { x: 0, y: 0, width: innerWidth, height: innerHeight };
pages.push(document);
collect(allOf(document, "*"), { x: 0, y: 0, clip: slot, reach: opened(slot, document) });

const parentElement = (node) => {
  const parent = parentOf(node);
  return parent === null || typeOf(parent) === 9 ? null : typeOf(parent) === 11 ? parent.host ?? null : parent;
};
const around = function* (element) { for (let at = element; at; at = parentElement(at)) yield at; };

// What of a box boxes around it let through; `scrolls` when one of them can be scrolled, which hides nothing for good.
const letThrough = (start, position, rect, offset) => {
  let visible = intersection(placed(rect, offset), offset.clip);
  let scrolls = false;
  for (let at = start; at; at = parentElement(at)) {
    const style = styleOf(at);
    const holds = style.transform !== "none" || (position !== "fixed" && style.position !== "static");
    if (position === "fixed" && !holds) continue;
    if (position === "absolute" && !holds) continue;
    if (style.overflowX !== "visible" && at !== rootOf(ownerOf(at)) && at !== bodyOf(ownerOf(at))) {
      if (/auto|scroll/.test(style.overflowX + style.overflowY)) scrolls = true;
      visible = intersection(visible, placed(boxOf(at), offset));
    }
    position = style.position;
  }
  return { visible, scrolls };
};
const isHidden = (element) => {
  const style = styleOf(element);
  if (style.visibility !== "visible" || style.display === "none") return true;
  let opacity = 1;
  for (const at of around(element)) opacity *= Number(styleOf(at).opacity);
  return opacity < 0.1;
};
const isShown = ({ element, offset }) => {
  const box = boxOf(element);
  if (box.width <= 2 || box.height <= 2 || isHidden(element)) return false;
  const { visible } = letThrough(parentElement(element), styleOf(element).position, box, offset);
  return visible.width > 2 && visible.height > 2;
};
const selector = (element) => {
  const id = attribute(element, "id");
  const [first] = attribute(element, "class").split(" ");
  return plain(nameOf(element) + (id ? "#" + id : first ? "." + first : ""), 80);
};
const told = (kind, { element, offset }, text) => {
  const box = placed(boxOf(element), offset);
  return {
    kind, selector: selector(element), text: plain(text),
    frame: { x: tenth(box.x), y: tenth(box.y), width: tenth(box.width), height: tenth(box.height) },
  };
};

// Names, as a screen reader finds them: what counts of Accessible Name and Description Computation 1.2.
const isFocusable = (element) => attributeOf(element, "tabindex") !== null || matches(element,
  "a[href], area[href], :is(button, input, select, textarea):not([disabled], [type='hidden'])");
const roleOf = (element) => {
  const [role] = attribute(element, "role").toLowerCase().split(" ");
  // What the keyboard comes to isn't decoration, whatever it says of itself.
  return (role === "none" || role === "presentation") && isFocusable(element) ? "" : role;
};
const isExposed = (element) => {
  if (styleOf(element).visibility !== "visible") return false;
  for (const at of around(element)) {
    if (styleOf(at).display === "none" || attribute(at, "aria-hidden") === "true") return false;
  }
  return true;
};
const labelled = (element) =>
  attribute(element, "aria-labelledby").split(" ").map((id) => plain(id && elementBy(ownerOf(element), id)?.textContent)).join("") ||
  attribute(element, "aria-label");
const childrenOf = function* (node) { for (let at = firstOf(node); at; at = nextOf(at)) yield at; };
// Whether anything of a node is read out: its own name, or what is in it.
const isSpoken = (node) => {
  if (typeOf(node) === 3) return plain(contentOf(node)) !== "";
  if (typeOf(node) !== 1 || attribute(node, "aria-hidden") === "true") return false;
  if (["script", "style", "template", "noscript"].includes(nameOf(node))) return false;
  const style = styleOf(node);
  if (style.display === "none" || (style.visibility !== "visible" && !firstOf(node))) return false;
  if (labelled(node)) return true;
  if (matches(node, "img, area, input")) {
    return !/^(none|presentation)$/.test(roleOf(node)) && Boolean(attribute(node, "alt") || attribute(node, "title"));
  }
  if (shadowOf(node) && isAnySpoken(shadowOf(node))) return true;
  return isAnySpoken(node) || Boolean(attribute(node, "title") || (nameOf(node) === "svg" && titleIn(node)));
};
const isAnySpoken = (node) => {
  for (const child of childrenOf(node)) if (isSpoken(child)) return true;
  return false;
};
const innerName = (element) => isAnySpoken(element) || attribute(element, "alt") ||
  (shadowOf(element) !== null && isAnySpoken(shadowOf(element)));
const fieldName = (element) => {
  const type = attribute(element, "type").toLowerCase();
  if (["submit", "reset"].includes(type)) return true;
  if (type === "image") return attribute(element, "alt");
  if (type === "button") return attribute(element, "value");
  let labels = [];
  try { labels = [...(nameOf(element) === "input" ? labelsOf(element) : element.labels) ?? []]; } catch { /* has none */ }
  return attribute(element, "placeholder") || labels.some(isSpoken);
};
const titleIn = (element) => {
  for (const child of childrenOf(element)) if (typeOf(child) === 1 && nameOf(child) === "title") return plain(contentOf(child));
  return "";
};
// An empty alternative says that the picture only decorates; one of blanks says nothing.
const imageName = (element) => attributeOf(element, "alt") === "" || attribute(element, "alt");
const noName = () => false;
const roles = new Map([
  ...["link", "doc-backlink", "doc-biblioref", "doc-glossref", "doc-noteref"].map((role) => [role, ["link", innerName]]),
  ...["button", "checkbox", "switch", "tab", "radio", "menuitemcheckbox", "menuitemradio", "option"]
    .map((role) => [role, ["control", (element) => innerName(element) || (matches(element, "input") && fieldName(element))]]),
  ...["textbox", "searchbox", "combobox", "listbox", "slider", "spinbutton"].map((role) => [
    role, ["control", (element) => matches(element, "input, select, textarea") && fieldName(element)],
  ]),
  ...["img", "graphics-symbol", "graphics-document"].map((role) => [
    role, ["image", (element) => (matches(element, "img") ? imageName(element) : matches(element, "canvas") ? innerName(element) : titleIn(element))],
  ]),
]);
const kinds = [
  ["a[href], area[href]", ["link", innerName]],
  ["button, summary", ["control", innerName]],
  ["input:not([type='hidden']), select, textarea", ["control", fieldName]],
  ["img", ["image", imageName]],
  ["canvas", ["image", innerName]],
  ["iframe:not([tabindex='-1'])", ["frame", noName]],
];
const kindOf = (element) => {
  const role = roleOf(element);
  if (role === "none" || role === "presentation") return undefined;
  return roles.get(role) ?? kinds.find(([pattern]) => matches(element, pattern))?.[1];
};
// What stands for an area of a map on the page.
const pictureOf = (element) => {
  if (nameOf(element) !== "area") return element;
  const map = closestTo(element, "map");
  const name = map && attribute(map, "name");
  for (const image of name ? allOf(ownerOf(element), "img[usemap]") : []) if (attribute(image, "usemap") === "#" + name) return image;
  return null;
};
const isWithinNamed = (element) => {
  const outer = closestTo(parentElement(element) ?? element, "a[href], button, [role='button'], [role='link'], [role='img'], figure");
  return outer !== null && outer !== element && Boolean(
    labelled(outer) || attribute(outer, "title") || (matches(outer, "figure, a, button") && innerName(outer)));
};
// Who hears the ad meets what is out of sight too; a picture of a pixel or two is there to count.
const isMet = ({ element, offset }, kind) => {
  const picture = pictureOf(element);
  if (!picture || !isExposed(picture)) return false;
  if (nameOf(element) === "canvas") return isShown({ element, offset });
  const box = boxOf(picture);
  return kind !== "image" && kind !== "frame" || (box.width > 2 && box.height > 2);
};
const unnamed = [];
const painted = [];
for (const one of seen) {
  const [kind, name] = kindOf(one.element) ?? [];
  if (!kind || closestTo(one.element, "template") !== null) continue;
  if (labelled(one.element) || attribute(one.element, "title") || name(one.element) || !isMet(one, kind)) continue;
  if (kind === "image" && isWithinNamed(one.element)) continue;
  const source = attribute(one.element, "src") || attribute(one.element, "href");
  const list = nameOf(one.element) === "canvas" ? painted : unnamed;
  list.push(told(kind, one, source.startsWith("data:") ? source.slice(0, 24) : source));
}

// Running animations, and what they move: that isn't where it will stay.
const animations = { running: 0, endless: 0, end: 0, names: [] };
const moving = new Set();
for (const page of pages) {
  for (const animation of animationsOf(page)) {
    if (animation.playState !== "running" || animation.playbackRate === 0) continue;
    const end = animation.effect?.getComputedTiming().endTime ?? 0;
    const target = animation.effect?.target ?? null;
    animations.running += 1;
    if (target) moving.add(target);
    if (Number.isFinite(end)) {
      const start = animation.startTime ?? document.timeline.currentTime - (animation.currentTime ?? 0);
      animations.end = Math.max(animations.end, Math.round(start + end));
      animations.loops = Math.max(animations.loops ?? 0, tenth(animation.effect?.getComputedTiming().iterations ?? 1));
      continue;
    }
    animations.endless += 1;
    const name = animation.animationName ?? animation.transitionProperty ?? (animation.id || "animation");
    if (animations.names.length < 10) animations.names.push(plain(name + (target ? " on " + selector(target) : ""), 100));
  }
}
const isMoving = (element) => { for (const at of around(element)) if (moving.has(at)) return true; return false; };

// Lettering: how large it is on the screen, and whether anything cuts through it.
const scales = new Map();
const scaleOf = (element) => {
  if (!element) return 1;
  if (!scales.has(element)) {
    const { transform, zoom } = styleOf(element);
    const matrix = transform === "none" ? null : new DOMMatrixReadOnly(transform);
    const own = matrix ? Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c)) : 1;
    scales.set(element, own * (Number(zoom) || 1) * scaleOf(parentElement(element)));
  }
  return scales.get(element);
};
const sizeOf = (element) => {
  const size = parseFloat(styleOf(element).fontSize) || 0;
  const matrix = element.getScreenCTM?.();
  return matrix ? size * Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c)) : size * scaleOf(element);
};
const isTransparent = (color) => /^rgba\(.*, 0\)$|^transparent$/.test(color);
const hasInk = (element) => {
  const style = styleOf(element);
  return !isTransparent(style.color) || style.textShadow !== "none" || style.backgroundClip === "text" || style.webkitBackgroundClip === "text";
};
const isShortened = (element) => {
  for (const at of around(element)) {
    if (styleOf(at).textOverflow === "ellipsis" || !["none", ""].includes(styleOf(at).webkitLineClamp)) return true;
  }
  return false;
};
const cutBy = (line, visible) => {
  const [width, height] = [visible.width / line.width, visible.height / line.height];
  if (visible.width <= 0 || visible.height <= 0) return false;
  return (width > 0.1 && width < 0.95 && line.width - visible.width > 3) || (height > 0.1 && height < 0.7);
};
const textSizes = [];
const clipped = [];
// What looks as if it was to be filled in; the checks know what such signs may mean besides.
const holdsPlace = /\{\{|\$\{|%%|\{%|\[%|\[[A-Za-z]+[\w]*\]|__[A-Z]|%7B|%5B|\{[A-Za-z]/i;
const placeholders = [];
const mostSaid = 500;
const range = document.createRange();
const skipped = ["script", "style", "noscript", "template", "title", "textarea", "option", "iframe", "canvas", "video", "audio", "desc"];
for (const one of seen) {
  const { element, offset } = one;
  if (skipped.includes(nameOf(element)) || closestTo(element, "head, defs")) continue;
  let [isRead, isCutThrough, said] = [false, false, ""];
  for (let node = firstOf(element); node; node = nextOf(node)) {
    if (typeOf(node) !== 3 || !plain(node.data)) continue;
    if (!said && (isHidden(element) || !hasInk(element))) break;
    said += node.data;
    range.selectNodeContents(node);
    for (const line of cut([...range.getClientRects()], 50)) {
      if (line.width < 1 || line.height < 1) continue;
      const { visible, scrolls } = letThrough(element, "static", line, offset);
      if (visible.width * visible.height >= 4 && visible.width > 2) isRead = true;
      // What the edge of a page that scrolls cuts through can be brought into view.
      const cuts = () => cutBy(line, letThrough(element, "static", line, { ...offset, clip: offset.reach }).visible);
      if (!scrolls && cutBy(line, visible) && cuts()) isCutThrough = true;
    }
  }
  if (!isRead) continue;
  if (holdsPlace.test(said) && placeholders.length < mostFindings) placeholders.push({ ...told("text", one, said), text: plain(said, mostSaid) });
  textSizes.push({ element: told("text", one, said), size: tenth(sizeOf(element)) });
  if (isCutThrough && clipped.length < mostFindings && !isMoving(element) && !isShortened(element)) clipped.push(told("text", one, said));
}
for (const one of seen) {
  if (placeholders.length >= mostFindings || !matches(one.element, "a[href], area[href]")) continue;
  const address = plain(attributeOf(one.element, "href") ?? "", mostSaid);
  if (holdsPlace.test(address)) placeholders.push({ ...told("link", one, ""), text: address });
}

// A box around all that is drawn. What waits outside of the ad isn't; the page's own colour is as large as its view.
const pictured = ["img", "canvas", "video", "svg", "iframe", "object", "embed"];
const isDrawn = (element) => {
  if (pictured.includes(nameOf(element))) return true;
  const style = styleOf(element);
  const bordered = ["Top", "Right", "Bottom", "Left"].some((side) =>
    parseFloat(style["border" + side + "Width"]) > 0 && !isTransparent(style["border" + side + "Color"]));
  return bordered || !isTransparent(style.backgroundColor) || style.backgroundImage !== "none";
};
const everywhere = { x: -1e6, y: -1e6, width: 2e6, height: 2e6 };
const boxAround = () => {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { element, offset } of seen) {
    if (ownerOf(element) !== document || element === rootOf(document) || element === bodyOf(document)) continue;
    if (element instanceof SVGElement && nameOf(element) !== "svg" || !isDrawn(element) || isHidden(element)) continue;
    const whole = { ...offset, clip: everywhere };
    const { visible } = letThrough(parentElement(element), styleOf(element).position, boxOf(element), whole);
    const inside = intersection(visible, slot);
    if (inside.width < 1 || inside.height < 1) continue;
    [left, top] = [Math.min(left, visible.x), Math.min(top, visible.y)];
    [right, bottom] = [Math.max(right, visible.x + visible.width), Math.max(bottom, visible.y + visible.height)];
  }
  return left < right ? { x: tenth(left), y: tenth(top), width: tenth(right - left), height: tenth(bottom - top) } : undefined;
};
const drawn = boxAround();
// What is painted needs a text only where the ad says nothing beside it.
if (textSizes.length === 0) unnamed.push(...painted);
textSizes.sort((one, other) => one.size - other.size);

// How far the page reaches, and whether a person can go there.
const root = rootOf(document);
const extents = extentsOf(document);
const overflow = {
  x: Math.max(extents.x.by, extents.x.ofBody), y: Math.max(extents.y.by, extents.y.ofBody),
  scrolls: canScroll(extents.x) || canScroll(extents.y),
};

// Close buttons of the ad's own.
const closeWord = /(^|[^a-z])(close|dismiss|schlie(ss|ß)en|fermer|cerrar)($|[^a-z])|close-?(btn|button|icon)|(btn|button|icon)-?close/i;
const saysClose = (element) => {
  const named = ["id", "class", "aria-label", "title", "alt"].some((name) =>
    closeWord.test(attribute(element, name).replace(/([a-z])([A-Z])/g, "$1-$2")));
  return named || ["×", "✕", "✖", "✗", "❌", "X", "x"].includes(plain(contentOf(element), 12));
};
const canBeTapped = (element) =>
  matches(element, "a, button, input, [role='button'], [role='link'], [onclick], [tabindex]") || styleOf(element).cursor === "pointer" ||
  ["×", "✕", "✖", "✗", "❌"].includes(plain(contentOf(element), 12));
const closing = [];
const closeControls = [];
for (const one of seen) {
  const { element } = one;
  if (!saysClose(element) || !canBeTapped(element) || !isShown(one)) continue;
  if ([...around(parentElement(element))].some((outer) => closing.includes(outer))) continue;
  const box = boxOf(element);
  if (box.width > 200 || box.height > 200) continue;
  closing.push(element);
  closeControls.push({ element: told("close", one, labelled(element) || attribute(element, "title") || contentOf(element)) });
}

// Films and sounds.
const media = [];
// In stepped time elements stand still, and an event asks those that go on all the same.
const runs = (film) => !EventTarget.prototype.dispatchEvent.call(film, new Event(filmsEvent, { cancelable: true }));
const plays = filmsEvent ? runs : (film) => !film.paused && !film.ended;
for (const { element } of seen) {
  if (!["video", "audio"].includes(nameOf(element))) continue;
  const source = attribute(element, "src") || attribute(allIn(element, "source")[0] ?? element, "src");
  const sounds = nameOf(element) === "audio" || (element.audioTracks ? element.audioTracks.length > 0 : true);
  media.push({
    selector: selector(element), source: /^(data|blob):/.test(source) ? source.slice(0, 5) : plain(source.replace(/[?#].*/, ""), 200),
    isPlaying: plays(element), isAudible: sounds && !element.muted && element.volume > 0,
    autoplays: element.autoplay, loops: element.loop, hasControls: element.controls,
    duration: Number.isFinite(element.duration) ? tenth(element.duration) : undefined,
  });
}
// Web Audio of a window's, which says that it is heard.
for (const page of pages) {
  if (EventTarget.prototype.dispatchEvent.call(page, new Event(soundsEvent, { cancelable: true }))) continue;
  media.push({
    selector: "AudioContext", source: "", isPlaying: true, isAudible: true, autoplays: true, loops: false, hasControls: false,
  });
  break;
}

return {
  language: attribute(root, "lang") || undefined,
  title: plain(titleOf(document), 200) || undefined, isCut, unnamed: cut(unnamed), textSizes: cut(textSizes, 10), overflow,
  clipped, placeholders, drawn, closeControls: cut(closeControls, 10), media: cut(media), animations,
  canvases: seen.filter((one) => nameOf(one.element) === "canvas" && isShown(one)).length,
};
