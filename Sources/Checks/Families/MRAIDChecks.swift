internal import Core
internal import RenderModel

/// How a creative uses its container.
enum MRAIDChecks {
  static let all: [Check] = [
    prematureCall, ignoredCall, rejectedResize, resizeWithoutProperties, resizeWithoutAllowOffscreen, hostError,
    MRAIDSourceChecks.missingScript, MRAIDSourceChecks.bundledScript, MRAIDSourceChecks.readyWithoutState, exposureOnly,
    skippedListener, MRAIDSourceChecks.nonStandardMethod, MRAIDSourceChecks.messageHandlers, ignoredCustomClose,
    twoPartExpand, MRAIDSourceChecks.overwrittenGlobal, earlyGeometry, staleGeometry, needlessLock,
  ]

  static let prematureCall = Check(
    "premature-call", family: .mraid, severity: .error, title: "Call before ready",
    why: "Before ready a container may ignore any call, and the ad then stays blank or dead there.",
    remedy: "Ask mraid.getState() first; while it is \"loading\", do everything in a listener for ready.",
    source: .mraid3
  ) { context in
    guard context.usesMRAID else { return nil }
    // Between loading and ready the state is another's already, and only the container knows.
    let called = context.events(.creative, actions).filter { $0.event.detail["state"]?.string == "loading" }
    let told = context.events(.mraid, "premature")
    let name: (CheckContext.Met) -> String = { $0.event.source == .mraid ? $0.text("command") : $0.event.name }
    return context.issues(on: called + told, subject: name) { "\(name($0))() was called before ready" }
  }

  /// What an ad has no use for before `ready`. It may ask for the state, the version and what is supported, listen,
  /// offer its VPAID object and unload; sizes and positions have a check of their own.
  private static let actions = [
    "open", "close", "expand", "resize", "playVideo", "storePicture", "createCalendarEvent", "useCustomClose",
    "setExpandProperties", "setResizeProperties", "setOrientationProperties", "isViewable",
  ]

  static let ignoredCall = Check(
    "ignored-call", family: .mraid, severity: .warning, title: "Call without effect",
    why: "The standard gives this call no effect in this state, so what the ad wanted doesn't happen.",
    remedy: "Look at mraid.getState() and getPlacementType() before the call, and do without it there.",
    source: .mraid3
  ) { context in
    guard context.usesMRAID else { return nil }
    return context.issues(on: context.events(.mraid, "ignored"), subject: { $0.text("command") }) {
      "\($0.text("command"))() had no effect: \($0.text("reason"))"
    }
  }

  static let rejectedResize = Check(
    "rejected-resize", family: .mraid, severity: .error, title: "Resize refused",
    why: "The container answers with an error and the ad keeps its size, often with its content laid out for another.",
    remedy:
      "Set whole resize properties before every resize(), at least 50×50, and within getMaxSize() unless off screen.",
    source: .mraid2
  ) { context in
    guard context.usesMRAID, !context.events(.creative, "setResizeProperties").isEmpty else { return nil }
    let errors = context.events(.mraid, "error").filter { $0.action(in: ["resize", "setResizeProperties"]) }
    return context.issues(on: errors, subject: \.errorSubject) { "\($0.errorAction)(): \($0.errorMessage)" }
  }

  static let hostError = Check(
    "host-error", family: .mraid, severity: .warning, title: "Container's error",
    why: "The container said no: what the ad asked for didn't happen, and an app shows nothing of it.",
    remedy: "Ask supports() first, hand over what the standard wants, and listen for error to do without.",
    source: .mraid3
  ) { context in
    guard context.usesMRAID else { return nil }
    let errors = context.events(.mraid, "error").filter { !$0.action(in: ["resize", "setResizeProperties"]) }
    return context.issues(on: errors, subject: \.errorSubject) { "\($0.errorAction)(): \($0.errorMessage)" }
  }

  static let resizeWithoutProperties = Check(
    "resize-without-properties", family: .mraid, severity: .error, title: "resize() without properties",
    why: "Resize properties have no defaults: without them every container refuses the resize.",
    remedy: "Call setResizeProperties() with width, height, offsetX and offsetY before resize().",
    source: .mraid2
  ) { context in
    let calls = context.events(.creative, "resize")
    guard !calls.isEmpty else { return nil }
    guard context.events(.creative, "setResizeProperties").isEmpty else { return [] }
    return context.issues(on: [calls[0]], subject: { _ in "resize" }) { _ in
      "resize() was called and setResizeProperties() never"
    }
  }

