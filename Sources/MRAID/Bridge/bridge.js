// window.mraid, as an ad's page sees it. Runs before any script of the page and does nothing the second time.
// The host is the authority: getters answer from the properties it delivers, every call is posted to it.
// All that is used of the page's world is captured here, because creatives overwrite what they like.
(function (config) {
  "use strict";

  const root = window;
  const { apply, deleteProperty, getPrototypeOf, setPrototypeOf } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor, keys } = Object;
  const { isArray } = Array;
  const { isFinite, isInteger } = Number;
  const { parse, stringify } = JSON;
  const unbind = (fn) => (self, ...args) => apply(fn, self, args);
  const hasOwn = unbind(Object.prototype.hasOwnProperty);
  const charCodeAt = unbind(String.prototype.charCodeAt);
  const slice = unbind(String.prototype.slice);
  const dateText = unbind(Date.prototype.toISOString);
  const text = String;
  const later = root.queueMicrotask ?? ((fn) => fn());
  // Where the container departs from the standard.
  const container = config.container ?? {};

  if (root.top !== root || hasOwn(root, "mraid")) return;
  const owns = container.owns ?? [];
  for (let i = 0; i < owns.length; i += 1) if (hasOwn(root, owns[i])) return;

  // Of one text, and of all that a call hands over: no honest address is longer.
  const longestText = 65536;
  const mostText = 131072;
  const mostValues = 500;
  const deepest = 8;
  const vpaidMethods = ["subscribe", "unsubscribe", "startAd", "getAdDuration", "getAdRemainingTime"];
  const vpaidEvents = [
    "AdClickThru", "AdError", "AdImpression", "AdPaused", "AdPlaying", "AdVideoStart", "AdVideoFirstQuartile",
    "AdVideoMidpoint", "AdVideoThirdQuartile", "AdVideoComplete",
  ];

  const send = __GALLEY_LINK__("bridge", (text) => receive(parse(text)));
  const hasGesture = capturedGesture();

  const properties = copy(config.properties, true);
  const listeners = {
    __proto__: null, ready: [], error: [], stateChange: [], viewableChange: [], sizeChange: [], exposureChange: [],
    audioVolumeChange: [],
  };
  const reportedGetters = { __proto__: null };
  // What a call that threw comes to.
  const failed = { __proto__: null };
  let isReady = false;
  // The listener that is being called.
  let running = null;
  let vpaid = null;
  let isVpaidStarted = false;
  // What passes events on to the page in the place of `mraid`'s listeners.
  let passOn = null;

  const isBoolean = (value) => typeof value === "boolean";
  const isNumber = (value) => typeof value === "number" && isFinite(value);
  const isLength = (value) => isNumber(value) && value > 0;
  const isForce = (value) => value === "portrait" || value === "landscape" || value === "none";
  const isClosePosition = (value) =>
    value === "top-left" || value === "top-center" || value === "top-right" || value === "center" ||
    value === "bottom-left" || value === "bottom-center" || value === "bottom-right";

  const getters = {
    __proto__: null,
    getState: () => properties.state,
    getVersion: () => properties.version,
    getPlacementType: () => properties.placementType,
    isViewable: () => properties.isViewable,
    supports: (feature) => typeof feature === "string" && properties.supports[feature] === true,
    getScreenSize: () => copy(properties.screenSize),
    getMaxSize: () => copy(properties.maxSize),
    getDefaultPosition: () => copy(properties.defaultPosition),
    getCurrentPosition: () => copy(properties.currentPosition),
    getOrientationProperties: () => copy(properties.orientationProperties),
    getLocation: () => copy(properties.location),
    getCurrentAppOrientation: () => copy(properties.appOrientation),
    // Sizes that were never set read as full screen.
    getExpandProperties: () => ({
      width: properties.expandProperties.width ?? properties.maxSize.width,
      height: properties.expandProperties.height ?? properties.maxSize.height,
      useCustomClose: properties.expandProperties.useCustomClose,
      isModal: true,
    }),
    // Before any valid ones only what has a default is there.
    getResizeProperties: () =>
      copy(properties.resizeProperties) ?? { customClosePosition: "top-right", allowOffscreen: true },
  };

  // The page sees what it set at once; the host hears of it and may correct it.
  const setters = {
    __proto__: null,
    setExpandProperties(given) {
      if (!isOpenTo("expandProperties")) return;
      merge("expandProperties", given, ["width", "height"], isLength);
      merge("expandProperties", given, ["useCustomClose"], isBoolean);
    },
    setOrientationProperties(given) {
      if (!isOpenTo("orientationProperties")) return;
      merge("orientationProperties", given, ["allowOrientationChange"], isBoolean);
      merge("orientationProperties", given, ["forceOrientation"], isForce);
    },
    setResizeProperties(given) {
      if (isOpenTo("resizeProperties")) properties.resizeProperties = resizeProperties(given);
    },
    useCustomClose(given) {
      if (properties.state !== "hidden" && isBoolean(given)) properties.expandProperties.useCustomClose = given;
    },
  };

  const commands = [
    "close", "createCalendarEvent", "expand", "open", "playVideo", "resize", "storePicture", "unload",
  ];

  const mraid = {
    addEventListener(event, listener) {
      let problem = eventProblem(event);
      if (problem === undefined && typeof listener !== "function") problem = "the listener is no function";
      if (problem === undefined && !contains(listeners[event], listener)) append(listeners[event], listener);
      report("addEventListener", [event], problem);
    },
    // Without a listener it removes all of the event's.
    removeEventListener(event, listener) {
      const problem = eventProblem(event);
      const skips = problem === undefined && hidesNext(event, listener);
      if (problem === undefined) listeners[event] = remaining(listeners[event], listener);
      report("removeEventListener", [event], problem, { __proto__: null, skips: skips || undefined });
    },
    initVpaid(object) {
      const isHeard =
        properties.state !== "loading" && properties.state !== "hidden" && properties.supports.vpaid === true;
      const problem = isHeard ? vpaidProblem(object) : undefined;
      report("initVpaid", [], problem);
      if (isHeard && problem === undefined) subscribe(object);
    },
  };
  defineMethods(keys(getters), (name) => {
    const read = getters[name];
    return function () {
      const key = properties.state + " " + name + (name === "supports" ? " " + eventText(arguments[0]) : "");
      if (reportedGetters[key] !== true) {
        reportedGetters[key] = true;
        report(name, arguments);
      }
      return read(arguments[0]);
    };
  });
  defineMethods(keys(setters), (name) => {
    const set = setters[name];
    return function () {
      const given = plainList(arguments);
      const value = given.length > 0 ? given[0] : null;
      if (tell(name, arguments, value)) properties.resizeProperties = null;
      else set(value);
    };
  });
  defineMethods(commands, (name) => function () {
    tell(name, arguments, null);
  });

  defineMethods(container.refused ?? [], (name) => function () {
    report(name, arguments, name + " is not implemented");
  });
  defineMethods(container.inert ?? [], (name) => function () {
    report(name, arguments, undefined, { __proto__: null, inert: true });
  });
  for (let i = 0; i < (container.missing ?? []).length; i += 1) deleteProperty(mraid, container.missing[i]);

  // The interface that ads meet instead, made of this one.
  const other = __GALLEY_OTHER__;
  if (other) {
    const listen = (event, listener) => append(listeners[event], listener);
    const volume = () => properties.volume;
    passOn = other({
      __proto__: null, mraid, getters, listen, put, guarded, report: (name, values) => report(name, values), append,
      remaining, copy, post, hasGesture, plainList, volume, eventText, playable: copy(container.playable, true),
    }) ?? null;
  } else {
    if (!container.hidesEnvironment) put(root, "MRAID_ENV", copy(config.environment));
    put(root, "mraid", mraid);
  }

  // Takes one update of the host: all properties first, then the events in order.
  function receive(update) {
    const names = keys(update.properties);
    for (let i = 0; i < names.length; i += 1) properties[names[i]] = copy(update.properties[names[i]], true);
    // The host tells what listeners do from what the page does by itself meanwhile.
    post({ __proto__: null, type: "dispatch", begins: true });
    for (let i = 0; i < update.events.length; i += 1) dispatch(update.events[i].name, update.events[i].arguments);
    startVpaid();
    post({ __proto__: null, type: "dispatch", begins: false });
  }

  // Walks a copy of the listeners, so that they may change while it runs.
  function dispatch(event, values) {
    if (passOn !== null) return passOn(event, values);
    if (!(event in listeners) || (event === "ready" && isReady)) return;
    if (event === "ready") isReady = true;
    const called = [];
    const all = listeners[event];
    for (let i = 0; i < all.length; i += 1) append(called, all[i]);
    // Some containers walk the list itself: a removal moves the next one out of the way.
    const walked = container.skipsRemoved ? () => listeners[event] : () => called;
    const outer = running;
    for (let i = 0; i < walked().length; i += 1) {
      const listener = walked()[container.newestFirst ? walked().length - 1 - i : i];
      running = { __proto__: null, event, listener };
      const result = guarded(event, listener, undefined, copy(values));
      running = outer;
      if (result === failed && container.stopsAtException) return;
    }
  }

  // Whether a container that walks the list itself would miss the listener after this one, which removes itself.
  function hidesNext(event, listener) {
    if (running === null || running.event !== event || running.listener !== listener) return false;
    const all = listeners[event];
    return contains(all, listener) && all[all.length - 1] !== listener;
  }

  // Calls into the page; what it throws is reported and goes no further.
  function guarded(event, fn, self, values) {
    try {
      return apply(fn, self, values);
    } catch (error) {
      tellThrown(event, error);
      return failed;
    }
  }

  function tellThrown(event, error) {
    const message = thrownText(error);
    const file = place(error, "sourceURL");
    const line = place(error, "line");
    const column = place(error, "column");
    post({ __proto__: null, type: "listenerError", event, message, file, line, column });
  }

  // As the engine tells of what nobody catches: with the error's type.
  function thrownText(error) {
    try {
      return wellFormed(slice(text(error), 0, 2000));
    } catch (hostile) {
      return "";
    }
  }

  // Where an error was made, as the engine notes it on the error.
  function place(error, name) {
    try {
      const value = typeof error === "object" && error !== null ? error[name] : undefined;
      if (typeof value === "string") return wellFormed(slice(value, 0, 500));
      return isInteger(value) && value >= 0 ? value : undefined;
    } catch (hostile) {
      return undefined;
    }
  }

  function post(message) {
    send(stringify(message));
  }

  // `more` has what only some calls have: inert, told, skips.
  function report(name, values, problem, more) {
    const state = properties.state;
    const gesture = hasGesture();
    const budget = { __proto__: null, left: mostValues, text: mostText, isCut: false };
    const args = plainList(values, budget);
    const wrong = problem ?? (budget.isCut ? "an argument is longer than " + longestText + " characters" : undefined);
    const call = { __proto__: null, type: "call", name, args, gesture, state, problem: wrong };
    const { inert, told, skips } = more ?? { __proto__: null };
    post({ __proto__: null, ...call, inert, told, skips });
  }

  // Reports a call; some containers judge it in the page and raise its error before it returns.
  function tell(name, values, given) {
    const told = container.errorsInCall ? judged(name, given, container.errorsInCall) : undefined;
    report(name, values, undefined, { __proto__: null, told });
    if (told === undefined) return false;
    if (name === "setResizeProperties") properties.resizeProperties = null;
    dispatch("error", [told, name]);
    return true;
  }

  // What the page itself finds wrong; the host looks for the rest.
  function judged(name, given, rules) {
    if (properties.state !== "default" && properties.state !== "resized") return undefined;
    if (name === "resize" && properties.placementType === "inline") {
      const isSet = properties.resizeProperties !== null && properties.resizeProperties !== undefined;
      return isSet ? undefined : "resize() needs valid setResizeProperties() first";
    }
    return name === "setResizeProperties" ? misfit(given, rules) : undefined;
  }

  // Why resize properties can't be used, in the host's words.
  function misfit(given, rules) {
    const isObject = typeof given === "object" && given !== null && !isArray(given) && keys(given).length > 0;
    if (!isObject) return "resize properties must be an object with width, height, offsetX and offsetY";
    const names = ["width", "height", "offsetX", "offsetY"];
    for (let i = 0; i < names.length; i += 1) {
      const value = given[names[i]];
      if (value === undefined || value === null) return "resize property " + names[i] + " is missing";
      if (!isNumber(value)) return "resize property " + names[i] + " isn't a finite number";
    }
    const { width, height, allowOffscreen } = given;
    if (rules.needsAllowOffscreen && !isBoolean(allowOffscreen)) {
      return "resize property allowOffscreen must be true or false in this container";
    }
    const size = width + "x" + height;
    if (width < 50 || height < 50) return "a resized ad must be at least 50x50, not " + size;
    const { maxSize } = properties;
    if (width <= maxSize.width && height <= maxSize.height) return undefined;
    const larger = size + " is larger than maxSize " + maxSize.width + "x" + maxSize.height;
    if (rules.boundsOffscreen) return larger;
    return allowOffscreen === false ? larger + " and allowOffscreen is false" : undefined;
  }

  function eventProblem(event) {
    if (typeof event === "string" && event in listeners) return undefined;
    return "unknown event " + eventText(event);
  }

  function eventText(event) {
    return typeof event === "string" ? wellFormed(slice(event, 0, 100)) : "of type " + typeof event;
  }

  function isOpenTo(name) {
    return properties.state !== "hidden" && (name !== "expandProperties" || properties.state !== "expanded");
  }

  function merge(name, given, members, isValid) {
    if (typeof given !== "object" || given === null) return;
    for (let i = 0; i < members.length; i += 1) {
      const value = given[members[i]];
      if (isValid(value)) properties[name][members[i]] = value;
    }
  }

  // The host judges the frame; here only what is no set of resize properties at all is told apart.
  function resizeProperties(given) {
    if (typeof given !== "object" || given === null || isArray(given)) return null;
    const { width, height, offsetX, offsetY, customClosePosition, allowOffscreen } = given;
    if (!isNumber(width) || !isNumber(height) || !isNumber(offsetX) || !isNumber(offsetY)) return null;
    if (width < 50 || height < 50) return null;
    return {
      __proto__: null, width, height, offsetX, offsetY,
      customClosePosition: isClosePosition(customClosePosition) ? customClosePosition : "top-right",
      allowOffscreen: isBoolean(allowOffscreen) ? allowOffscreen : true,
    };
  }

  function vpaidProblem(object) {
    if (vpaid !== null) return "initVpaid was called before";
    if ((typeof object !== "object" && typeof object !== "function") || object === null) return "no VPAID object";
    for (let i = 0; i < vpaidMethods.length; i += 1) {
      if (typeof object[vpaidMethods[i]] !== "function") return "the VPAID object has no " + vpaidMethods[i];
    }
    return undefined;
  }

  function subscribe(object) {
    vpaid = object;
    for (let i = 0; i < vpaidEvents.length; i += 1) {
      const event = vpaidEvents[i];
      guarded("vpaid.subscribe", object.subscribe, object, [(...values) => postVpaid(event, values), event]);
    }
    later(startVpaid);
  }

  // Once, as soon as the ad is viewable.
  function startVpaid() {
    if (vpaid === null || isVpaidStarted || properties.isViewable !== true) return;
    isVpaidStarted = true;
    postVpaid("startAd", []);
    guarded("vpaid.startAd", vpaid.startAd, vpaid, []);
  }

  function postVpaid(event, values) {
    post({ __proto__: null, type: "vpaid", event, args: plainList(values) });
  }

  function defineMethods(names, method) {
    for (let i = 0; i < names.length; i += 1) put(mraid, names[i], method(names[i]));
  }

  // Own data properties only: nothing on Object.prototype or Array.prototype gets in between.
  function put(target, key, value) {
    defineProperty(target, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  }

  function append(list, value) {
    put(list, list.length, value);
  }

  function contains(list, value) {
    for (let i = 0; i < list.length; i += 1) if (list[i] === value) return true;
    return false;
  }

  function remaining(list, value) {
    const kept = [];
    if (value === undefined || value === null) return container.keepsUnnamed ? list : kept;
    for (let i = 0; i < list.length; i += 1) if (list[i] !== value) append(kept, list[i]);
    return kept;
  }

  // A deep copy of JSON data, for the page or, bare of prototypes, for keeping.
  function copy(value, isBare) {
    if (typeof value !== "object" || value === null) return value;
    const result = isArray(value) ? [] : {};
    if (isBare) setPrototypeOf(result, null);
    const names = keys(value);
    for (let i = 0; i < names.length; i += 1) put(result, names[i], copy(value[names[i]], isBare));
    return result;
  }

  // What a page hands over as bounded plain data: toJSON, getters that throw and cycles do no harm.
  function plainList(values, given) {
    const budget = given ?? { __proto__: null, left: mostValues, text: mostText, isCut: false };
    const list = [];
    setPrototypeOf(list, null);
    for (let i = 0; i < values.length && i < 20; i += 1) put(list, i, plain(values[i], budget, 0));
    return list;
  }

  function plain(value, budget, depth) {
    budget.left -= 1;
    switch (typeof value) {
      case "boolean": return value;
      case "number": return isFinite(value) ? value : null;
      case "string": return plainText(value, budget);
      case "bigint": return plainText(text(value), budget);
      case "object": return value === null || depth > deepest ? null : plainObject(value, budget, depth);
      default: return null;
    }
  }

  function plainText(value, budget) {
    const most = budget.text < longestText ? budget.text : longestText;
    if (value.length > most) budget.isCut = true;
    const kept = value.length > most ? slice(value, 0, most) : value;
    budget.text -= kept.length;
    return wellFormed(kept);
  }

  function plainObject(value, budget, depth) {
    try {
      return dateText(value);
    } catch (noDate) {
      // Then it is walked.
    }
    try {
      const result = isArray(value) ? [] : {};
      setPrototypeOf(result, null);
      const names = keys(value);
      for (let i = 0; i < names.length && budget.left > 0; i += 1) {
        put(result, plainText(names[i], budget), plain(value[names[i]], budget, depth + 1));
      }
      return result;
    } catch (hostile) {
      return null;
    }
  }

  // Half of a surrogate pair can't be said in JSON that everyone reads.
  function wellFormed(string) {
    let result = "";
    let from = 0;
    for (let i = 0; i < string.length; i += 1) {
      const code = charCodeAt(string, i);
      if (code < 0xd800 || code > 0xdfff) continue;
      const next = i + 1 < string.length ? charCodeAt(string, i + 1) : 0;
      if (code < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) {
        i += 1;
      } else {
        result += slice(string, from, i) + "\ufffd";
        from = i + 1;
      }
    }
    return from === 0 ? string : result + slice(string, from);
  }

  // Whether the person has just touched the page.
  function capturedGesture() {
    try {
      const activation = root.navigator.userActivation;
      let owner = activation;
      while (!hasOwn(owner, "isActive")) owner = getPrototypeOf(owner);
      const { get, value } = getOwnPropertyDescriptor(owner, "isActive");
      return get === undefined ? () => value === true : () => apply(get, activation, []) === true;
    } catch (missing) {
      return () => false;
    }
  }
})(__GALLEY_CONFIG__);
