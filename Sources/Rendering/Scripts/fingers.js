// The pointer events of a finger that moves, which the engine leaves out: it has them of the mouse that follows a tap.
// Runs in every frame before the page, on devices with touch. A finger that never moves is left to the engine.
(() => {
  "use strict";
  const isTouch = __GALLEY_TOUCH__;
  if (!isTouch) return;
  const { apply } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const { abs } = Math;
  const { indexOf } = String.prototype;
  const { PointerEvent: Pointer, Map: Fingers } = window;
  const styleOf = getComputedStyle;
  const unbind = (method) => (self, ...values) => apply(method, self, values);
  const [get, set, remove] = [Fingers.prototype.get, Fingers.prototype.set, Fingers.prototype.delete].map(unbind);
  const parentOf = getOwnPropertyDescriptor(Node.prototype, "parentElement")?.get
    ?? getOwnPropertyDescriptor(Node.prototype, "parentNode").get;
  const listen = EventTarget.prototype.addEventListener;
  const dispatch = EventTarget.prototype.dispatchEvent;

  // By the pointer's number, which the mouse's 1 is left out of.
  const fingers = new Fingers();
  const numberOf = (touch) => touch.identifier + 2;

  const send = (finger, type, touch, button, buttons) => {
    const event = new Pointer(type, {
      bubbles: true, cancelable: type !== "pointercancel", composed: true, view: window, pointerId: finger.number,
      pointerType: "touch", isPrimary: finger.isPrimary, width: 1, height: 1, pressure: buttons === 0 ? 0 : 0.5,
      button, buttons, clientX: touch.clientX, clientY: touch.clientY, screenX: touch.screenX, screenY: touch.screenY,
    });
    // A finger's pointer belongs to where it went down, unless the page says otherwise.
    apply(dispatch, finger.captured ?? finger.target, [event]);
  };

  // Whether the browser would pan by the finger itself, after which the page gets no more of it.
  const pans = (finger, touch) => {
    const isSideways = abs(touch.clientX - finger.x) >= abs(touch.clientY - finger.y);
    for (let at = finger.target; at !== null && at !== undefined; at = apply(parentOf, at, [])) {
      const action = styleOf(at).touchAction;
      if (action === undefined || action === "auto" || action === "manipulation" || action === "") continue;
      if (apply(indexOf, action, [isSideways ? "pan-x" : "pan-y"]) < 0) return false;
    }
    return true;
  };

  const hear = (type, act) => apply(listen, window, [type, (event) => {
    if (!event.isTrusted) return;
    const touches = event.changedTouches;
    for (let i = 0; i < touches.length; i += 1) act(touches[i], event);
  }, { capture: true, passive: true }]);

  hear("touchstart", (touch, event) => {
    const target = touch.target?.nodeType === 1 ? touch.target : document.documentElement;
    set(fingers, numberOf(touch), {
      number: numberOf(touch), target, captured: null, isPrimary: event.touches.length <= 1, isDown: false,
      isOver: false, x: touch.clientX, y: touch.clientY, last: null,
    });
  });
  hear("touchmove", (touch, event) => {
    const finger = get(fingers, numberOf(touch));
    if (finger === undefined || finger.isOver) return;
    if (!finger.isDown) {
      finger.isDown = true;
      send(finger, "pointerdown", { clientX: finger.x, clientY: finger.y, screenX: finger.x, screenY: finger.y }, 0, 1);
    }
    // What the page did with the move before says whose the finger is.
    if (finger.last !== null && !finger.last.defaultPrevented && pans(finger, touch)) {
      finger.isOver = true;
      return send(finger, "pointercancel", touch, 0, 0);
    }
    finger.last = event;
    send(finger, "pointermove", touch, -1, 1);
  });
  const end = (type) => (touch) => {
    const finger = get(fingers, numberOf(touch));
    if (finger !== undefined && finger.isDown && !finger.isOver) send(finger, type, touch, 0, 0);
    remove(fingers, numberOf(touch));
  };
  hear("touchend", end("pointerup"));
  hear("touchcancel", end("pointercancel"));

  // The engine doesn't know these pointers and would throw.
  const own = (name, act) => {
    const descriptor = getOwnPropertyDescriptor(Element.prototype, name);
    const native = descriptor?.value;
    if (typeof native !== "function") return;
    const stand = { [name](number) {
      const finger = get(fingers, number);
      return finger === undefined ? apply(native, this, arguments) : act(finger, this);
    } };
    defineProperty(Element.prototype, name, { ...descriptor, value: stand[name] });
  };
  own("setPointerCapture", (finger, element) => { finger.captured = element; });
  own("releasePointerCapture", (finger, element) => { if (finger.captured === element) finger.captured = null; });
  own("hasPointerCapture", (finger, element) => (finger.captured ?? finger.target) === element);
})();
