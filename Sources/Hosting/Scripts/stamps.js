// When events of the mouse and of keys happened: the engine stamps them by the machine's clock, which in stepped time has
// nothing to do with the page's, and else may be some milliseconds ahead. Runs in every frame before the page.
(() => {
  "use strict";
  const isStepped = __GALLEY_STEPPED__;
  const { apply } = Reflect;
  const { WeakMap } = window;
  const { get, set } = WeakMap.prototype;
  const time = performance.now.bind(performance);
  const listen = EventTarget.prototype.addEventListener;
  const seen = new WeakMap();
  const native = Object.getOwnPropertyDescriptor(Event.prototype, "timeStamp").get;
  const note = (event) => {
    const own = apply(native, event, []);
    const now = time();
    if (event.isTrusted && (isStepped || !(own >= 0 && own <= now))) apply(set, seen, [event, now]);
  };
  const phases = ["down", "up", "move", "over", "out", "enter", "leave"];
  const types = [
    ...["mouse", "pointer"].flatMap((name) => phases.map((phase) => name + phase)), "click", "dblclick", "auxclick",
    "contextmenu", "wheel", "keydown", "keypress", "keyup",
  ];
  for (const type of types) apply(listen, window, [type, note, { __proto__: null, capture: true, passive: true }]);
  natives.getter(Event.prototype, "timeStamp", (native, self, values) => {
    const own = apply(native, self, values);
    return apply(get, seen, [self]) ?? own;
  });
})();
