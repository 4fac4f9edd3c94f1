// Says of a person's activation what a phone would: the engine takes what the host asks of a page for a gesture, and
// would have every page touched from the beginning. Runs in every frame before the page.
(() => {
  "use strict";
  const { apply } = Reflect;
  const { shared } = natives;
  const { now } = Date;
  const listen = EventTarget.prototype.addEventListener;
  const keyOf = Object.getOwnPropertyDescriptor(KeyboardEvent.prototype, "key").get;
  const note = (event) => {
    if (!event.isTrusted || (event.type === "keydown" && apply(keyOf, event, []) === "Escape")) return;
    shared.isTouched = true;
    shared.touchedAt = now();
  };
  for (const type of ["mousedown", "touchend", "keydown"]) {
    apply(listen, window, [type, note, { __proto__: null, capture: true, passive: true }]);
  }
  // Whether Web Audio may begin: a person has just done something, or the container doesn't ask for it.
  const lasts = 5000;
  const needsTouch = __GALLEY_SOUND_NEEDS_TOUCH__;
  natives.maySound = () => !needsTouch || now() - shared.touchedAt < lasts;
  const Activation = window.UserActivation;
  if (!Activation) return;
  const own = Object.getOwnPropertyDescriptor(Activation.prototype, "isActive");
  natives.getter(Activation.prototype, "hasBeenActive", (native, self, values) =>
    apply(native, self, values) && shared.isTouched);
  natives.getter(Activation.prototype, "isActive", (native, self, values) =>
    apply(native, self, values) && shared.isTouched);
  // The bridge asks the engine itself, which knows of touches in frames of other origins: it finds this one first. A later
  // script of the top frame's takes it away before the page begins.
  if (window === window.top) Object.defineProperty(navigator.userActivation, "isActive", { ...own, configurable: true });
})();
