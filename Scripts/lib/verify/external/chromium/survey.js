// What a page's elements are and where, in either engine: the body of a function that gives text.
const most = 600;
const hundredth = (value) => Math.round(value * 100) / 100;
const pathOf = (element) => {
  const parts = [];
  for (let at = element; at && at !== document.documentElement; at = at.parentElement) {
    if (at.id && document.querySelectorAll(`#${CSS.escape(at.id)}`).length === 1) {
      parts.unshift(`#${at.id}`);
      break;
    }
    const same = at.parentElement ? [...at.parentElement.children].filter((one) => one.localName === at.localName) : [at];
    parts.unshift(same.length > 1 ? `${at.localName}:${same.indexOf(at) + 1}` : at.localName);
  }
  return parts.join(" ") || "html";
};
const opacityOf = (element) => {
  let opacity = 1;
  for (let at = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
  return opacity;
};
const unseen = new Set(["script", "style", "head", "meta", "title", "link", "base", "noscript", "template", "source"]);
const inside = (element) => element.closest("defs, clipPath, mask, symbol, linearGradient, radialGradient, filter, head");
const boxes = [];
for (const element of document.querySelectorAll("*")) {
  if (boxes.length >= most) break;
  if (unseen.has(element.localName) || inside(element)) continue;
  const style = getComputedStyle(element);
  const rect = element.getBoundingClientRect();
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
  boxes.push([
    pathOf(element), hundredth(rect.x), hundredth(rect.y), hundredth(rect.width), hundredth(rect.height),
    style.display !== "none" && style.visibility === "visible" && rect.width > 0 && rect.height > 0 && opacityOf(element) > 0.1,
    own ? "text" : ["input", "select", "textarea", "button", "progress", "meter"].includes(element.localName) ? "control"
      : ["img", "video", "canvas", "iframe", "svg", "picture", "object", "audio"].includes(element.localName) ? element.localName : "box",
    style.fontFamily.slice(0, 60), style.position,
  ]);
}
return JSON.stringify({
  now: performance.now(), date: Date.now(), agent: navigator.userAgent, language: navigator.language,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone, width: innerWidth, height: innerHeight, ratio: devicePixelRatio,
  viewport: document.querySelector("meta[name=viewport]")?.content ?? "", boxes,
  fonts: document.fonts ? [...document.fonts].map((face) => `${face.family} ${face.weight} ${face.status}`).slice(0, 40) : [],
});
