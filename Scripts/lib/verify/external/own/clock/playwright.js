// As much of Playwright's test runner as tests of its clock need.
let fixtures = {};
const it = (name, ...rest) => addTest(name, rest.at(-1));
it.describe = addGroup;
it.beforeEach = (body) => group.beforeEach.push(body);
it.afterEach = (body) => group.afterEach.push(body);
it.describe.configure = () => {};
// Of a test that is left out, or within one on a condition.
it.skip = it.fixme = (condition) => { if (condition === true) throw new Skip("is skipped by its author here"); };
it.extend = (more) => { fixtures = { ...fixtures, ...more }; return it; };
it.info = control;
const [test, browserTest] = [it, it];
const process = {
  env: {}, hrtime: { bigint: () => (process.count = (process.count ?? 0) + 1) }, versions: { node: "20.0" },
};

function isEqual(one, other) {
  if (other?.isAny) return typeof one === other.isAny.name.toLowerCase() || (other.isAny === Object && one !== null);
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return Object.is(one, other);
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return keys.length === others.length && keys.every((key) => isEqual(one[key], other[key]));
}
function expect(value) {
  const matchers = (wanted) => {
    const ensure = (holds, text) => {
      if (holds !== wanted) throw new Error(`${text}: ${JSON.stringify(value) ?? String(value)}`);
    };
    return {
      toBe: (other) => ensure(Object.is(value, other), `toBe ${String(other)}`),
      toEqual: (other) => ensure(isEqual(value, other), `toEqual ${JSON.stringify(other)}`),
      toHaveLength: (length) => ensure(value.length === length, `toHaveLength ${length}`),
      toBeTruthy: () => ensure(Boolean(value), "toBeTruthy"),
      toBeFalsy: () => ensure(!value, "toBeFalsy"),
      toBeGreaterThan: (other) => ensure(value > other, `toBeGreaterThan ${other}`),
      toBeGreaterThanOrEqual: (other) => ensure(value >= other, `toBeGreaterThanOrEqual ${other}`),
      toBeLessThan: (other) => ensure(value < other, `toBeLessThan ${other}`),
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

async function runAll() {
  const call = async (body, context) => {
    if (!context.given) {
      context.given = given();
      for (const [name, fixture] of Object.entries(fixtures)) {
        await new Promise((resolve) => fixture(context.given, (value) => resolve(context.given[name] = value)));
      }
    }
    return body(context.given);
  };
  await runGroup(root, [], call);
  return found;
}
