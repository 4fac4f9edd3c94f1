// Web Audio in stepped time; runs in every frame before the page.
// The engine mixes sounds in the machine's time. So there a context never runs and what a page starts is never begun: how
// far a context has come and when its sources end is counted here, in the page's time. Decoding and mixing without a
// device, which the engine does as fast as it can, are its own.
(() => {
  "use strict";
  const { AudioContext, BaseAudioContext, AudioNode, AudioScheduledSourceNode, AudioBufferSourceNode } = window;
  if (!AudioContext || !AudioScheduledSourceNode) return;
  const { Event, Promise, Reflect, Object, WeakMap, Set, Math } = window;
  const bound = (method) => Function.prototype.call.bind(method);
  const property = (owner, name) => Object.getOwnPropertyDescriptor(owner.prototype, name);
  const getter = (owner, name) => bound(property(owner, name).get);
  const method = (owner, name) => bound(owner.prototype[name]);
  const [delay, undelay] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)];
  const time = performance.now.bind(performance);
  const [has, get, set] = [WeakMap.prototype.has, WeakMap.prototype.get, WeakMap.prototype.set].map(bound);
  const [add, drop, holds] = [Set.prototype.add, Set.prototype.delete, Set.prototype.has].map(bound);
  const each = bound(Set.prototype.forEach);
  const dispatch = bound(EventTarget.prototype.dispatchEvent);
  const listen = bound(EventTarget.prototype.addEventListener);
  const stop = bound(Event.prototype.stopImmediatePropagation);
  const handled = bound(Promise.prototype.catch);
  const native = {
    state: getter(BaseAudioContext, "state"),
    currentTime: getter(BaseAudioContext, "currentTime"),
    sampleRate: getter(BaseAudioContext, "sampleRate"),
    context: getter(AudioNode, "context"),
    resume: method(AudioContext, "resume"),
    suspend: method(AudioContext, "suspend"),
    close: method(AudioContext, "close"),
    outputTimestamp: AudioContext.prototype.getOutputTimestamp && method(AudioContext, "getOutputTimestamp"),
    start: method(AudioScheduledSourceNode, "start"),
    startBuffer: method(AudioBufferSourceNode, "start"),
    stop: method(AudioScheduledSourceNode, "stop"),
    buffer: getter(AudioBufferSourceNode, "buffer"),
    duration: getter(AudioBuffer, "duration"),
    loop: getter(AudioBufferSourceNode, "loop"),
    playbackRate: getter(AudioBufferSourceNode, "playbackRate"),
    detune: getter(AudioBufferSourceNode, "detune"),
    value: getter(AudioParam, "value"),
  };
  // Contexts count in blocks of so many samples.
  const block = 128;
  // In the engine's own time, which a context that doesn't run never comes to.
  const never = 1e9;

  const contexts = new WeakMap();
  const sources = new WeakMap();

  const now = (context, run) => {
    const passed = run.state === "running" ? (time() - run.since) / 1000 : 0;
    const length = block / native.sampleRate(context);
    // A hair more, since milliseconds make no whole number of blocks.
    return Math.floor((run.come + passed) / length + 1e-6) * length;
  };

  // When a source ends, in its context's time.
  const end = (source, played) => Math.min(played.stop, played.from + played.length);
  const schedule = (context, run, source) => {
    const played = get(sources, source);
    undelay(played.timer);
    if (run.state !== "running" || end(source, played) === Infinity) return;
    played.timer = delay(() => {
      drop(run.sources, source);
      dispatch(source, new Event("ended"));
    }, Math.max(0, (end(source, played) - run.come) * 1000 - (time() - run.since)));
  };

  const become = (context, run, state) => {
    if (run.state === state || run.state === "closed") return;
    run.come = now(context, run);
    run.since = time();
    run.state = state;
    each(run.sources, (source) => schedule(context, run, source));
    delay(() => dispatch(context, new Event("statechange")), 0);
  };
  // In a task of its own, and as what was asked for last has it. A promise waits until its state has come.
  const change = (context, run, state) => {
    if (state === "running" && run.isLocked && !natives.maySound()) {
      // For ever, or until a person touches the ad and it asks again.
      return new Promise((done) => { run.waiting = [...run.waiting, { state, done }]; });
    }
    run.wanted = state;
    if (state === "running") run.isLocked = false;
    return new Promise((done) => {
      run.waiting = [...run.waiting, { state, done }];
      delay(() => {
        become(context, run, run.wanted);
        const isKept = (one) => one.state === run.state;
        const kept = run.waiting.filter(isKept);
        run.waiting = run.waiting.filter((one) => !isKept(one));
        for (const one of kept) one.done();
      }, 0);
    });
  };

  const adopt = (context) => {
    const run = { state: "suspended", wanted: "suspended", come: 0, since: time(), sources: new Set(), waiting: [], isLocked: true };
    set(contexts, context, run);
    // What happens to the engine's is nothing to the page.
    listen(context, "statechange", (event) => { if (event.isTrusted) stop(event); }, true);
    handled(native.suspend(context), () => {});
    if (natives.maySound()) change(context, run, "running");
  };
  const known = (context) => (has(contexts, context) ? get(contexts, context) : null);
  const open = (context) => { const run = known(context); return run && run.wanted !== "closed" ? run : null; };

  const define = (owner, name, twin) => natives.members(owner.prototype, name, twin);
  define(BaseAudioContext, "state", { get state() { const run = known(this); return run ? run.state : native.state(this); } });
  define(BaseAudioContext, "currentTime", {
    get currentTime() { const run = known(this); return run ? now(this, run) : native.currentTime(this); },
  });
  define(AudioContext, "resume", {
    resume() { const run = open(this); return run ? change(this, run, "running") : native.resume(this); },
  });
  define(AudioContext, "suspend", {
    suspend() { const run = open(this); return run ? change(this, run, "suspended") : native.suspend(this); },
  });
  define(AudioContext, "close", {
    close() {
      const run = open(this);
      if (!run) return native.close(this);
      handled(native.close(this), () => {});
      return change(this, run, "closed");
    },
  });
  if (native.outputTimestamp) {
    define(AudioContext, "getOutputTimestamp", {
      getOutputTimestamp() {
        const run = known(this);
        return run ? { contextTime: now(this, run), performanceTime: time() } : native.outputTimestamp(this);
      },
    });
  }

  // What is wrong with a call is the engine's to say.
  const far = (rest) => (rest.length === 0 || rest[0] >= 0 ? [never, ...rest.slice(1)] : rest);
  const begin = (source, rest, length) => {
    const context = native.context(source);
    const run = known(context);
    set(sources, source, { from: Math.max(now(context, run), Number(rest[0] || 0)), stop: Infinity, length });
    add(run.sources, source);
    schedule(context, run, source);
    if (run.isLocked && natives.maySound()) change(context, run, "running");
  };
  const isCounted = (source, owner) => source instanceof owner && has(contexts, native.context(source));
  const lengthOf = (source, [, offset = 0, duration = Infinity]) => {
    const buffer = native.buffer(source);
    const speed = native.value(native.playbackRate(source)) * 2 ** (native.value(native.detune(source)) / 1200);
    const left = buffer && !native.loop(source) ? Math.max(0, native.duration(buffer) - offset) : Infinity;
    return speed > 0 ? Math.min(left, duration) / speed : Infinity;
  };
  define(AudioScheduledSourceNode, "start", {
    start(...rest) {
      if (!isCounted(this, AudioScheduledSourceNode)) return native.start(this, ...rest);
      native.start(this, ...far(rest));
      begin(this, rest, Infinity);
    },
  });
  define(AudioBufferSourceNode, "start", {
    start(...rest) {
      if (!isCounted(this, AudioBufferSourceNode)) return native.startBuffer(this, ...rest);
      native.startBuffer(this, ...far(rest));
      begin(this, rest, lengthOf(this, rest));
    },
  });
  define(AudioScheduledSourceNode, "stop", {
    stop(...rest) {
      if (!isCounted(this, AudioScheduledSourceNode)) return native.stop(this, ...rest);
      native.stop(this, ...far(rest));
      const played = get(sources, this), context = native.context(this), run = known(context);
      played.stop = Math.max(now(context, run), Number(rest[0] || 0));
      if (holds(run.sources, this)) schedule(context, run, this);
    },
  });

  const twin = natives.maker(window, "AudioContext", (target, rest, made) => {
    const context = Reflect.construct(target, rest, made);
    adopt(context);
    return context;
  });
  if (window.webkitAudioContext === AudioContext) {
    const { defineProperty, getOwnPropertyDescriptor } = Object;
    const known = getOwnPropertyDescriptor(window, "webkitAudioContext");
    defineProperty(window, "webkitAudioContext", { __proto__: null, ...known, value: twin });
  }
})();
