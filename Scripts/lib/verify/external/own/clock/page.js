// Playwright's page and its clock, in the page itself.
function makePage() {
  let clock = makeClock();
  const routes = new Map();
  const show = (html) => {
    // What it writes to the console is for who waits for that.
    const tell = "<script>console.log = (text) => parent.postMessage(text, '*');</script>";
    const frame = document.createElement("iframe");
    frame.srcdoc = tell + html;
    document.body.append(frame);
    return new Promise((resolve) => frame.addEventListener("load", resolve));
  };
  const page = {
    clock: {
      async install({ time = 0 } = {}) {
        clock = makeClock(Number(new own.Date(time)));
        install(clock, clock.now());
      },
      // Nothing passes between two steps of a test, so to wait until then is enough.
      async pauseAt(time) {
        const wait = new own.Date(time) - clock.now();
        if (!(wait >= 0 && wait < 100_000)) throw new Skip("jumps to a date; a page's time does not");
        await clock.runFor(wait);
      },
      // Where nothing waits, the day is only where the test begins.
      async setSystemTime(time) {
        if (pending.size) control();
        clock = makeClock(Number(new own.Date(time)));
        window.Date = clock.Date;
      },
      runFor: (time) => clock.runFor(time),
      fastForward: control, resume: control, setFixedTime: control,
    },
    async exposeFunction(name, body) { window[name] = body; },
    async evaluate(body, given) { return typeof body === "string" ? (0, eval)(body) : body(given); },
    async evaluateHandle(body) {
      const value = await body();
      return { evaluate: async (body) => body(value) };
    },
    waitForTimeout: (time) => clock.runFor(time),
    async goto(address) {
      // An empty page is what there is.
      if (!address.startsWith("data:text/html,")) await show(routes.get(address) ?? "");
    },
    setContent: show,
    waitForEvent(name, isMeant) {
      if (name !== "console") throw new Skip("opens a second page; an ad's second page belongs to the app");
      return new Promise((resolve) => addEventListener("message", (event) => {
        if (isMeant({ text: () => event.data })) resolve();
      }));
    },
  };
  const server = {
    PREFIX: "", EMPTY_PAGE: "data:text/html,",
    setRoute: (path, answer) => answer({}, { writeHead() {}, setHeader() {}, end: (text) => routes.set(path, text) }),
  };
  return { page, server, browserName: "webkit" };
}
const given = makePage;
