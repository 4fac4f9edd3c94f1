// Tells the host whether the page has put something off, as slides do that change by timers alone. Runs in every frame
// before the page, where time is stepped.
(() => {
  "use strict";
  const bound = (method) => Function.prototype.call.bind(method);
  const apply = bound(Function.prototype.apply);
  const [listen, keep, stop] = [
    EventTarget.prototype.addEventListener, Event.prototype.preventDefault, Event.prototype.stopImmediatePropagation,
  ].map(bound);
  const time = performance.now.bind(performance);
  const { max } = Math;
  // Milliseconds: what is asked for sooner or over and over is a poll, and what comes later isn't waited for.
  const shortest = { setTimeout: 500, setInterval: 1500 };
  const longest = 15000;
  let latest = -Infinity;

  const put = (native, owner, words, least, isRepeated) => {
    const number = apply(native, owner, words);
    const delay = words[1];
    // What is no number the engine alone turns into one: an object would notice the second time.
    if (typeof delay === "number" && delay >= least && delay <= longest) {
      latest = isRepeated ? Infinity : max(latest, time() + delay);
    }
    return number;
  };
  const watch = (name, isRepeated) => natives.method(window, name, (native, self, values) =>
    put(native, self, values, shortest[name], isRepeated));
  watch("setTimeout", false);
  watch("setInterval", true);
  listen(window, "__GALLEY_TIMERS__", (event) => {
    stop(event);
    if (latest > time()) keep(event);
  }, true);
})();
