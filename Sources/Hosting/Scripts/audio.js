// Web Audio as web views have it: silent until a person touches the ad, unless the container lets sounds begin by
// themselves. Says whether something can be heard. Runs in every frame before the page, after `sounds.js`.
(() => {
  "use strict";
  const isStepped = __GALLEY_STEPPED__;
  const { AudioContext, AudioNode, AudioScheduledSourceNode, AudioBufferSourceNode, AudioDestinationNode } = window;
  if (!AudioContext || !AudioScheduledSourceNode) return;
  const { GainNode, AudioParam, AudioBuffer, BaseAudioContext, ConstantSourceNode, Promise, WeakMap, Set, Math } = window;
  const { apply, construct } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const bound = (method) => Function.prototype.call.bind(method);
  const getter = (type, name) => bound(getOwnPropertyDescriptor(type.prototype, name).get);
  const [has, get, set, forget] = ["has", "get", "set", "delete"].map((name) => bound(WeakMap.prototype[name]));
  const [add, drop, each] = [Set.prototype.add, Set.prototype.delete, Set.prototype.forEach].map(bound);
  const sizeOf = getter(Set, "size");
  const then = bound(Promise.prototype.then);
  const contextOf = getter(AudioNode, "context");
  const stateOf = getter(BaseAudioContext, "state");
  const timeOf = getter(BaseAudioContext, "currentTime");
  const bufferOf = getter(AudioBufferSourceNode, "buffer");
  const loops = getter(AudioBufferSourceNode, "loop");
  const durationOf = getter(AudioBuffer, "duration");
  const channels = getter(AudioBuffer, "numberOfChannels");
  const samplesOf = bound(AudioBuffer.prototype.getChannelData);
  const gainOf = getter(GainNode, "gain");
  const valueOf = getter(AudioParam, "value");
  const most = 4096;

  // What a person's ears would be reached by: sources that have begun, what is joined to what, and gains over time.
  const started = new Set();
  const joined = new WeakMap();
  const courses = new WeakMap();
  const note = (map, key, value) => {
    if (!has(map, key)) set(map, key, new Set());
    if (sizeOf(get(map, key)) < most) add(get(map, key), value);
  };
  natives.method(AudioNode.prototype, "connect", (native, self, values) => {
    const result = apply(native, self, values);
    if (values[0] instanceof AudioNode) note(joined, self, values[0]);
    return result;
  });
  natives.method(AudioNode.prototype, "disconnect", (native, self, values) => {
    const result = apply(native, self, values);
    if (has(joined, self)) {
      if (values[0] instanceof AudioNode) drop(get(joined, self), values[0]);
      else set(joined, self, new Set());
    }
    return result;
  });
  const begin = (source, values) => {
    if (!(contextOf(source) instanceof AudioContext) || sizeOf(started) >= most) return;
    const from = Math.max(timeOf(contextOf(source)), Number(values[0] || 0));
    let until = Infinity;
    if (source instanceof AudioBufferSourceNode && bufferOf(source) && !loops(source)) {
      until = from + Math.min(durationOf(bufferOf(source)), values[2] === undefined ? Infinity : Number(values[2]));
    }
    add(started, { __proto__: null, source, from, until });
  };
  for (const type of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
    natives.method(type.prototype, "start", (native, self, values) => {
      const result = apply(native, self, values);
      begin(self, values);
      const resumed = unlock(contextOf(self));
      if (resumed !== null) then(resumed, () => {}, () => {});
      return result;
    });
  }
  natives.method(AudioScheduledSourceNode.prototype, "stop", (native, self, values) => {
    const result = apply(native, self, values);
    const end = Math.max(timeOf(contextOf(self)), Number(values[0] || 0));
    each(started, (one) => { if (one.source === self) one.until = Math.min(one.until, end); });
    return result;
  });
  const automations = ["setValueAtTime", "linearRampToValueAtTime", "exponentialRampToValueAtTime", "setTargetAtTime"];
  for (const name of automations) {
    natives.method(AudioParam.prototype, name, (native, self, values) => {
      const result = apply(native, self, values);
      note(courses, self, { __proto__: null, value: Number(values[0]), time: Number(values[1]), isRamp: name[0] !== "s" });
      return result;
    });
  }
  natives.setter(AudioParam.prototype, "value", (native, self, values) => {
    set(courses, self, new Set());
    return apply(native, self, values);
  });

  const isLoud = (param, now) => {
    let [value, last, isRamping] = [valueOf(param), -Infinity, false];
    if (has(courses, param)) {
      each(get(courses, param), (one) => {
        if (one.time <= now && one.time >= last) [value, last] = [one.value, one.time];
        if (one.time > now && one.isRamp && one.value > 0) isRamping = true;
      });
    }
    return isRamping || value > 0;
  };
  const reaches = (node, now, seen) => {
    let isHeard = false;
    if (!has(joined, node) || has(seen, node)) return false;
    set(seen, node, true);
    each(get(joined, node), (next) => {
      if (isHeard) return;
      if (next instanceof AudioDestinationNode) isHeard = true;
      else if (!(next instanceof GainNode) || isLoud(gainOf(next), now)) isHeard = reaches(next, now, seen);
    });
    return isHeard;
  };
  // What unlocks a player's sound is a buffer with nothing in it.
  const hasSound = (source) => {
    if (source instanceof ConstantSourceNode) return false;
    if (!(source instanceof AudioBufferSourceNode)) return true;
    const buffer = bufferOf(source);
    if (!buffer) return false;
    for (let channel = 0; channel < channels(buffer); channel += 1) {
      const samples = samplesOf(buffer, channel);
      const step = Math.max(1, Math.floor(samples.length / 100000));
      for (let at = 0; at < samples.length; at += step) if (Math.abs(samples[at]) > 0.0005) return true;
    }
    return false;
  };
  const isHeard = ({ source, from, until }) => {
    const context = contextOf(source);
    const now = timeOf(context);
    return stateOf(context) === "running" && now >= from && now < until && hasSound(source) && reaches(source, now, new WeakMap());
  };
  const { preventDefault, stopImmediatePropagation } = Event.prototype;
  apply(EventTarget.prototype.addEventListener, window, ["__GALLEY_SOUNDS__", (event) => {
    apply(stopImmediatePropagation, event, []);
    let isAnyHeard = false;
    each(started, (one) => {
      if (timeOf(contextOf(one.source)) >= one.until || stateOf(contextOf(one.source)) === "closed") drop(started, one);
      else if (!isAnyHeard) isAnyHeard = isHeard(one);
    });
    if (isAnyHeard) apply(preventDefault, event, []);
  }, true]);

  // In stepped time `sounds.js` runs the contexts, and holds them itself.
  const held = new WeakMap();
  const unlock = (context) => {
    if (!has(held, context) || !natives.maySound()) return null;
    const { waiting, resume } = get(held, context);
    forget(held, context);
    return then(apply(resume, context, []), () => { each(waiting, (done) => done()); });
  };
  if (isStepped) return;
  const suspend = bound(AudioContext.prototype.suspend);
  const { resume } = AudioContext.prototype;
  natives.method(AudioContext.prototype, "resume", (native, self, values) => {
    if (!has(held, self)) return apply(native, self, values);
    return unlock(self) ?? new Promise((done) => { add(get(held, self).waiting, done); });
  });
  const twin = natives.maker(window, "AudioContext", (target, values, made) => {
    const context = construct(target, values, made);
    if (!natives.maySound()) {
      set(held, context, { waiting: new Set(), resume });
      then(suspend(context), () => {}, () => {});
    }
    return context;
  });
  if (window.webkitAudioContext === AudioContext) {
    const known = getOwnPropertyDescriptor(window, "webkitAudioContext");
    defineProperty(window, "webkitAudioContext", { __proto__: null, ...known, value: twin });
  }
})();
