// Keeps a picture from being a frame of the page's: taking one draws the page once more at the same instant, and the
// engine calls what waits for the next frame. Runs in every frame before the page, where time is stepped.
(() => {
  "use strict";
  const { Map } = window;
  const apply = Function.prototype.call.bind(Function.prototype.call);
  const [get, set, remove] = [Map.prototype.get, Map.prototype.set, Map.prototype.delete]
    .map((method) => Function.prototype.call.bind(method));
  const [request, cancel] = [window.requestAnimationFrame, window.cancelAnimationFrame];
  // The instant of the frame that was drawn last, how many were, and what the engine calls a request that was put off.
  let instant = -1;
  let frames = 0;
  const waiting = new Map();

  const ask = (owner, callback) => {
    const asked = frames;
    let name;
    const run = (now) => {
      if (now !== instant) {
        instant = now;
        frames += 1;
      }
      if (asked === frames) return set(waiting, name, apply(request, owner, run));
      remove(waiting, name);
      return apply(callback, undefined, now);
    };
    name = apply(request, owner, run);
    set(waiting, name, name);
    return name;
  };
  // What is wrong with a call is the engine's to say.
  for (const prefix of ["request", "webkitRequest"]) {
    natives.method(window, `${prefix}AnimationFrame`, (native, self, values) =>
      (typeof values[0] === "function" ? ask(self, values[0]) : apply(request, self, ...values)));
  }
  for (const name of ["cancelAnimationFrame", "webkitCancelAnimationFrame", "webkitCancelRequestAnimationFrame"]) {
    natives.method(window, name, (native, self, values) => {
      const own = get(waiting, values[0]);
      remove(waiting, values[0]);
      return values.length === 0 ? apply(cancel, self) : apply(cancel, self, own ?? values[0]);
    });
  }
})();
