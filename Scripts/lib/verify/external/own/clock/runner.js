// Groups of tests with what comes before and after each, as mocha and Playwright have them, one after the other.
const newGroup = (name = "") => ({ name, items: [], before: [], after: [], beforeEach: [], afterEach: [] });
const root = newGroup();
let group = root;
function addTest(name, body) { group.items.push({ name, body }); }
function addGroup(name, body) {
  const [outer, inner] = [group, newGroup(name)];
  outer.items.push(inner);
  group = inner;
  body();
  group = outer;
}

const found = [];
const names = new Map();
const task = new MessageChannel();
// As long as what is told of tests may be, and no two alike.
function nameOf(groups, test) {
  const name = [...groups.map((group) => group.name), test.name].filter(Boolean).join(": ").slice(0, 110);
  const count = (names.get(name) ?? 0) + 1;
  names.set(name, count);
  return count > 1 ? `${name} (${count})` : name;
}

// What a test leaves is undone; `call` runs a body or a hook with what the library gives these.
async function runGroup(group, outer, call, broken) {
  const groups = [...outer, group];
  try { for (const hook of broken ? [] : group.before) await call(hook, {}); } catch (error) { broken = error; }
  for (const item of group.items) {
    if (item.items) await runGroup(item, groups, call, broken);
    else await runTest(item, groups, broken, call);
  }
  try { for (const hook of broken ? [] : group.after) await call(hook, {}); } catch { /* Of no test. */ }
}
async function runTest(test, groups, broken, call) {
  const name = nameOf(groups, test), context = {}, errors = [];
  // A task of its own: timers that are set by timers take four milliseconds at least.
  await new Promise((resolve) => { task.port1.onmessage = resolve; task.port2.postMessage(""); });
  Skip.reason = broken instanceof Skip ? broken.message : undefined;
  thrown.length = waits = 0;
  const attempt = async (body) => { try { await body(); } catch (error) { errors.push(error); } };
  await attempt(async () => {
    if (broken) throw broken;
    for (const group of groups) for (const hook of group.beforeEach) await call(hook, context);
    const limit = new Promise((_, reject) => own.setTimeout(() => reject(new Error("took too long")), window.limit));
    await Promise.race([call(test.body, context), limit]);
  });
  for (const group of broken ? [] : groups.toReversed()) {
    for (const hook of group.afterEach) await attempt(() => call(hook, context));
  }
  stopAll();
  uninstall();
  const status = Skip.reason ? 5 : errors.length ? 1 : 0;
  if (status) console.log(`why:${name} | ${Skip.reason ?? errors[0]?.message ?? errors[0]}`);
  found.push({ name, status });
}
