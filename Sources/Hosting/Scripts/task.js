// Lets a script of the host's in the page's world go on in a task of its own, by `await`. The engine takes what the host
// calls for a person's gesture, and whatever of the page's that it comes by would have one too: so what is awaited is
// no promise, and all of it is taken before the page's scripts run. The task that tells an element of its opening has no
// gesture, and nobody else has the element. Runs in the top frame.
(() => {
  "use strict";
  const { apply } = Reflect;
  const { defineProperty, freeze, getOwnPropertyDescriptor } = Object;
  if (window !== window.top || apply(Object.prototype.hasOwnProperty, window, ["__GALLEY_TASK__"])) return;
  const open = getOwnPropertyDescriptor(HTMLDetailsElement.prototype, "open").set;
  const details = document.createElementNS("http://www.w3.org/1999/xhtml", "details");
  const waiting = { __proto__: null, first: 0, next: 0 };
  let isOpen = false;
  const ask = () => {
    isOpen = !isOpen;
    apply(open, details, [isOpen]);
  };
  details.addEventListener("toggle", () => {
    const go = waiting[waiting.first];
    delete waiting[waiting.first];
    waiting.first += 1;
    if (waiting.first < waiting.next) ask();
    go();
  });
  const then = (go) => {
    waiting[waiting.next] = go;
    waiting.next += 1;
    if (waiting.next - waiting.first === 1) ask();
  };
  defineProperty(window, "__GALLEY_TASK__", { __proto__: null, value: freeze({ __proto__: null, then }) });
})();