  static let resizeWithoutAllowOffscreen = Check(
    "resize-without-allow-offscreen", family: .mraid, severity: .note, title: "allowOffscreen left out",
    why: "The standard has a default for allowOffscreen, but Prebid's iOS SDK refuses properties without it.",
    remedy: "Write allowOffscreen out in setResizeProperties().",
    source: Citation(
      title: "prebid-mobile-ios",
      url: "https://github.com/prebid/prebid-mobile-ios/blob/d7d7b4eca96c0a470233de39987d2a1d28a2e9ac/js/mraid.js",
      date: "2026-08-19")
  ) { context in
    let calls = context.events(.creative, "setResizeProperties")
    guard !calls.isEmpty else { return nil }
    let bare = calls.filter { $0.event.detail["problem"] == nil && $0.lacksAllowOffscreen }
    return context.issues(on: bare, subject: { _ in "setResizeProperties" }) { _ in
      "setResizeProperties() was called without allowOffscreen"
    }
  }

  static let needlessLock = Check(
    "needless-orientation-lock", family: .mraid, severity: .note, title: "Locks the orientation without need",
    why: "A lock takes a person's turning away, some SDKs ignore it, and only an ad of one shape has a use for it.",
    remedy: "Lay out for both orientations, or name the one that is needed in forceOrientation.",
    source: Citation(
      title: "prebid-mobile-ios 1299", url: "https://github.com/prebid/prebid-mobile-ios/issues/1299",
      date: "2026-11-21")
  ) { context in
    let calls = context.events(.creative, "setOrientationProperties")
    guard !calls.isEmpty else { return nil }
    let locks = calls.filter(\.locks)
    guard let first = locks.first else { return [] }
    if context.neverFillsTheScreen {
      return [CheckIssue("it locks the orientation and never expands", subject: "unexpanded", event: first.seq)]
    }
    guard !calls.contains(where: \.namesOrientation) else { return [] }
    return [CheckIssue("it locks whichever orientation the device is in", subject: "any", event: first.seq)]
  }

  static let earlyGeometry = Check(
    "early-geometry", family: .mraid, severity: .warning, title: "Measures before ready",
    why: "Sizes and positions aren't known while loading: containers answer zeros, and the ad is laid out for nothing.",
    remedy: "Ask for sizes and positions once the ad is ready, and again at sizeChange.",
    source: .mraid2
  ) { context in
    let asked = context.events(
      .creative, "getCurrentPosition", "getDefaultPosition", "getMaxSize", "getScreenSize")
    guard !asked.isEmpty else { return nil }
    let early = asked.filter { $0.event.detail["state"]?.string == "loading" }
    return context.issues(on: early, subject: { $0.event.name }) { "\($0.event.name)() was asked before ready" }
  }

  static let staleGeometry = Check(
    "stale-geometry", family: .mraid, severity: .note, title: "Measures once",
    why: "Rotation, scrolling and resizing change sizes and positions: what was read once is wrong from then on.",
    remedy: "Listen to sizeChange, or to the window's resize, and ask again there.",
    source: Citation(
      title: "mraid/webtester 7", url: "https://github.com/mraid/webtester/issues/7", date: "2026-11-21")
  ) { context in
    let asked = context.events(.creative, "getCurrentPosition", "getMaxSize", "getScreenSize")
    guard let first = asked.first, !context.sources.isEmpty else { return nil }
    let listens = context.events(.creative, "addEventListener").contains {
      ["sizeChange", "stateChange", "exposureChange"].contains($0.event.detail["arguments"]?[0]?.string)
    }
    let names = ["resize", "orientationchange", "ResizeObserver", "matchMedia"]
    let looks = context.sources.contains { source in
      names.contains { source.text.contains("'\($0)'") || source.text.contains("\"\($0)\"") }
        || source.text.contains("onresize") || source.text.contains("ResizeObserver")
        || source.text.contains("matchMedia")
    }
    guard !listens, !looks else { return [] }
    return [
      CheckIssue(
        "it asks \(first.event.name)() and never hears of a change", subject: first.event.name, event: first.seq)
    ]
  }

  static let ignoredCustomClose = Check(
    "ignored-custom-close", family: .mraid, severity: .note, title: "useCustomClose",
    why: "MRAID 3 containers draw their own close control whatever the ad wants, so the ad has two there.",
    remedy: "Leave the close control to the container, and keep the top right corner free for it.",
    source: .mraid3
  ) { context in
    guard context.usesMRAID else { return nil }
    let calls = context.events(.creative, "useCustomClose", "setExpandProperties").filter(\.wantsCustomClose)
    return context.issues(on: calls, subject: { $0.event.name }) { "\($0.event.name)() asks for a custom close" }
  }

