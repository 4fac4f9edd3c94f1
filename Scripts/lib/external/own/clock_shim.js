// Playwright's tests of its fake clock, in a page whose own time is the clock: to run it for a while is to wait.
class Skip extends Error {}
const tests = [];
const groups = [];
const it = (name, body) => {
  tests.push({ name: [...groups.map((group) => group.name), name].join(": "), body, groups: [...groups] });
};
it.describe = (name, body) => { groups.push({ name, before: [], after: [] }); body(); groups.pop(); };
it.beforeEach = (body) => groups.at(-1).before.push(body);
it.afterEach = (body) => groups.at(-1).after.push(body);
it.skip = it.fixme = it.describe.configure = () => {};
it.extend = () => it;
const test = it;
const process = { hrtime: { bigint: () => (process.count = (process.count ?? 0) + 1) }, versions: { node: "20.0" } };

const own = {
  setTimeout: window.setTimeout.bind(window), now: performance.now.bind(performance), Date: window.Date,
};
// What a test leaves running would go on for all the others.
const running = [];
for (const [start, stop] of [["setTimeout", "clearTimeout"], ["setInterval", "clearInterval"]]) {
  const [begin, end] = [window[start].bind(window), window[stop].bind(window)];
  window[start] = (...args) => {
    const id = begin(...args);
    running.push(() => end(id));
    return id;
  };
}
const milliseconds = (time) => {
  if (typeof time !== "string") return time;
  const parts = time.split(":").map(Number);
  if (parts.length > 3 || parts.some(Number.isNaN)) throw new Error("not a time");
  return parts.reduce((sum, part) => sum * 60 + part, 0) * 1000;
};
const control = (name) => () => { throw new Skip(`${name} sets a fake clock, and there is none`); };
function makeClock(epoch = 0) {
  const began = own.now();
  // To the millisecond that is meant: a page's time doesn't begin at a whole one.
  const now = () => Math.round(own.now() - began) + epoch;
  const shifted = (...args) => (args.length ? args : [now()]);
  const clock = {
    Date: new Proxy(own.Date, {
      construct: (target, args) => new target(...shifted(...args)),
      apply: (target) => new target(now()).toString(),
      get: (target, name) => (name === "now" ? now : target[name]),
    }),
    now,
    performance: { now: () => own.now() - began, timeOrigin: performance.timeOrigin },
    async runFor(time) {
      const wait = milliseconds(time);
      if (wait < 0) throw new TypeError("Negative ticks are not supported");
      await new Promise((resolve) => own.setTimeout(resolve, wait));
    },
  };
  for (const name of ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "requestAnimationFrame",
    "cancelAnimationFrame", "requestIdleCallback", "cancelIdleCallback"]) {
    if (window[name]) clock[name] = window[name].bind(window);
    else clock[name] = control(name);
  }
  for (const name of ["install", "setSystemTime", "fastForward", "pauseAt", "resume", "uninstall", "tick", "setFixedTime"]) {
    clock[name] = control(name);
  }
  return clock;
}
const setImmediate = control("setImmediate");
it.info = control("it.info");
const rawCreateClock = () => { throw new Skip("it looks into the fake clock"); };
const rawInstall = rawCreateClock;

function isEqual(one, other) {
  if (other?.isAny) return typeof one === other.isAny.name.toLowerCase() || (other.isAny === Object && one !== null);
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return Object.is(one, other);
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return keys.length === others.length && keys.every((key) => isEqual(one[key], other[key]));
}
function expect(value) {
  const matchers = (wanted) => {
    const ensure = (holds, text) => { if (holds !== wanted) throw new Error(`${text}: ${String(value)}`); };
    return {
      toBe: (other) => ensure(Object.is(value, other), `toBe ${String(other)}`),
      toEqual: (other) => ensure(isEqual(value, other), `toEqual ${JSON.stringify(other)}`),
      toBeTruthy: () => ensure(Boolean(value), "toBeTruthy"),
      toBeFalsy: () => ensure(!value, "toBeFalsy"),
      toBeGreaterThan: (other) => ensure(value > other, `toBeGreaterThan ${other}`),
      toBeGreaterThanOrEqual: (other) => ensure(value >= other, `toBeGreaterThanOrEqual ${other}`),
      toBeLessThanOrEqual: (other) => ensure(value <= other, `toBeLessThanOrEqual ${other}`),
      toBeInstanceOf: (other) => ensure(value instanceof other, "toBeInstanceOf"),
      toContain: (other) => ensure([...value].includes(other), "toContain"),
      toHaveProperty: (name) => ensure(name in value, `toHaveProperty ${name}`),
      toBeUndefined: () => ensure(value === undefined, "toBeUndefined"),
      toThrow() {
        try { value(); } catch (error) { if (error instanceof Skip) throw error; return ensure(true, "toThrow"); }
        ensure(false, "toThrow");
      },
    };
  };
  return {
    ...matchers(true), not: matchers(false),
    rejects: {
      async toThrow() {
        let error;
        try { await (typeof value === "function" ? value() : value); } catch (caught) { error = caught; }
        if (error instanceof Skip) throw error;
        if (!error) throw new Skip("a page's time doesn't throw what its timers threw");
      },
    },
  };
}
expect.any = (kind) => ({ isAny: kind });

addEventListener("error", (event) => event.preventDefault());
addEventListener("unhandledrejection", (event) => event.preventDefault());
async function runAll() {
  const found = [];
  for (const { name, body, groups } of tests) {
    const clock = makeClock();
    const given = {
      clock, now: undefined, page: null, install: makeClock,
      get installEx() { throw new Skip("it looks into the fake clock"); },
    };
    let status = 0;
    try {
      for (const group of groups) for (const before of group.before) await before(given);
      const limit = new Promise((_, reject) => own.setTimeout(() => reject(new Error("took too long")), window.limit));
      await Promise.race([body(given), limit]);
      for (const group of groups) for (const after of group.after) await after(given);
    } catch (error) {
      status = error instanceof Skip ? 5 : 1;
      if (status === 1) console.log("why:" + name + " | " + error.message);
    }
    running.splice(0).forEach((stop) => stop());
    found.push({ name, status });
  }
  return found;
}
