// As much of mocha as suites in its `tdd` style need: each test in its turn, with a callback, a promise or neither.
const mocha = (() => {
  const tests = [], groups = [];
  let options = {}, completed = () => {};

  const run = (test) => new Promise((resolve, reject) => {
    const timer = own.setTimeout(() => reject(new Error("it came to no end")), options.timeout);
    // What the test leaves for later may throw as well.
    addEventListener("error", (event) => reject(event.error ?? new Error(event.message)), { once: true });
    const done = (error) => { clearTimeout(timer); error ? reject(error) : resolve(); };
    const before = options.rootHooks?.beforeEach;
    before ? before((error) => error ? done(error) : begin(test, done)) : begin(test, done);
  });
  const begin = (test, done) => {
    try {
      const promise = test.body.call({}, test.body.length ? done : undefined);
      if (!test.body.length) Promise.resolve(promise).then(() => done(), done);
    } catch (error) { done(error); }
  };
  // A library under test may put its own in these places.
  const own = { setTimeout: window.setTimeout.bind(window) };

  window.suite = (name, body) => { groups.push(name); body(); groups.pop(); };
  window.test = (name, body) => tests.push({ name: [...groups, name].join(": "), body });
  window.add_completion_callback = (callback) => { completed = callback; };
  return {
    setup(all) { options = { timeout: 2000, ...all }; },
    checkLeaks() {},
    async run() {
      const found = [];
      for (const test of tests) {
        // As mocha does, which leaves the page to itself before each.
        await new Promise((resolve) => own.setTimeout(resolve, 0));
        try {
          await run(test);
          found.push({ name: test.name, status: 0 });
        } catch (error) {
          found.push({ name: test.name, status: 1 });
          console.log(`why:${test.name.slice(0, 120)} | ${String(error?.message ?? error).slice(0, 200)}`);
        }
      }
      completed(found, { status: 0 });
    },
  };
})();
