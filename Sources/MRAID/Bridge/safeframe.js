// window.$sf, as an ad in the IAB's SafeFrame 1.1 sees it: expanding is the container's resizing, collapsing its close.
// Nothing of mraid is to be seen in the page; the log has the ad's calls as sfRegister, sfExpand and so on.
(bridge) => {
  const { mraid, getters, listen, put, guarded, report } = bridge;
  const root = window;
  const { isFinite } = Number;
  const { max, min, round } = Math;
  let callback = null;
  let size = null;
  // What the ad asked for and isn't yet.
  let pending = null;
  let isReady = false;
  let exposed = 0;
  let visible = null;
  let isViewable = false;

  const say = (status, data) => {
    if (typeof callback === "function") guarded("$sf.ext", callback, undefined, [status, data]);
  };
  const length = (value) => (typeof value === "number" && isFinite(value) && value > 0 ? value : 0);
  const box = (frame) => ({ t: frame.y, l: frame.x, b: frame.y + frame.height, r: frame.x + frame.width, w: frame.width, h: frame.height });

  const geometry = () => {
    const screen = getters.getMaxSize();
    const frame = getters.getCurrentPosition();
    const iv = exposed / 100;
    const self = { ...box(frame), z: 0, xiv: 0, yiv: 0, iv };
    if (visible && frame.width > 0 && frame.height > 0) {
      self.xiv = min(1, visible.width / frame.width);
      self.yiv = min(1, visible.height / frame.height);
    }
    // How far it may grow to each side, and whether the page scrolls there: it doesn't.
    const exp = {
      t: max(0, self.t), l: max(0, self.l), r: max(0, screen.width - self.r), b: max(0, screen.height - self.b), xs: false, ys: false,
    };
    return { win: { t: 0, l: 0, b: screen.height, r: screen.width, w: screen.width, h: screen.height }, self, exp };
  };

  const act = (action) => {
    if (isReady) action();
    else listen("ready", action);
  };
  const grow = ({ t, l, r, b }) => {
    const home = getters.getDefaultPosition();
    pending = "expanding";
    act(() => {
      mraid.setResizeProperties({
        width: home.width + l + r, height: home.height + t + b, offsetX: -l, offsetY: -t, allowOffscreen: true,
      });
      mraid.resize();
    });
  };
  const fail = (cmd, reason, info) => say("failed", { cmd, reason, info });

  const ext = {};
  const method = (name, body) => put(ext, name, function (...values) {
    report("sf" + name[0].toUpperCase() + name.slice(1), values);
    return body(...values);
  });
  method("register", (width, height, tell) => {
    size = { width: length(width), height: length(height) };
    callback = typeof tell === "function" ? tell : null;
  });
  method("supports", () => ({ "exp-ovr": true, "exp-push": false, "read-cookie": false, "write-cookie": false }));
  method("expand", (given, dy, push) => {
    // As an object with a length for each side, or as one length for each direction: negative to the left and up.
    const isObject = typeof given === "object" && given !== null;
    const sides = isObject
      ? { t: length(given.t), l: length(given.l), r: length(given.r), b: length(given.b) }
      : { t: length(-dy), l: length(-given), r: length(given), b: length(dy) };
    const cmd = (isObject ? given.push : push) ? "exp-push" : "exp-ovr";
    if (size === null) return fail(cmd, "register first", sides);
    if (cmd === "exp-push") return fail(cmd, "pushing isn't supported", sides);
    if (sides.t + sides.l + sides.r + sides.b <= 0) return fail(cmd, "there is nothing to expand by", sides);
    if (getters.getState() === "resized" || pending === "expanding") return fail(cmd, "it is expanded already", sides);
    return grow(sides);
  });
  method("collapse", () => {
    if (getters.getState() !== "resized") return;
    pending = "collapsing";
    mraid.close();
  });
  method("status", () => pending ?? (getters.getState() === "resized" ? "expanded" : "collapsed"));
  method("geom", geometry);
  method("inViewPercentage", () => round(exposed));
  method("winHasFocus", () => isViewable);
  method("meta", () => "");
  method("cookie", () => false);
  method("hostURL", () => "https://publisher.example/");

  listen("ready", () => { isReady = true; });
  listen("stateChange", (state) => {
    pending = null;
    if (state === "resized") say("expanded", geometry());
    else if (state === "default" && isReady) say("collapsed", geometry());
  });
  listen("exposureChange", (percentage, rectangle) => {
    [exposed, visible] = [percentage, rectangle];
    say("geom-update", geometry());
  });
  listen("viewableChange", (now) => {
    isViewable = now;
    say("focus-change", now);
  });
  listen("error", (message, action) => {
    if (action !== "resize" && action !== "setResizeProperties") return;
    pending = null;
    fail("exp-ovr", message);
  });

  put(root, "$sf", {});
  put(root.$sf, "ext", ext);
  put(root.$sf, "ver", "1-1-0");
  put(root.$sf, "specVersion", "1.1");
}
