// Reports what a page says and gets wrong; runs in every frame before anything of the page's.
(() => {
  "use strict";
  const handler = window.webkit && window.webkit.messageHandlers && window.webkit.messageHandlers["__GALLEY_HANDLER__"];
  if (!handler) return;
  const post = handler.postMessage.bind(handler);
  const stringify = JSON.stringify;
  const text = String;
  const slice = Function.prototype.call.bind(String.prototype.slice);
  const isTop = window === window.top;

  const report = (observed, detail) => {
    if (!isTop) detail.frame = "iframe";
    try { post(stringify({ observed, detail })); } catch { /* the page is going away */ }
  };

  const show = (value) => {
    try {
      if (typeof value === "string") return slice(value, 0, 2000);
      if (value instanceof Error) return slice(text(value), 0, 2000);
      if (typeof value === "object" && value !== null) return slice(stringify(value) ?? text(value), 0, 2000);
      return slice(text(value), 0, 2000);
    } catch {
      return "[unprintable]";
    }
  };

  // A page that logs in a loop fills the log once, not for ever.
  let budget = 500;
  for (const level of ["log", "info", "warn", "error", "debug", "assert", "trace"]) {
    const original = console[level];
    if (typeof original !== "function") continue;
    console[level] = function (...values) {
      const failed = level !== "assert" || !values[0];
      if (failed && budget-- > 0) {
        const shown = [];
        for (let i = level === "assert" ? 1 : 0; i < values.length && i < 20; i++) shown[i - (level === "assert" ? 1 : 0)] = show(values[i]);
        report("console", { level, text: shown.join(" ") });
      }
      return original.apply(this, values);
    };
  }

  const place = (url) => slice(text(url ?? ""), 0, 500);
  window.addEventListener("error", (event) => {
    if (event.target !== window && event.target instanceof Element) return;
    report("exception", { message: show(event.message), file: place(event.filename), line: event.lineno, column: event.colno });
  }, true);
  window.addEventListener("unhandledrejection", (event) => report("rejection", { message: show(event.reason) }), true);
  document.addEventListener("securitypolicyviolation", (event) =>
    report("violation", { directive: event.violatedDirective, blocked: place(event.blockedURI) }), true);

  // The engine tells nobody of web sockets; where some are kept from their servers, the host looks up which.
  const Socket = "__GALLEY_SOCKETS__" === "true" ? window.WebSocket : null;
  if (typeof Socket === "function") {
    const { construct } = Reflect;
    const address = Function.prototype.call.bind(Object.getOwnPropertyDescriptor(Socket.prototype, "url").get);
    let sockets = 200;
    const twin = new Proxy(Socket, {
      construct(native, values, maker) {
        const socket = construct(native, values, maker);
        if (sockets-- > 0) report("socket", { url: slice(address(socket), 0, 2048) });
        return socket;
      },
    });
    Object.defineProperty(window, "WebSocket", { value: twin, writable: true, enumerable: false, configurable: true });
    Object.defineProperty(Socket.prototype, "constructor", { value: twin, writable: true, enumerable: false, configurable: true });
  }

  // The bridge hides the handlers in the top frame, after all scripts of the host have theirs.
  if (!isTop) {
    try { delete Object.getPrototypeOf(window.webkit).messageHandlers; } catch { /* not ours to remove */ }
  }
})();
