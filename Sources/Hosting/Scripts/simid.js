// The player's side of SIMID 1.2: one creative's session, from its frame's load to its end. Messages go in; messages, log
// lines and calls of the player come out. It has no page, film or clock of its own, so that all of it can be tried without.
const simidSession = (() => {
  "use strict";
  // What a creative may post: characters a message, messages a second and in all, and lines about refused ones.
  const bounds = { length: 65536, second: 100, all: 5000, refusals: 50, strangers: 5, kept: 100000 };
  // Milliseconds that a creative may take to begin a session, to answer, and to finish.
  const times = { session: 5000, init: 5000, end: 2000, waits: 10000, clicks: 1000 };
  const most = { url: 8192, trackers: 50, navigations: 10, expansions: 10, duration: 3600 };
  const codes = {
    unspecified: 1200, time: 1202, function: 1203, action: 1204, overload: 1205, media: 1206, slow: 1208,
    initialising: 1210, protocol: 1211, init: 1212, start: 1213, navigation: 1214, navigations: 1216, address: 1217,
    click: 1219, expansions: 1222, session: 1223,
  };
  const unlimited = -2;
  // Those that are neither answered nor refused for coming early.
  const silent = new Set(["log", "fatalError"]);
  const early = new Set(["log", "fatalError", "getMediaState", "reportTracking"]);
  const late = new Set(["log", "reportTracking", "getMediaState"]);
  // How a widespread example writes what the standard writes otherwise.
  const aliases = {
    requestFullScreen: "requestFullscreen", requestExitFullScreen: "requestExitFullscreen",
    requestVolume: "requestChangeVolume",
  };
  const answered = new Set(["init", "startCreative", "adSkipped", "adStopped", "fatalError", "appBackgrounded"]);
  // Schemes that lead neither to the web nor to another app.
  const inner = new Set([
    "about", "blob", "creative", "data", "file", "filesystem", "ftp", "javascript", "resource", "vbscript", "view-source",
    "ws", "wss",
  ]);

  const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  // Only what the message itself has, whatever it is called.
  const member = (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined);
  const isId = (value) => Number.isInteger(value) && value >= 0 && value <= 4294967295;
  const cut = (text, length) => String(text).slice(0, length);
  const scheme = (url) => /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1].toLowerCase() ?? null;
  const isAddress = (url) => typeof url === "string" && url.length <= most.url && scheme(url) !== null && !/[\s<>"]/.test(url);
  const isWeb = (url) => isAddress(url) && /^https?:\/\/[^/]/i.test(url);
  const mayOpen = (url) => isWeb(url) || (isAddress(url) && !inner.has(scheme(url)) && !/^https?:/i.test(url));
  // A number, or the text of one, which a form's field gives.
  const number = (value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value);
  const box = (value) => {
    const sides = ["x", "y", "width", "height"].map((name) => number(member(value, name)));
    if (!sides.every((side) => typeof side === "number" && Number.isFinite(side) && Math.abs(side) <= 100000)) return null;
    const [x, y, width, height] = sides;
    return width > 0 && height > 0 ? { x, y, width, height } : null;
  };

  /**
   * settings: nonLinear, skippable ("adHandles" …), creativeData, environmentData (what stays the same).
   * player: place(), film(), pause(), play(), setVolume(), canFullScreen, fullScreen(), show(), hide(), unload(),
   *   expand(), collapse(), resize(box), halt(): stops it for good, over(how): nothing of the creative is left,
   *   durationChanged(), hasGesture().
   * post: sends a text to the frame. log(name, detail). tell(what, detail): to the host. later(ms, action) → cancel.
   */
  return ({ settings, player, post, log, tell, later, now, date, settled }) => {
    // waiting → created → ready → started → ending → gone
    let phase = "waiting";
    let session = "";
    let next = 0;
    let last = -1;
    let hasPlayed = false;
    let hasAskedToStart = false;
    let hasEnded = false;
    let endedAt = 0;
    let isSettled = false;
    let isExpanded = false;
    let wanted = null;
    let fullScreenRequest = null;
    let lastClick = -Infinity;
    let [navigations, expansions] = [0, 0];
    let [seen, refusals, strangers] = [0, 0, 0];
    let second = { since: -Infinity, count: 0 };
    let whenOver = [];
    const flaws = new Set();
    const pending = new Map();
    const cancels = { session: () => {}, extension: () => {}, waits: () => {} };

    const settle = () => {
      if (isSettled) return;
      isSettled = true;
      settled();
    };
    const kept = (value) => {
      if (value === undefined) return undefined;
      const text = JSON.stringify(value);
      return text.length <= bounds.kept ? value : cut(text, 2000);
    };
    const isReady = () => phase === "ready" || phase === "started";

    // Messages to the creative.
    const send = (type, args) => {
      const id = next;
      next += 1;
      const message = { sessionId: session, messageId: id, timestamp: date(), type };
      if (args !== undefined) message.args = args;
      post(JSON.stringify(message));
      return id;
    };
    const say = (family, name, args, onAnswer, wait) => {
      const type = `SIMID:${family}:${name}`;
      log(name, { from: "player", type, id: next, args: kept(args) });
      const id = send(type, args);
      if (!answered.has(name)) return;
      const entry = { name, onAnswer: onAnswer ?? (() => {}), cancel: () => {}, isLate: false };
      pending.set(id, entry);
      if (wait === undefined) return;
      entry.cancel = later(wait, () => {
        entry.isLate = true;
        log("timeout", { from: "player", of: name, seconds: wait / 1000 });
        entry.onAnswer("timeout");
      });
    };
    const answer = (type, message, value) => {
      log(type, { from: "player", of: message.name, to: message.id, id: next, value: kept(value) });
      const args = { messageId: message.id };
      if (value !== undefined) args.value = value;
      send(type, args);
    };
    const resolve = (message, value) => answer("resolve", message, value);
    const reject = (message, errorCode, text) => answer("reject", message, { errorCode, message: text });

    // What breaks the standard and is put up with, told as the standard has it.
    const flaw = (type, text) => {
      if (flaws.has(text) || flaws.size >= bounds.refusals) return;
      flaws.add(text);
      log("flaw", { from: "creative", type: cut(type, 100), message: text });
      if (isReady()) say("Player", "log", { message: `WARNING: ${text}` });
    };
    const refuse = (reason, text, type, code) => {
      refusals += 1;
      if (refusals > bounds.refusals) return;
      const detail = { from: "creative", reason, message: text };
      if (type !== undefined) detail.type = cut(type, 100);
      if (code !== undefined) detail.code = code;
      if (refusals === bounds.refusals) detail.last = true;
      log("refused", detail);
    };
    const fail = (code, message, isFatal = false) => tell("simidError", { code, message: cut(message, 500), fatal: isFatal });

    // Ends of the session.
    const unload = () => {
      if (phase === "gone") return;
      phase = "gone";
      Object.values(cancels).forEach((cancel) => cancel());
      pending.forEach((entry) => entry.cancel());
      pending.clear();
      player.unload();
      log("unloaded", { from: "player" });
      settle();
      const waiting = whenOver;
      whenOver = [];
      waiting.forEach((go) => go());
    };
    // Tells the creative that it is over, and waits a while for it to be done.
    const end = (name, args, then = () => {}) => {
      if (phase === "gone") return then();
      whenOver.push(then);
      if (phase === "ending") return;
      // Nobody posts to one that hasn't said that it is there, or that it isn't ready.
      const canHear = isReady();
      phase = "ending";
      Object.values(cancels).forEach((cancel) => cancel());
      player.hide();
      if (!canHear) return unload();
      say("Player", name, args, (how) => {
        if (how === "timeout") refuse("slow", `${name} wasn't answered within ${times.end / 1000} s`, undefined, codes.slow);
        unload();
      }, times.end);
    };
    const fatal = (code, message) => {
      fail(code, message, true);
      player.halt();
      end("fatalError", { errorCode: code, errorMessage: message }, () => player.over("fatal"));
    };
    // Takes a creative away that isn't worth waiting for.
    const drop = (code, message) => {
      fail(code, message);
      unload();
    };

    // Beginning.
    const initialise = () => {
      phase = "created";
      cancels.session();
      const environmentData = { ...settings.environmentData, ...player.place(), ...player.sound() };
      say("Player", "init", { environmentData, creativeData: settings.creativeData }, (how, value) => {
        if (how === "timeout") return settings.nonLinear ? drop(codes.init, "the creative didn't reply to init") : settle();
        if (how === "reject") return drop(...reasonOf(value, "the creative rejected init"));
        phase = "ready";
        settle();
        start();
      }, times.init);
    };
    const reasonOf = (value, text) => {
      const code = number(member(value, "errorCode"));
      const reason = member(value, "message") ?? member(value, "reason") ?? member(value, "errorMessage");
      const isKnown = Number.isInteger(code) && code >= 1100 && code <= 1199;
      return [isKnown ? code : 1100, reason === undefined ? text : `${text}: ${cut(reason, 300)}`];
    };
    const start = () => {
      if (!hasPlayed || hasAskedToStart || phase !== "ready") return;
      hasAskedToStart = true;
      say("Player", "startCreative", undefined, (how, value) => {
        if (how === "timeout") return drop(codes.start, "the creative didn't reply to startCreative");
        if (how === "reject") return drop(...reasonOf(value, "the creative rejected startCreative"));
        if (phase !== "ready") return;
        phase = "started";
        player.show();
        log("visible", { from: "player" });
      }, settings.nonLinear ? times.init : undefined);
    };

    // Waits for a person, of which somebody who only looks on is told.
    const awaitPerson = () => {
      cancels.waits();
      cancels.waits = later(times.waits, () => tell("waits"));
    };

    const track = (message) => {
      const urls = member(message.args, "trackingUrls");
      if (!Array.isArray(urls) || urls.length === 0) return reject(message, codes.protocol, "trackingUrls is no list of addresses");
      if (urls.length > most.trackers) return reject(message, codes.function, `more than ${most.trackers} trackers at once`);
      const bad = urls.find((url) => !isWeb(url));
      if (bad !== undefined) return reject(message, codes.action, `${cut(JSON.stringify(bad), 200)} is no http or https address`);
      tell("simidTracking", { urls });
      resolve(message);
    };

    const click = (message) => {
      const opens = member(message.args, "playerHandles") === true;
      const url = member(message.args, "url");
      if (opens && !mayOpen(url)) {
        return reject(message, codes.navigation, url === undefined ? "there is no url to open" : `Invalid URL: ${cut(JSON.stringify(url), 200)}`);
      }
      if (now() - lastClick < times.clicks) return reject(message, codes.click, "this click has been reported");
      lastClick = now();
      const [x, y] = ["x", "y"].map((name) => number(member(message.args, name)));
      resolve(message);
      const detail = { opens, gesture: player.hasGesture() };
      if (mayOpen(url)) detail.url = url;
      if (Number.isFinite(x) && Number.isFinite(y)) Object.assign(detail, { x, y });
      tell("simidClick", detail);
    };

    const navigate = (message) => {
      const uri = member(message.args, "uri");
      if (!mayOpen(uri)) return reject(message, codes.address, `Invalid URL: ${cut(JSON.stringify(uri ?? null), 200)}`);
      navigations += 1;
      if (navigations > most.navigations) return reject(message, codes.navigations, `more than ${most.navigations} navigations`);
      resolve(message);
      tell("simidNavigation", { url: uri, gesture: player.hasGesture() });
    };

    const changeDuration = (message) => {
      const written = member(message.args, "duration");
      const duration = number(written);
      if (settings.nonLinear) return reject(message, codes.function, "a non-linear ad has no media to extend");
      if (typeof duration !== "number" || Number.isNaN(duration)) return reject(message, codes.protocol, "duration is no number");
      if (duration !== unlimited && !(duration > 0)) return reject(message, codes.time, "a duration is above 0, or -2 where it isn't known");
      if (duration > most.duration) return reject(message, codes.time, `more than ${most.duration} s`);
      if (typeof written === "string") flaw(message.type, "duration is a text; the standard has a number");
      wanted = duration;
      resolve(message);
      player.durationChanged();
      if (hasEnded) extend(); else passed();
    };

    const changeVolume = (message) => {
      const [volume, muted] = [number(member(message.args, "volume")), member(message.args, "muted")];
      const isVolume = typeof volume === "number" && volume >= 0 && volume <= 1;
      if (volume !== undefined && !isVolume) return reject(message, codes.protocol, "volume is no number from 0 to 1");
      if (muted !== undefined && typeof muted !== "boolean") return reject(message, codes.protocol, "muted is neither true nor false");
      if (volume === undefined && muted === undefined) return reject(message, codes.protocol, "neither volume nor muted is there");
      player.setVolume(volume, muted);
      resolve(message);
    };

    const fullScreen = (message, isWanted) => {
      const is = player.place().fullscreen;
      if (!player.canFullScreen) return reject(message, codes.function, is ? "the ad has the whole screen for good" : "there is no full screen");
      if (is === isWanted) return reject(message, codes.unspecified, is ? "it is in full screen" : "it isn't in full screen");
      if (fullScreenRequest) return reject(message, codes.unspecified, "a change of the screen is under way");
      fullScreenRequest = { message, isWanted };
      player.fullScreen();
    };

    const resize = (message) => {
      if (!settings.nonLinear) return reject(message, codes.function, "a linear ad fills its player");
      const wish = box(member(message.args, "creativeDimensions"));
      if (!wish) return reject(message, codes.protocol, "creativeDimensions has no x, y, width and height");
      if (isExpanded || !player.resize(wish)) return reject(message, codes.function, isExpanded ? "it is expanded" : "it doesn't fit into the player");
      resolve(message);
      resized();
    };

    const expand = (message) => {
      if (!settings.nonLinear) return reject(message, codes.function, "a linear ad fills its player");
      expansions += 1;
      if (expansions > most.expansions) return reject(message, codes.expansions, `more than ${most.expansions} expansions`);
      if (isExpanded) return reject(message, codes.unspecified, "it is expanded");
      isExpanded = true;
      player.expand();
      resolve(message, { creativeDimensions: player.place().creativeDimensions });
      resized();
      tell("simidExpanded", { expanded: true, gesture: player.hasGesture() });
      awaitPerson();
    };

    const collapse = () => {
      isExpanded = false;
      cancels.waits();
      player.collapse();
      tell("simidExpanded", { expanded: false });
    };

    const handlers = {
      clickThru: click,
      requestNavigation: navigate,
      reportTracking: track,
      requestChangeAdDuration: changeDuration,
      requestChangeVolume: changeVolume,
      requestResize: resize,
      expandNonlinear: expand,
      collapseNonlinear(message) {
        if (!settings.nonLinear) return reject(message, codes.function, "a linear ad has nothing to collapse");
        if (isExpanded) collapse();
        resolve(message);
        resized();
      },
      requestFullscreen(message) { fullScreen(message, true); },
      requestExitFullscreen(message) { fullScreen(message, false); },
      getMediaState(message) { resolve(message, player.film()); },
      log() {},
      fatalError(message) {
        fail(...reasonOf(message.args, "the creative gave up"), true);
        player.halt();
        whenOver.push(() => player.over("fatal"));
        unload();
      },
      requestPause(message) {
        if (settings.nonLinear) return reject(message, codes.function, "a non-linear ad pauses the content by expanding");
        if (!player.pause()) return reject(message, codes.unspecified, "the media is paused or over");
        resolve(message);
        awaitPerson();
      },
      requestPlay(message) {
        if (settings.nonLinear) return reject(message, codes.function, "a non-linear ad plays no media");
        if (!player.play()) return reject(message, codes.unspecified, "the media plays or is over");
        cancels.waits();
        resolve(message);
      },
      requestSkip(message) {
        if (settings.skippable !== "adHandles" || settings.nonLinear) {
          return reject(message, codes.function, `skippableState is ${settings.skippable}: the creative may not skip`);
        }
        player.hide();
        player.halt();
        resolve(message);
        end("adSkipped", undefined, () => player.over("skip"));
      },
      requestStop(message) {
        player.hide();
        player.halt();
        resolve(message);
        end("adStopped", { code: 4 }, () => player.over("stop"));
      },
    };

    // How far the ad has come, of what the creative asked for.
    const passed = () => {
      if (wanted === null || wanted === unlimited || hasEnded || !isReady()) return;
      if (player.film().currentTime < wanted) return;
      player.halt();
      end("adStopped", { code: 4 }, () => player.over("stop"));
    };
    const extend = () => {
      cancels.extension();
      if (wanted === unlimited) return awaitPerson();
      cancels.waits();
      const left = Math.max(0, (wanted - player.film().duration) * 1000 - (now() - endedAt));
      cancels.extension = later(left, () => end("adStopped", { code: 4 }));
    };

    const resized = () => { if (isReady()) say("Player", "resize", player.place()); };

    // Messages from the creative.
    const settleAnswer = (message) => {
      const id = member(message.args, "messageId");
      const entry = pending.get(id);
      if (!entry) return refuse("answer", `it answers message ${cut(JSON.stringify(id) ?? "without an id", 40)}, which nobody asked or which was answered`, message.type, codes.protocol);
      pending.delete(id);
      entry.cancel();
      const value = member(message.args, "value");
      log(message.type, { from: "creative", of: entry.name, to: id, id: message.id, value: kept(value) });
      entry.onAnswer(message.type, value);
    };

    const receiveRequest = (message) => {
      const handler = Object.hasOwn(handlers, message.name) ? handlers[message.name] : undefined;
      if (!handler) {
        refuse("type", `${cut(message.type, 100)} is no message of a creative's`, message.type, codes.protocol);
        if (isReady()) reject(message, codes.protocol, "the standard has no such message");
        return;
      }
      log(message.name, { from: "creative", type: cut(message.type, 100), id: message.id, args: kept(message.args) });
      if (phase === "created" && !early.has(message.name)) {
        refuse("early", `${message.name} came before init was resolved`, message.type, codes.initialising);
        return reject(message, codes.initialising, "init hasn't been resolved");
      }
      if (phase === "ending" && !late.has(message.name)) {
        refuse("late", `${message.name} came after the ad's end`, message.type);
        return silent.has(message.name) ? undefined : reject(message, codes.unspecified, "the ad is over");
      }
      handler(message);
    };

    const parse = (data) => {
      if (typeof data !== "string") return refuse("text", "the message is no text: the standard has JSON");
      if (data.length > bounds.length) return refuse("length", `the message has ${data.length} characters; ${bounds.length} are allowed`);
      let message;
      try {
        message = JSON.parse(data);
      } catch {
        return refuse("json", `the message is no JSON: ${cut(data, 100)}`);
      }
      const [type, id, sessionId] = ["type", "messageId", "sessionId"].map((name) => member(message, name));
      if (typeof type !== "string" || !isId(id) || typeof sessionId !== "string") {
        return refuse("shape", "the message lacks its type, messageId or sessionId", typeof type === "string" ? type : undefined);
      }
      if (sessionId === "" || sessionId.length > 200) return refuse("session", "the session id is empty or has more than 200 characters", type);
      return { type, id, sessionId, args: member(message, "args"), hasTime: Number.isFinite(member(message, "timestamp")) };
    };

    const open = (message) => {
      if (message.type !== "createSession") return refuse("session", `${cut(message.type, 100)} came before createSession`, message.type, codes.initialising);
      session = message.sessionId;
      last = message.id;
      log("createSession", { from: "creative", id: message.id, timing: { session } });
      message.name = "createSession";
      resolve(message);
      initialise();
    };

    const floods = () => {
      seen += 1;
      const time = now();
      if (time - second.since >= 1000) second = { since: time, count: 0 };
      second.count += 1;
      return second.count > bounds.second || seen > bounds.all;
    };

    const receive = (data) => {
      if (phase === "gone") return;
      if (floods()) {
        if (phase === "ending") return unload();
        const isMuch = seen > bounds.all;
        refuse("rate", isMuch ? `more than ${bounds.all} messages` : `more than ${bounds.second} messages in a second`, undefined, codes.overload);
        // What it floods the channel with isn't waited for.
        fatal(codes.overload, isMuch ? `it posted more than ${bounds.all} messages` : `it posted more than ${bounds.second} messages in a second`);
        return unload();
      }
      const message = parse(data);
      if (!message) return;
      if (phase === "waiting") return open(message);
      if (message.sessionId !== session) return refuse("session", "the session id isn't that of this session", message.type, codes.protocol);
      if (message.type === "createSession") return refuse("session", "the session has been created", message.type, codes.protocol);
      if (message.id <= last) flaw(message.type, `messageId ${message.id} comes after ${last}: ids count up by 1`);
      last = Math.max(last, message.id);
      if (!message.hasTime) flaw(message.type, "the message has no timestamp");
      if (message.type === "resolve" || message.type === "reject") return settleAnswer(message);
      const written = /^SIMID:Creative:([A-Za-z]+)$/.exec(message.type)?.[1] ?? "";
      message.name = Object.hasOwn(aliases, written) ? aliases[written] : written;
      if (message.name !== written) flaw(message.type, `${written} is ${message.name} in the standard`);
      receiveRequest(message);
    };

    cancels.session = later(times.session, () => {
      log("timeout", { from: "player", of: "createSession", seconds: times.session / 1000 });
      if (settings.nonLinear) drop(codes.session, "the creative created no session"); else settle();
    });

    return {
      // Whether nothing of it is left.
      get isGone() { return phase === "gone"; },
      get isStarted() { return phase === "started"; },
      get isExpanded() { return isExpanded; },
      // Seconds that the ad is to last; null as long as its film, -2 for nobody knows.
      get duration() { return wanted; },
      receive,
      // A message of another window than the creative's.
      stranger() {
        strangers += 1;
        if (strangers <= bounds.strangers) log("refused", { from: "stranger", reason: "window", message: "a message of another window than the creative's" });
      },
      media(name, args) { if (isReady()) say("Media", name, args); },
      // The film shows for the first time.
      begins() {
        hasPlayed = true;
        start();
      },
      passed,
      // The film has come to its end; `then` once the creative is over as well, which is true right away for most.
      ended(then) {
        if (phase === "gone") return then();
        // A film that was put back for a picture comes to its end again.
        whenOver.push(then);
        if (hasEnded) return;
        hasEnded = true;
        endedAt = now();
        if (phase === "waiting") fail(codes.session, "the creative created no session");
        if (phase === "created") fail(codes.init, "the creative didn't reply to init");
        if (phase === "ready") fail(codes.start, "the creative didn't reply to startCreative");
        if (phase === "ending") return;
        if (phase !== "started") return unload();
        say("Media", "ended");
        if (wanted === null || (wanted !== unlimited && wanted <= player.film().duration)) return end("adStopped", { code: 2 });
        log("extended", wanted === unlimited ? { from: "player", unlimited: true } : { from: "player", to: wanted });
        extend();
      },
      skip(then) { end("adSkipped", undefined, then); },
      // 0 unspecified, 1 person, 2 media's end, 3 player, 4 creative, 5 non-linear duration
      stop(code, then) { end("adStopped", { code }, then); },
      fatal,
      // The film broke, which the player tells by itself.
      mediaFailed(error, message) {
        if (isReady()) say("Media", "error", { error, message });
        end("fatalError", { errorCode: codes.media, errorMessage: message });
      },
      resized,
      collapse() {
        if (!isExpanded || !isReady()) return;
        say("Player", "collapseNonlinear");
        collapse();
        resized();
      },
      foreground(isForeground) { if (isReady()) say("Player", isForeground ? "appForegrounded" : "appBackgrounded"); },
      // The host has changed the screen, whoever wanted it.
      fullScreenChanged(isFull) {
        const request = fullScreenRequest;
        fullScreenRequest = null;
        if (request && phase !== "gone") {
          if (request.isWanted === isFull) resolve(request.message); else reject(request.message, codes.unspecified, "the screen didn't change");
        }
        resized();
      },
    };
  };
})();
