// As much of a test harness as own/timing.html needs, by the names of the web platform tests'.
const tests = [];
let listener = () => {};
let queue = Promise.resolve();
function add_completion_callback(callback) { listener = callback; }
function promise_test(body, name) {
  queue = queue.then(async () => {
    let status = 0;
    try { await body(); } catch { status = 1; }
    tests.push({ name, status });
  });
}
function ensure(condition) { if (!condition) throw new Error("not so"); }
function assert_equals(one, other) { ensure(one === other); }
function assert_array_equals(one, other) { ensure(JSON.stringify(one) === JSON.stringify(other)); }
function assert_greater_than(one, other) { ensure(one > other); }
function assert_greater_than_equal(one, other) { ensure(one >= other); }
addEventListener("load", () => { queue.then(() => listener(tests, { status: 0 })); });
