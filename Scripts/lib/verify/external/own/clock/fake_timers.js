// fake-timers in a page whose own time is the clock, and mocha for its tests.
class PageClock {
  #clock;
  #epoch;
  constructor(epoch) {
    this.#epoch = Number(epoch);
    this.#begin();
    // Tests hand them on.
    for (const name of ["tick", "next", "runAll", "runToLast"]) {
      this[name] = this[`${name}Async`] = this[name].bind(this);
    }
  }
  #begin() {
    this.#clock = makeClock(this.#epoch);
    for (const name of Object.keys(this.#clock)) if (name !== "now") this[name] = this.#clock[name];
    this.queueMicrotask = window.queueMicrotask.bind(window);
  }

  get now() { return this.#clock.now(); }
  set now(_) { control(); }
  // Its own of these.
  get timers() { return control(); }
  get _Intl() { return control(); }

  async tick(time = 0) {
    await this.#clock.runFor(time);
    return this.#end();
  }
  async next() {
    if (pending.size) await nextComes();
    return this.#end();
  }
  async runAll() {
    for (let count = 0; pending.size; count += 1) {
      if (count === 1000) throw new Skip("never ends; only a fake clock counts its timers");
      await nextComes();
    }
    return this.#end();
  }
  async runToLast() {
    const last = [...pending.values()].reduce((last, timer) => (last?.due > timer.due ? last : timer), undefined);
    while ([...pending.values()].includes(last)) await nextComes();
    return this.#end();
  }
  async runMicrotasks() { await this.#end(); }

  // What the timers promised to do comes before the next timer; then what one of them threw, as a fake clock throws it.
  async #end() {
    for (let count = 0; count < 50; count += 1) await null;
    if (thrown.length) throw thrown.splice(0)[0];
    return this.now;
  }

  reset() {
    stopAll();
    this.#begin();
  }
  setTickMode({ mode }) {
    // By itself is how a page's time passes.
    if (mode === "manual") control();
  }
  uninstall() { uninstall(); }
}
for (const name of ["setSystemTime", "jump", "countTimers", "runToFrame", "setImmediate", "clearImmediate", "nextTick",
  "hrtime"]) {
  PageClock.prototype[name] = control;
}
const KNOWN = ["now", "shouldAdvanceTime", "advanceTimeDelta", "shouldClearNativeTimers"];
const FakeTimers = {
  createClock(epoch = 0, limit) {
    if (limit !== undefined) control();
    return new PageClock(epoch);
  },
  install(config = {}) {
    if (Object(config) !== config || Object.keys(config).some((name) => !KNOWN.includes(name))) control();
    const clock = new PageClock(config.now ?? 0);
    install(clock, clock.now);
    return clock;
  },
  withGlobal: control,
  get timers() { return control(); },
};
globalThis.FakeTimers = FakeTimers;

const [describe, it] = [addGroup, addTest];
const [before, after] = [(body) => group.before.push(body), (body) => group.after.push(body)];
const [beforeEach, afterEach] = [(body) => group.beforeEach.push(body), (body) => group.afterEach.push(body)];
const helpers = {
  FakeTimers, assert, refute, sinon, GlobalDate: own.Date, NOOP() {}, nextTickPresent: false, queueMicrotaskPresent: true,
  hrtimePresent: false, hrtimeBigintPresent: false, performanceNowPresent: true, performanceMarkPresent: true,
  setImmediatePresent: false, promisePresent: true, utilPromisifyAvailable: false, addTimerReturnsObject: false,
  hasV8StyleStackFormat: false,
};
const modules = {
  "./helpers/setup-tests": helpers, "@sinonjs/referee-sinon": { assert, refute, sinon },
  "../src/fake-timers-src": FakeTimers, vm: {},
};
function require(name) {
  if (!modules[name]) throw new Error(`there is no ${name} in a page`);
  return modules[name];
}
const module = {};

async function runAll() {
  const call = (body, context) => {
    context.skip = () => { throw new Skip("is skipped by its author outside node"); };
    if (!body.length) return body.call(context);
    return new Promise((resolve, reject) => body.call(context, (error) => (error ? reject(error) : resolve())));
  };
  await runGroup(root, [], call);
  return found;
}
