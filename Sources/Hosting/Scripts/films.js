// Films and sounds in stepped time; runs in every frame before the page.
// The engine's media stack lives in the machine's time. So there an element never plays: its position is counted here, in
// the page's time, and shown by seeking to it four times a second and for each picture. To stop one that has just begun
// to play wouldn't do: the engine's threads may then wait for each other for ever.
(() => {
  "use strict";
  const link = __GALLEY_LINK__("films");
  const { WeakMap, WeakSet, Set, Event, Promise, DOMException, HTMLMediaElement, HTMLSourceElement, HTMLVideoElement } = window;
  const bound = (method) => Function.prototype.call.bind(method);
  const [delay, undelay] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)];
  const time = performance.now.bind(performance);
  const Media = HTMLMediaElement.prototype;
  const property = (name) => Object.getOwnPropertyDescriptor(Media, name);
  const native = { play: bound(Media.play), pause: bound(Media.pause), load: bound(Media.load) };
  for (const name of ["currentTime", "playbackRate", "src"]) {
    native[name] = { get: bound(property(name).get), set: bound(property(name).set) };
  }
  for (const name of ["duration", "loop", "paused", "ended", "readyState", "error", "autoplay", "networkState"]) native[name] = { get: bound(property(name).get) };
  const dispatch = bound(EventTarget.prototype.dispatchEvent);
  const listen = bound(EventTarget.prototype.addEventListener);
  const isConnected = bound(Object.getOwnPropertyDescriptor(Node.prototype, "isConnected").get);
  const rootOf = bound(Node.prototype.getRootNode);
  const parentOf = bound(Object.getOwnPropertyDescriptor(Node.prototype, "parentNode").get);
  const [has, get, set] = [WeakMap.prototype.has, WeakMap.prototype.get, WeakMap.prototype.set].map(bound);
  const [add, drop] = [Set.prototype.add, Set.prototype.delete].map(bound);
  const stop = bound(Event.prototype.stopImmediatePropagation);
  const interval = 250;

  const runs = new WeakMap();
  const playing = new Set();
  const say = (what) => link(`film-${what}`);

  // What of an element has begun in the machine's time and not ended: time waits for it.
  const begin = (run, what) => { if (!run.waits[what]) { run.waits[what] = true; say("waits"); } };
  const end = (run, what) => { if (run.waits[what]) { run.waits[what] = false; say("goes-on"); } };

  const runOf = (film) => {
    if (!has(runs, film)) {
      const run = { isWanted: false, isPlaying: false, isOver: false, isOwn: false, position: 0, since: 0, emptying: 0, waits: {}, promises: [] };
      set(runs, film, run);
      // What happens to one that isn't in the document itself doesn't come by the window.
      if (rootOf(film) !== document) for (const name of heard) listen(film, name, hear, true);
    }
    return get(runs, film);
  };
  const length = (film) => { const value = native.duration.get(film); return value > 0 ? value : Infinity; };
  const position = (film, run) => {
    if (!run.isPlaying) return run.position;
    const passed = (time() - run.since) / 1000 * native.playbackRate.get(film);
    return Math.max(0, Math.min(length(film), run.position + passed));
  };
  const tell = (film, name) => delay(() => dispatch(film, new Event(name)), 0);

  // The last picture is a moment before the end.
  const show = (film, run) => {
    if (!(film instanceof HTMLVideoElement)) return;
    const wanted = Math.max(0, Math.min(position(film, run), length(film) - 0.001));
    if (Math.abs(native.currentTime.get(film) - wanted) < 0.0005) return;
    run.isOwn = true;
    begin(run, "seek");
    native.currentTime.set(film, wanted);
  };

  const schedule = (film, run) => {
    undelay(run.timer);
    if (!run.isPlaying) return;
    const left = (length(film) - position(film, run)) * 1000 / (native.playbackRate.get(film) || 1);
    run.timer = delay(() => tick(film, run), Math.max(0, Math.min(interval, left)));
  };
  const rebase = (film, run, value) => {
    run.position = value;
    run.since = time();
  };
  const halt = (film, run) => {
    rebase(film, run, position(film, run));
    run.isWanted = false;
    run.isPlaying = false;
    drop(playing, film);
    undelay(run.timer);
  };
  const tick = (film, run) => {
    if (run.wasConnected && !isConnected(film)) return Media.pause.call(film);
    if (position(film, run) >= length(film) - 0.0005) return finish(film, run);
    show(film, run);
    dispatch(film, new Event("timeupdate"));
    schedule(film, run);
  };
  const finish = (film, run) => {
    if (native.loop.get(film)) {
      rebase(film, run, 0);
      show(film, run);
      dispatch(film, new Event("timeupdate"));
      return schedule(film, run);
    }
    halt(film, run);
    run.isOver = true;
    show(film, run);
    for (const name of ["timeupdate", "pause", "ended"]) dispatch(film, new Event(name));
  };

  const want = (film, run) => {
    if (run.isOver) {
      run.isOver = false;
      rebase(film, run, 0);
      show(film, run);
    }
    run.isWanted = true;
    run.hasBegun = true;
    run.wasConnected = isConnected(film);
    begin(run, "play");
    tell(film, "play");
    if (native.readyState.get(film) >= 3) goOn(film, run);
  };
  const goOn = (film, run) => {
    end(run, "play");
    run.isPlaying = true;
    rebase(film, run, run.position);
    add(playing, film);
    tell(film, "playing");
    for (const { done } of run.promises.splice(0)) done();
    schedule(film, run);
  };
  const giveUp = (run) => {
    end(run, "play");
    for (const { fail } of run.promises.splice(0)) fail(new DOMException("The operation was aborted.", "AbortError"));
  };
  const forget = (film, run) => {
    halt(film, run);
    Object.assign(run, { hasBegun: false, isOver: false, isOwn: false, position: 0 });
  };

  // From here on the element is a new film's, though it says so later, when it may have been told to play that.
  const reload = (film) => {
    const run = runOf(film);
    if (native.networkState.get(film) !== 0) run.emptying += 1;
    empty(film, run);
  };
  const empty = (film, run) => {
    forget(film, run);
    giveUp(run);
    end(run, "seek");
  };

  const acts = {
    // An element that has been paused doesn't begin by itself.
    loadstart: (film, run) => {
      native.pause(film);
      begin(run, "load");
    },
    emptied: (film, run) => {
      if (run.emptying > 0) run.emptying -= 1;
      else empty(film, run);
    },
    error: (film, run) => {
      giveUp(run);
      for (const what of ["load", "seek"]) end(run, what);
    },
    canplay: (film, run) => {
      if (run.isWanted && !run.isPlaying) goOn(film, run);
      else if (native.autoplay.get(film) && !run.hasBegun) want(film, run);
    },
    seeking: (film, run) => { begin(run, "seek"); return run.isOwn; },
    seeked: (film, run) => {
      const wasOwn = run.isOwn;
      run.isOwn = false;
      end(run, "seek");
      return wasOwn;
    },
    timeupdate: (film, run) => run.isPlaying || run.isOwn || run.isOver,
    waiting: (film, run) => run.isPlaying,
    ended: (film, run) => run.isOver || run.isPlaying,
  };
  for (const name of ["loadeddata", "suspend", "abort", "stalled"]) acts[name] = (film, run) => end(run, "load");
  const heard = Object.keys(acts);
  const handled = new WeakSet();
  // A source that can't be played says so itself; the film waits for another then, and time doesn't if there is none.
  const hearSource = ({ type, target }) => {
    const film = target instanceof HTMLSourceElement ? parentOf(target) : null;
    if (type !== "error" || !(film instanceof HTMLMediaElement) || native.networkState.get(film) !== 3) return;
    for (const what of ["load", "play", "seek"]) end(runOf(film), what);
  };
  const hear = (event) => {
    if (!event.isTrusted || handled.has(event)) return;
    if (!(event.target instanceof HTMLMediaElement)) return hearSource(event);
    handled.add(event);
    if (acts[event.type](event.target, runOf(event.target)) === true) stop(event);
  };
  for (const name of heard) listen(window, name, hear, true);

  // The host asks for pictures of this instant, or whether a film plays.
  listen(window, "__GALLEY_FILMS__", (event) => {
    stop(event);
    if (event.target instanceof HTMLMediaElement) {
      if (has(runs, event.target) && get(runs, event.target).isPlaying) event.preventDefault();
    } else {
      for (const film of playing) show(film, get(runs, film));
    }
  }, true);

  const replace = (name, twin) => natives.members(Media, name, twin);
  const known = (film) => (film instanceof HTMLMediaElement && has(runs, film) ? get(runs, film) : null);
  replace("play", {
    play() {
      // What is wrong with a call is the engine's to say; otherwise everything may play, as there.
      if (!(this instanceof HTMLMediaElement) || native.error.get(this)) return native.play(this);
      const run = runOf(this);
      if (run.isPlaying) return Promise.resolve();
      if (native.readyState.get(this) < 3 && this.preload !== "auto") this.preload = "auto";
      const promise = new Promise((done, fail) => run.promises.push({ done, fail }));
      if (!run.isWanted) want(this, run);
      return promise;
    },
  });
  replace("pause", {
    pause() {
      const run = known(this);
      if (run) run.hasBegun = true;
      if (!run || !run.isWanted) return native.pause(this);
      halt(this, run);
      giveUp(run);
      show(this, run);
      tell(this, "timeupdate");
      tell(this, "pause");
    },
  });
  replace("load", {
    load() {
      if (this instanceof HTMLMediaElement) reload(this);
      native.load(this);
    },
  });
  replace("src", {
    get src() { return native.src.get(this); },
    set src(value) {
      if (this instanceof HTMLMediaElement) reload(this);
      native.src.set(this, value);
    },
  });
  replace("paused", { get paused() { const run = known(this); return run ? !run.isWanted : native.paused.get(this); } });
  replace("ended", { get ended() { const run = known(this); return run && (run.isPlaying || run.isOver) ? run.isOver : native.ended.get(this); } });
  replace("currentTime", {
    get currentTime() {
      const run = known(this);
      return run && (run.isPlaying || run.isOver || run.isOwn) ? position(this, run) : native.currentTime.get(this);
    },
    set currentTime(value) {
      native.currentTime.set(this, value);
      const run = known(this);
      if (!run) return;
      run.isOwn = false;
      run.isOver = false;
      rebase(this, run, Math.max(0, Math.min(length(this), Number(value))));
      schedule(this, run);
    },
  });
  replace("playbackRate", {
    get playbackRate() { return native.playbackRate.get(this); },
    set playbackRate(value) {
      const run = known(this);
      if (run && run.isPlaying) rebase(this, run, position(this, run));
      native.playbackRate.set(this, value);
      if (run) schedule(this, run);
    },
  });
})();
