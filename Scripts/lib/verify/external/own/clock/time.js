// A page's own time as the clock of tests that were written for a fake one: to run it for a while is to wait.
class Skip extends Error {
  constructor(reason) {
    super(reason);
    // A test may catch it, or nobody may, as in a timer.
    Skip.reason ??= reason;
  }
}
const control = () => { throw new Skip("sets or inspects a fake clock; there is none"); };
const own = {
  setTimeout: window.setTimeout.bind(window), now: performance.now.bind(performance), Date: window.Date,
};

// What was asked for and hasn't come: intervals until they are cleared. What a test leaves would go on for all others.
const pending = new Map();
// Errors of timers, which come to the page as well.
const thrown = [];
addEventListener("error", (event) => {
  event.preventDefault();
  if (!thrown.includes(event.error)) thrown.push(event.error);
});
addEventListener("unhandledrejection", (event) => event.preventDefault());
let listeners = [];
const nextComes = () => new Promise((resolve) => listeners.push(resolve));
// Waits that go on: a fake clock takes a delay of 0 for one of 1 meanwhile.
let waits = 0;
for (const [start, stop, space] of [
  ["setTimeout", "clearTimeout", "timer"], ["setInterval", "clearInterval", "timer"],
  ["requestAnimationFrame", "cancelAnimationFrame", "frame"], ["requestIdleCallback", "cancelIdleCallback", "idle"],
]) {
  if (!window[start]) continue;
  const [begin, end] = [window[start].bind(window), window[stop].bind(window)];
  window[start] = (...args) => {
    const [callback, ...rest] = args;
    if (typeof callback !== "function") return begin(...args);
    const id = begin(function (...given) {
      if (start === "setInterval") pending.get(space + id).due += Math.max(delay, 1);
      else pending.delete(space + id);
      try {
        return callback.apply(this, given);
      } catch (error) {
        thrown.push(error);
        throw error;
      } finally {
        listeners.splice(0).forEach((listener) => listener());
      }
    }, ...rest);
    const delay = space === "timer" ? (rest[0] > 0 && rest[0] < 2 ** 31 ? Number(rest[0]) : 0) : Infinity;
    pending.set(space + id, { due: own.now() + (delay || (waits > 0 ? 1 : 0)), stop: () => end(id) });
    return id;
  };
  window[stop] = (id) => { pending.delete(space + id); return end(id); };
}
function stopAll() {
  for (const timer of pending.values()) timer.stop();
  pending.clear();
}

function makeClock(epoch = 0) {
  const began = own.now(), beganDay = own.Date.now();
  const passed = () => {
    // To a millionth of a second: a difference of binary fractions has more digits.
    const passed = Math.round((own.now() - began) * 1000) / 1000;
    // A day is cut to milliseconds, at both ends.
    if (Math.abs(own.Date.now() - beganDay - passed) > 1.01) throw new Error("Date and performance.now part");
    return passed;
  };
  // To the millisecond that is meant: a page's time doesn't begin at a whole one.
  const now = () => Math.round(passed()) + epoch;
  const shifted = (...args) => (args.length ? args : [now()]);
  const clock = {
    Date: new Proxy(own.Date, {
      construct: (target, args, kind) => Reflect.construct(target, shifted(...args), kind),
      apply: () => new own.Date(now()).toString(),
      get: (target, name) => (name === "now" ? now : target[name]),
    }),
    now,
    performance: { now: passed, timeOrigin: performance.timeOrigin },
    async runFor(time) {
      const wait = milliseconds(time);
      if (wait < 0) throw new TypeError("Negative ticks are not supported");
      if (wait > 3_600_000) throw new Skip("lasts longer than an hour, and every frame would run");
      const end = own.now() + wait;
      waits += 1;
      await new Promise((resolve) => own.setTimeout(resolve, wait));
      // The wait is a timer as well, and what is due at its instant may come after it.
      while ([...pending.values()].some((timer) => timer.due < end + 0.5)) await nextComes();
      waits -= 1;
      if (window.isExact && own.now() - end > 1) throw new Error(`waited until ${own.now()} for what was due at ${end}`);
      if (thrown.length) throw thrown.splice(0)[0];
    },
  };
  for (const name of ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "requestAnimationFrame",
    "cancelAnimationFrame", "requestIdleCallback", "cancelIdleCallback"]) {
    if (window[name]) clock[name] = window[name].bind(window);
    else clock[name] = () => { throw new Skip(`the engine has no ${name}`); };
  }
  return clock;
}
function milliseconds(time) {
  if (typeof time !== "string") return time;
  const parts = time.split(":").map(Number);
  if (parts.length > 3 || parts.some(Number.isNaN)) throw new Error("not a time");
  return parts.reduce((sum, part) => sum * 60 + part, 0) * 1000;
}

// The clock's day and its beginning in place of the page's.
function install(clock, timeOrigin) {
  window.Date = clock.Date;
  Object.defineProperty(performance, "now", { value: clock.performance.now, configurable: true });
  Object.defineProperty(performance, "timeOrigin", { value: timeOrigin, configurable: true });
}
function uninstall() {
  window.Date = own.Date;
  delete performance.now;
  delete performance.timeOrigin;
}
