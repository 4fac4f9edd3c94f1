// A script's own way to the host: an element that nobody else has, whose events the host's world hears. The page can
// neither find it nor come between, since all that is used of the page's world is taken before its scripts run, and
// what is handed over has no prototype. `hear` gets what the host says; what is returned says something to it.
(name, hear) => {
  "use strict";
  const { apply } = Reflect;
  const { CustomEvent: Message, MouseEvent: Greeting } = window;
  const { addEventListener: listen, dispatchEvent: dispatch } = EventTarget.prototype;
  const { get: textOf } = Object.getOwnPropertyDescriptor(Message.prototype, "detail");
  const end = document.createElement("i");
  let isMet = false;
  apply(listen, end, ["met", () => { isMet = true; }]);
  apply(listen, end, ["host", (event) => hear(apply(textOf, event, []))]);
  const greet = () => {
    apply(dispatch, window, [new Greeting("__GALLEY_CHANNEL__-" + name, { __proto__: null, relatedTarget: end })]);
  };
  greet();
  // The engine doesn't say which world's scripts come first.
  if (!isMet) apply(listen, window, ["__GALLEY_CHANNEL__-here", greet, { __proto__: null, once: true }]);
  return (text) => { apply(dispatch, end, [new Message("say", { __proto__: null, detail: text })]); };
}