  static let twoPartExpand = Check(
    "two-part-expand", family: .mraid, severity: .note, title: "Two-part expand",
    why: "MRAID 3 deprecates expand(url): it loads a second page late, and SDKs have broken it more than once.",
    remedy: "Expand without an address and show the larger content of the same document.",
    source: .mraid3
  ) { context in
    let calls = context.events(.creative, "expand")
    guard !calls.isEmpty else { return nil }
    let twoPart = calls.filter { $0.event.detail["arguments"]?[0]?.string?.isEmpty == false }
    return context.issues(on: twoPart, subject: { _ in "expand" }) {
      "expand(\"\($0.event.detail["arguments"]?[0]?.plain ?? "")\") loads a second page"
    }
  }

  static let exposureOnly = Check(
    "exposure-only", family: .mraid, severity: .note, title: "Waits for exposureChange only",
    why: "exposureChange is new in MRAID 3 and some SDKs never send it: an ad that waits for it stays as it is there.",
    remedy: "Listen to viewableChange too, or ask isViewable() when the ad is ready.",
    source: Citation(
      title: "prebid-mobile-android 878", url: "https://github.com/prebid/prebid-mobile-android/issues/878",
      date: "2026-11-21")
  ) { context in
    let listens = context.events(.creative, "addEventListener")
    let heard = Set(listens.compactMap { $0.event.detail["arguments"]?[0]?.string })
    guard heard.contains("exposureChange") else { return nil }
    guard !heard.contains("viewableChange"), context.events(.creative, "isViewable").isEmpty else { return [] }
    return [CheckIssue("it listens to exposureChange, and to viewableChange never")]
  }

  static let skippedListener = Check(
    "skipped-listener", family: .mraid, severity: .warning, title: "Hides a listener from some containers",
    why: "Where a container walks its list of listeners while they change, the one after a listener that removes "
      + "itself isn't called.",
    remedy: "Listen once with a flag, or remove the listener in a task of its own: setTimeout(…, 0).",
    source: Citation(
      title: "prebid-mobile-android 732", url: "https://github.com/prebid/prebid-mobile-android/pull/732",
      date: "2024-01-04")
  ) { context in
    let removals = context.events(.creative, "removeEventListener")
    guard context.usesMRAID, !context.events(.creative, "addEventListener").isEmpty else { return nil }
    let skips = removals.filter { $0.event.detail["skips"]?.bool == true }
    return context.issues(on: skips, subject: { $0.event.detail["arguments"]?[0]?.string ?? "" }) {
      "a listener of \($0.event.detail["arguments"]?[0]?.string ?? "an event") removes itself, and another comes after it"
    }
  }
}

extension CheckContext.Met {
  /// The arguments of `error`: message and action.
  fileprivate var errorMessage: String { event.detail["arguments"]?[0]?.plain ?? "no message" }
  fileprivate var errorAction: String { event.detail["arguments"]?[1]?.string ?? "an unknown call" }
  /// Numbers differ with the device; the sentence doesn't.
  fileprivate var errorSubject: String {
    errorAction + " " + String(errorMessage.map { $0.isNumber ? "#" : $0 })
  }
  fileprivate func action(in names: [String]) -> Bool { names.contains(errorAction) }
}

extension CheckContext.Met {
  fileprivate var lacksAllowOffscreen: Bool {
    guard let properties = event.detail["arguments"]?[0]?.object else { return false }
    return properties["allowOffscreen"] == nil
  }
}

extension CheckContext.Met {
  private var properties: JSONValue? { event.detail["arguments"]?[0] }
  /// `forceOrientation` of one of both.
  fileprivate var namesOrientation: Bool {
    ["portrait", "landscape"].contains(properties?["forceOrientation"]?.string)
  }
  /// Whether a person can't turn the ad any more.
  fileprivate var locks: Bool { properties?["allowOrientationChange"]?.bool == false || namesOrientation }
}

extension CheckContext {
  /// Whether it is a banner that was tried through and through and never took the screen.
  fileprivate var neverFillsTheScreen: Bool {
    record.placement?.kind == .banner && exploration?.isComplete == true && events(.creative, "expand").isEmpty
  }
}

extension CheckContext.Met {
  /// `useCustomClose(true)`, or the same among expand properties.
  var wantsCustomClose: Bool {
    let argument = event.detail["arguments"]?[0]
    return argument?.bool == true || argument?["useCustomClose"]?.bool == true
  }
}
