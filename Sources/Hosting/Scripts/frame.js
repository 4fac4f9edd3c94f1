// All scripts of Galley's that a frame starts with, in one closure: what they share is no member of the window, and no
// script of the page's comes between two of them. Windows of one origin ask those above them for what they share.
(() => {
  "use strict";
  const installNatives = __GALLEY_NATIVES__;
  const { apply } = Reflect;
  const { CustomEvent: Message } = window;
  const { addEventListener: listen, dispatchEvent: dispatch } = EventTarget.prototype;
  const { get: detailOf } = Object.getOwnPropertyDescriptor(Message.prototype, "detail");
  const stop = Event.prototype.stopImmediatePropagation;
  const ask = () => {
    const answer = { __proto__: null, shared: undefined };
    // There is none for a window of another origin.
    if (window.frameElement !== null) {
      apply(dispatch, window.parent, [new Message("__GALLEY_FRAME__", { __proto__: null, detail: answer })]);
    }
    return answer.shared;
  };
  const natives = installNatives(window, ask());
  apply(listen, window, ["__GALLEY_FRAME__", (event) => {
    apply(stop, event, []);
    const answer = apply(detailOf, event, []);
    if (answer) answer.shared = natives.shared;
  }, true]);

__GALLEY_SCRIPTS__
})();
