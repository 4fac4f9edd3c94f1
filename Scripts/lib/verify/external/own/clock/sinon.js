// As much of sinon's spies and referee's assertions as fake-timers' tests ask for.
let callCount = 0;
function makeSpy(body = () => undefined) {
  const calls = [];
  const isCalledWith = (call, args) => args.every((arg, index) => isSame(call.args[index], arg));
  const spy = function (...args) {
    const call = {
      args, context: this, id: ++callCount,
      calledBefore: (other) => call.id < other.id,
    };
    calls.push(call);
    return body.apply(this, args);
  };
  const own = {
    getCall: (index) => calls[index],
    calledBefore: (other) => calls.length > 0 && (!other.called || calls[0].id < other.lastCall.id),
    calledWith: (...args) => calls.some((call) => isCalledWith(call, args)),
    calledWithExactly: (...args) => calls.some((call) => call.args.length === args.length && isCalledWith(call, args)),
    alwaysCalledWith: (...args) => calls.length > 0 && calls.every((call) => isCalledWith(call, args)),
    calledOn: (context) => calls.some((call) => call.context === context),
    throws() { body = () => { throw new Error("Error"); }; return spy; },
  };
  for (const [name, of] of Object.entries({
    args: () => calls.map((call) => call.args), callCount: () => calls.length, called: () => calls.length > 0,
    notCalled: () => calls.length === 0, calledOnce: () => calls.length === 1, calledTwice: () => calls.length === 2,
    calledThrice: () => calls.length === 3, firstCall: () => calls[0], lastCall: () => calls.at(-1),
  })) Object.defineProperty(own, name, { get: of, enumerable: true });
  return Object.defineProperties(spy, Object.getOwnPropertyDescriptors(own));
}
const sinon = { spy: makeSpy, stub: () => makeSpy(), fake: makeSpy, restore() {} };

function isSame(one, other) {
  if (one instanceof own.Date && other instanceof own.Date) return one.getTime() === other.getTime();
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return Object.is(one, other);
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return keys.length === others.length && keys.every((key) => key in other && isSame(one[key], other[key]));
}
const shown = (value) => JSON.stringify(value) ?? String(value);
const checks = {
  isTrue: (value) => value === true,
  isFalse: (value) => value === false,
  isNumber: (value) => typeof value === "number" && !Number.isNaN(value),
  isFunction: (value) => typeof value === "function",
  isObject: (value) => typeof value === "object" && value !== null,
  isUndefined: (value) => value === undefined,
  equals: isSame,
  same: (value, other) => Object.is(value, other),
  match: (value, pattern) => pattern.test(value),
  near: (value, other, delta) => Math.abs(value - other) <= delta,
  keys: (value, names) => isSame(Object.keys(value).toSorted(), names.toSorted()),
  calledTwice: (spy) => spy.calledTwice,
  alwaysCalledWith: (spy, ...args) => spy.alwaysCalledWith(...args),
};
// Whether it threw, at once or in time, and what was meant.
function threw(body, pattern) {
  const check = (error) => {
    if (error instanceof Skip) throw error;
    if (pattern instanceof RegExp) return pattern.test(error.message);
    return Object.entries(pattern ?? {}).every(([name, value]) => error[name] === value);
  };
  let result;
  try { result = body(); } catch (error) { return check(error); }
  return result instanceof Promise ? result.then(() => false, check) : false;
}
function judging(wanted) {
  const ensure = (holds, text) => { if (Boolean(holds) !== wanted) throw new Error(text); };
  const judge = (value, text = "is meant to hold") => ensure(value, text);
  for (const [name, check] of Object.entries(checks)) {
    judge[name] = (...args) => ensure(check(...args), `${wanted ? "" : "not "}${name}: ${args.map(shown).join(", ")}`);
  }
  judge.exception = (body, pattern) => {
    const result = threw(body, pattern), text = `${wanted ? "no " : "an "}exception`;
    return result instanceof Promise ? result.then((holds) => ensure(holds, text)) : ensure(result, text);
  };
  return judge;
}
const [assert, refute] = [judging(true), judging(false)];
