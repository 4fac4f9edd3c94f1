// The pointer events of fingers, which the engine leaves out: it has them of the mouse that follows a tap. Phones send
// them beside the touches, and the mouse's own are none there. Runs in every frame before the page, on devices with touch.
(() => {
  "use strict";
  const isTouch = __GALLEY_TOUCH__;
  if (!isTouch) return;
  // Milliseconds after which a resting finger asks for a context menu; 0 on devices whose fingers ask for none.
  const longPress = __GALLEY_LONG_PRESS__;
  const { apply } = Reflect;
  const { getOwnPropertyDescriptor } = Object;
  const { abs } = Math;
  const { indexOf } = String.prototype;
  const { PointerEvent: Pointer, Event: Happening, Map: Fingers, WeakSet } = window;
  const styleOf = getComputedStyle;
  const unbind = (method) => (self, ...values) => apply(method, self, values);
  const [get, set, remove] = [Fingers.prototype.get, Fingers.prototype.set, Fingers.prototype.delete].map(unbind);
  const getter = (owner, name) => unbind(getOwnPropertyDescriptor(owner, name).get);
  const parentOf = getter(Node.prototype, getOwnPropertyDescriptor(Node.prototype, "parentElement") ? "parentElement" : "parentNode");
  const isPrevented = getter(Event.prototype, "defaultPrevented");
  const prevent = unbind(Event.prototype.preventDefault);
  const stop = unbind(Event.prototype.stopImmediatePropagation);
  const listen = EventTarget.prototype.addEventListener;
  const dispatch = EventTarget.prototype.dispatchEvent;
  const everywhere = { __proto__: null, capture: true, passive: true };
  const always = (type, act) => apply(listen, window, [type, act, everywhere]);

  // By the pointer's number, which the mouse's 1 is left out of.
  const fingers = new Fingers();
  const numberOf = (touch) => touch.identifier + 2;
  // The one that went down last.
  let last = null;

  const send = (finger, type, touch, button, buttons, to) => {
    const isAround = type === "pointerenter" || type === "pointerleave";
    const isCapture = type === lost || type === got;
    const isOwn = isAround || isCapture;
    if (!isOwn && type !== menu) capture(finger, touch);
    const event = new Pointer(type, {
      bubbles: !isAround, cancelable: !isOwn && type !== "pointercancel", composed: !isAround, view: window,
      pointerId: finger.number, pointerType: "touch", isPrimary: finger.isPrimary, width: 1, height: 1,
      pressure: buttons === 0 ? 0 : 0.5, button, buttons, clientX: touch.clientX, clientY: touch.clientY,
      screenX: touch.screenX, screenY: touch.screenY,
    });
    // A finger's pointer belongs to where it went down, unless the page says otherwise.
    apply(dispatch, to ?? finger.captured ?? finger.target, [event]);
    return event;
  };
  // Of what is around an element the outermost hears first, and last when a finger leaves.
  const tellAround = (finger, at, type, touch, isLeaving) => {
    if (at === null || at === undefined) return;
    if (isLeaving) send(finger, type, touch, 0, 0, at);
    tellAround(finger, parentOf(at), type, touch, isLeaving);
    if (!isLeaving) send(finger, type, touch, 0, 0, at);
  };
  // Who gets the pointer's events from here on is told so before the next of them.
  const [lost, got, menu] = ["lostpointercapture", "gotpointercapture", "contextmenu"];
  const capture = (finger, touch) => {
    if (finger.captured === finger.wanted) return;
    const before = finger.captured;
    finger.captured = finger.wanted;
    if (before) send(finger, lost, touch, 0, 0, before);
    if (finger.wanted) send(finger, got, touch, 0, 0, finger.wanted);
  };
  const begin = (finger, touch) => {
    send(finger, "pointerover", touch, 0, 0);
    tellAround(finger, finger.target, "pointerenter", touch, false);
    finger.down = send(finger, "pointerdown", touch, 0, 1);
    // A finger is its target's from the start, unless the page has said otherwise.
    if (!finger.isLetGo) finger.wanted ??= finger.target;
  };
  const leave = (finger, touch) => {
    finger.wanted = null;
    capture(finger, touch);
    send(finger, "pointerout", touch, 0, 0);
    tellAround(finger, finger.target, "pointerleave", touch, true);
  };

  // Whether the browser would pan by the finger itself, after which the page gets no more of it. What lies around the
  // nearest that scrolls has no say.
  const canPan = (target, isSideways) => {
    if (isSideways && isSlider(target)) return false;
    for (let at = target; at !== null && at !== undefined; at = parentOf(at)) {
      const style = styleOf(at);
      const action = style.touchAction;
      const isFree = action === undefined || action === "auto" || action === "manipulation" || action === "";
      if (!isFree && apply(indexOf, action, [isSideways ? "pan-x" : "pan-y"]) < 0) return false;
      const flow = isSideways ? style.overflowX : style.overflowY;
      const room = isSideways ? at.scrollWidth - at.clientWidth : at.scrollHeight - at.clientHeight;
      if ((flow === "auto" || flow === "scroll") && room > 0) return true;
    }
    return true;
  };
  const pans = (finger, touch) => {
    if (isPrevented(finger.start)) return false;
    return canPan(finger.target, abs(touch.clientX - finger.x) >= abs(touch.clientY - finger.y));
  };

  // Once the browser pans nobody can stop it.
  const panning = new WeakSet();
  const [put, isPanning] = [WeakSet.prototype.add, WeakSet.prototype.has].map(unbind);
  natives.getter(Event.prototype, "cancelable", (native, self, values) => apply(native, self, values) && !isPanning(panning, self));
  natives.method(Event.prototype, "preventDefault", (native, self, values) => (isPanning(panning, self) ? undefined : apply(native, self, values)));

  // The engine moves a slider by the finger, and doesn't say that it has been let go of.
  const isSlider = (target) => target?.localName === "input" && target.type === "range";
  const sliderOf = (target) => (isSlider(target) ? { target, value: target.value } : null);
  const later = window.setTimeout.bind(window);
  const forget = window.clearTimeout.bind(window);
  const settle = ({ target, value }) => later(() => {
    if (target.value !== value) apply(dispatch, target, [new Happening("change", { bubbles: true })]);
  }, 0);

  // A finger that moves farther than this, in CSS pixels, doesn't rest; neither does one of several.
  const slop = 8;
  const rest = (finger, touch) => {
    if (longPress === 0 || !finger.isPrimary) return;
    finger.resting = later(() => {
      if (!isPrevented(finger.start)) send(finger, menu, touch, 0, 0, finger.target);
    }, longPress);
  };
  const hasMoved = (finger, touch) => abs(touch.clientX - finger.x) > slop || abs(touch.clientY - finger.y) > slop;

  const hear = (type, act) => always(type, (event) => {
    if (!event.isTrusted) return;
    const touches = event.changedTouches;
    for (let i = 0; i < touches.length; i += 1) act(touches[i], event);
  });

  hear("touchstart", (touch, event) => {
    // The engine says which part of a slider was touched, which no page can see.
    const touched = isSlider(event.target) ? event.target : touch.target;
    const target = touched?.nodeType === 1 ? touched : document.documentElement;
    const finger = {
      number: numberOf(touch), target, captured: null, wanted: null, isLetGo: false, slider: sliderOf(target), isPrimary: event.touches.length <= 1, isOver: false,
      x: touch.clientX, y: touch.clientY, start: event, last: null, down: null, resting: 0,
    };
    forget(last?.resting);
    set(fingers, numberOf(touch), finger);
    last = finger;
    if (!canPan(target, true) || !canPan(target, false)) keepStill();
    begin(finger, touch);
    rest(finger, touch);
  });
  hear("touchmove", (touch, event) => {
    const finger = get(fingers, numberOf(touch));
    if (finger?.isOver) put(panning, event);
    if (finger !== undefined && hasMoved(finger, touch)) forget(finger.resting);
    if (finger === undefined || finger.isOver) return;
    // What the page did with the move before says whose the finger is.
    if (finger.last !== null && !isPrevented(finger.last) && pans(finger, touch)) {
      finger.isOver = true;
      put(panning, event);
      send(finger, "pointercancel", touch, 0, 0);
      return leave(finger, touch);
    }
    finger.last = event;
    send(finger, "pointermove", touch, -1, 1);
  });
  const end = (type) => (touch) => {
    const finger = get(fingers, numberOf(touch));
    forget(finger?.resting);
    if (finger?.slider) settle(finger.slider);
    if (finger !== undefined && !finger.isOver) {
      send(finger, type, touch, 0, 0);
      leave(finger, touch);
    }
    remove(fingers, numberOf(touch));
  };
  hear("touchend", end("pointerup"));
  hear("touchcancel", end("pointercancel"));

  // The engine pans as a wheel does, which no phone has; a finger that the page keeps doesn't pan.
  let isKept = false;
  always("mousewheel", (event) => { if (event.isTrusted) stop(event); });
  // Once a finger is kept, the listener that prevents panning stops it.
  always("wheel", (event) => { if (event.isTrusted && !isKept) stop(event); });
  const keepStill = () => {
    if (isKept) return;
    isKept = true;
    apply(listen, window, ["wheel", (event) => {
      if (!event.isTrusted) return;
      stop(event);
      if (last !== null && !canPan(last.target, abs(event.deltaX) >= abs(event.deltaY))) prevent(event);
    }, { __proto__: null, capture: true, passive: false }]);
  };

  // There is no mouse but the one that follows a tap; the window system has another when a window is shown again. It has
  // no pointer of its own, and none of it is told where the page has prevented the finger's pointer.
  const time = performance.now.bind(performance);
  const mouseTime = 3000;
  let touched = -Infinity;
  hear("touchstart", () => { touched = -Infinity; });
  hear("touchend", () => { touched = last !== null && last.last === null ? time() : -Infinity; });
  const moves = ["move", "over", "out", "enter", "leave"];
  for (const move of [...moves, "down", "up"]) {
    always(`pointer${move}`, (event) => { if (event.isTrusted) stop(event); });
    always(`mouse${move}`, (event) => {
      if (!event.isTrusted) return;
      if (last?.down && isPrevented(last.down)) return stop(event);
      if (move !== "down" && move !== "up" && time() - touched > mouseTime) stop(event);
    });
  }
  // The engine doesn't know these pointers and would throw.
  const own = (name, act) => {
    natives.method(Element.prototype, name, (native, self, values) => {
      const finger = get(fingers, values[0]);
      return finger === undefined ? apply(native, self, values) : act(finger, self);
    });
  };
  own("setPointerCapture", (finger, element) => { finger.wanted = element; });
  own("releasePointerCapture", (finger, element) => {
    if ((finger.wanted ?? finger.target) !== element) return;
    finger.wanted = null;
    finger.isLetGo = true;
  });
  own("hasPointerCapture", (finger, element) => (finger.isLetGo ? finger.wanted : finger.wanted ?? finger.target) === element);
})();
