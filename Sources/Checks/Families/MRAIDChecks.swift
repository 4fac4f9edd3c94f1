internal import Core
internal import RenderModel

/// Use of the container by a creative.
enum MRAIDChecks {
  static let all: [Check] = [
    prematureCall, ignoredCall, rejectedResize, resizeWithoutProperties, resizeWithoutAllowOffscreen, hostError,
    MRAIDSourceChecks.missingScript, MRAIDSourceChecks.bundledScript, MRAIDSourceChecks.readyWithoutState, exposureOnly,
    skippedListener, MRAIDSourceChecks.nonStandardMethod, MRAIDSourceChecks.messageHandlers, ignoredCustomClose,
    twoPartExpand, MRAIDSourceChecks.overwrittenGlobal, earlyGeometry, staleGeometry, needlessLock,
  ]

  static let prematureCall = Check(
    "premature-call", family: .mraid, severity: .error, title: "Call before ready",
    why: "Before ready a container may ignore any call, and the ad then stays blank or doesn't respond.",
    remedy: "Check mraid.getState() first; while it returns \"loading\", wait for the ready event.",
    source: .mraid3, needs: .rendered
  ) { context in
    guard context.usesMRAID else { return nil }
    // Between loading and ready the state is another's already, and only the container knows.
    let called = context.events(.creative, actions).filter { $0.event.detail["state"]?.string == "loading" }
    let told = context.events(.mraid, .premature)
    let name: (CheckContext.Met) -> String = { $0.event.source == .mraid ? $0.text("command") : $0.event.name }
    return context.issues(on: called + told, subject: name) { "\(name($0))() was called before ready" }
  }

  /// Calls that an ad has no use for before `ready`.
  ///
  /// It may ask for the state, the version and what is supported, listen, offer its VPAID object and unload; sizes and
  /// positions have a check of their own.
  private static let actions: [Event.Name] = [
    .open, .close, .expand, .resize, .playVideo, .storePicture, .createCalendarEvent, .useCustomClose,
    .setExpandProperties, .setResizeProperties, .setOrientationProperties, .isViewable,
  ]

  static let ignoredCall = Check(
    "ignored-call", family: .mraid, severity: .warning, title: "Call without effect",
    why: "By the standard this call has no effect in this state, so the intended action doesn't happen.",
    remedy: "Check mraid.getState() and getPlacementType() before the call, and skip it where it has no effect.",
    source: .mraid3, needs: .touched
  ) { context in
    guard context.usesMRAID else { return nil }
    return context.issues(on: context.events(.mraid, .ignored), subject: { $0.text("command") }) {
      "\($0.text("command"))() had no effect: \($0.text("reason"))"
    }
  }

  static let rejectedResize = Check(
    "rejected-resize", family: .mraid, severity: .error, title: "Resize rejected",
    why: "The container reports an error and the ad keeps its size, often with content laid out for another size.",
    remedy:
      "Set all properties before every resize(): at least 50×50, within getMaxSize() unless allowOffscreen is true.",
    source: .mraid2, needs: .touched
  ) { context in
    guard context.usesMRAID, !context.events(.creative, .setResizeProperties).isEmpty else { return nil }
    let errors = context.events(.mraid, .error).filter { $0.action(in: [.resize, .setResizeProperties]) }
    return context.issues(on: errors, subject: \.errorSubject) { "\($0.errorAction)(): \($0.errorMessage)" }
  }

  static let hostError = Check(
    "host-error", family: .mraid, severity: .warning, title: "Error from the container",
    why: "The container rejected a call, so its action didn't happen; an app shows no sign of the error.",
    remedy: "Check supports() first, pass arguments that the standard allows, and handle the error event.",
    source: .mraid3, needs: .touched
  ) { context in
    guard context.usesMRAID else { return nil }
    let errors = context.events(.mraid, .error).filter { !$0.action(in: [.resize, .setResizeProperties]) }
    return context.issues(on: errors, subject: \.errorSubject) { "\($0.errorAction)(): \($0.errorMessage)" }
  }

  static let resizeWithoutProperties = Check(
    "resize-without-properties", family: .mraid, severity: .error, title: "resize() without properties",
    why: "Resize properties have no defaults; without them every container rejects the resize.",
    remedy: "Call setResizeProperties() with width, height, offsetX and offsetY before resize().",
    source: .mraid2, needs: .touched
  ) { context in
    let calls = context.events(.creative, .resize)
    guard !calls.isEmpty else { return nil }
    guard context.events(.creative, .setResizeProperties).isEmpty else { return [] }
    return context.issues(on: [calls[0]], subject: { _ in "resize" }) { _ in
      "resize() was called without setResizeProperties()"
    }
  }

  static let resizeWithoutAllowOffscreen = Check(
    "resize-without-allow-offscreen", family: .mraid, severity: .note, title: "allowOffscreen is missing",
    why: "The standard has a default for allowOffscreen, but Prebid's iOS SDK rejects properties without it.",
    remedy: "Set allowOffscreen explicitly in setResizeProperties().",
    source: Citation(
      title: "prebid-mobile-ios",
      url: "https://github.com/prebid/prebid-mobile-ios/blob/d7d7b4eca96c0a470233de39987d2a1d28a2e9ac/js/mraid.js",
      date: "2026-08-19"), needs: .touched
  ) { context in
    let calls = context.events(.creative, .setResizeProperties)
    guard !calls.isEmpty else { return nil }
    let bare = calls.filter { $0.event.detail["problem"] == nil && $0.lacksAllowOffscreen }
    return context.issues(on: bare, subject: { _ in "setResizeProperties" }) { _ in
      "setResizeProperties() was called without allowOffscreen"
    }
  }

  static let needlessLock = Check(
    "needless-orientation-lock", family: .mraid, severity: .note, title: "Unnecessary orientation lock",
    why: "A lock keeps the user from rotating the ad, some SDKs ignore it, and only ads of one orientation need it.",
    remedy: "Support both orientations, or set the required one in forceOrientation.",
    source: Citation(
      title: "prebid-mobile-ios 1299", url: "https://github.com/prebid/prebid-mobile-ios/issues/1299",
      date: "2026-11-21"), needs: .rendered
  ) { context in
    let calls = context.events(.creative, .setOrientationProperties)
    guard !calls.isEmpty else { return nil }
    let locks = calls.filter(\.locks)
    guard let first = locks.first else { return [] }
    if context.neverFillsTheScreen {
      return [CheckIssue("the ad locks the orientation but never expands", subject: "unexpanded", event: first.seq)]
    }
    guard !calls.contains(where: \.namesOrientation) else { return [] }
    return [
      CheckIssue("the ad locks the orientation that the device happens to have", subject: "any", event: first.seq)
    ]
  }

  static let earlyGeometry = Check(
    "early-geometry", family: .mraid, severity: .warning, title: "Size or position read before ready",
    why: "Sizes and positions are unknown while loading: containers return zeros, and the layout is wrong.",
    remedy: "Read sizes and positions once the ad is ready, and again at sizeChange.",
    source: .mraid2, needs: .rendered
  ) { context in
    let asked = context.events(
      .creative, .getCurrentPosition, .getDefaultPosition, .getMaxSize, .getScreenSize)
    guard !asked.isEmpty else { return nil }
    let early = asked.filter { $0.event.detail["state"]?.string == "loading" }
    return context.issues(on: early, subject: { $0.event.name }) { "\($0.event.name)() was called before ready" }
  }

  static let staleGeometry = Check(
    "stale-geometry", family: .mraid, severity: .note, title: "Size or position read only once",
    why: "Rotation, scrolling and resizing change sizes and positions, so values that were read once become wrong.",
    remedy: "Listen to sizeChange, or to the window's resize event, and read the values again.",
    source: Citation(
      title: "mraid/webtester 7", url: "https://github.com/mraid/webtester/issues/7", date: "2026-11-21"),
    needs: .rendered.union([.code])
  ) { context in
    let asked = context.events(.creative, .getCurrentPosition, .getMaxSize, .getScreenSize)
    guard let first = asked.first, !context.sources.isEmpty else { return nil }
    let listens = context.events(.creative, .addEventListener).contains {
      $0.listens(to: .sizeChange, .stateChange, .exposureChange)
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
        "the ad calls \(first.event.name)() but listens to no changes", subject: first.event.name, event: first.seq)
    ]
  }

  static let ignoredCustomClose = Check(
    "ignored-custom-close", family: .mraid, severity: .note, title: "Custom close requested",
    why: "MRAID 3 containers always draw their own close control, so the ad has two there.",
    remedy: "Leave the close control to the container, and keep the top right corner free for it.",
    source: .mraid3, needs: .rendered
  ) { context in
    guard context.usesMRAID else { return nil }
    let calls = context.events(.creative, .useCustomClose, .setExpandProperties).filter(\.wantsCustomClose)
    return context.issues(on: calls, subject: { $0.event.name }) { "\($0.event.name)() requests a custom close" }
  }

  static let twoPartExpand = Check(
    "two-part-expand", family: .mraid, severity: .note, title: "Two-part expand",
    why: "MRAID 3 deprecates expand(url): it loads a second page late, and SDKs have broken it more than once.",
    remedy: "Call expand() without an address, and show the larger content in the same document.",
    source: .mraid3, needs: .touched
  ) { context in
    let calls = context.events(.creative, .expand)
    guard !calls.isEmpty else { return nil }
    let twoPart = calls.filter { $0.event.detail["arguments"]?[0]?.string?.isEmpty == false }
    return context.issues(on: twoPart, subject: { _ in "expand" }) {
      "expand(\"\($0.event.detail["arguments"]?[0]?.plain ?? "")\") loads a second page"
    }
  }

  static let exposureOnly = Check(
    "exposure-only", family: .mraid, severity: .note, title: "Waits only for exposureChange",
    why: "exposureChange is new in MRAID 3 and some SDKs never send it; an ad that waits for it doesn't react there.",
    remedy: "Listen to viewableChange too, or call isViewable() when the ad is ready.",
    source: Citation(
      title: "prebid-mobile-android 878", url: "https://github.com/prebid/prebid-mobile-android/issues/878",
      date: "2026-11-21"), needs: .rendered
  ) { context in
    let listens = context.events(.creative, .addEventListener)
    guard listens.contains(where: { $0.listens(to: .exposureChange) }) else { return nil }
    guard !listens.contains(where: { $0.listens(to: .viewableChange) }),
      context.events(.creative, .isViewable).isEmpty
    else { return [] }
    return [CheckIssue("the ad listens to exposureChange but not to viewableChange")]
  }

  static let skippedListener = Check(
    "skipped-listener", family: .mraid, severity: .warning, title: "Self-removing listener skips the next one",
    why: "Some containers iterate over the live list of listeners: if a listener removes itself, they don't call "
      + "the next one.",
    remedy: "Use a flag to react only once, or remove the listener in a later task: setTimeout(…, 0).",
    source: Citation(
      title: "prebid-mobile-android 732", url: "https://github.com/prebid/prebid-mobile-android/pull/732",
      date: "2024-01-04"), needs: .rendered
  ) { context in
    let removals = context.events(.creative, .removeEventListener)
    guard context.usesMRAID, !context.events(.creative, .addEventListener).isEmpty else { return nil }
    let skips = removals.filter { $0.event.detail["skips"]?.bool == true }
    return context.issues(on: skips, subject: { $0.event.detail["arguments"]?[0]?.string ?? "" }) {
      "a listener of \($0.event.detail["arguments"]?[0]?.string ?? "an event") removes itself, and another follows"
    }
  }
}

extension CheckContext.Met {
  /// Arguments of an `error` event: message and action.
  fileprivate var errorMessage: String { event.detail["arguments"]?[0]?.plain ?? "no message" }
  fileprivate var errorAction: String { event.detail["arguments"]?[1]?.string ?? "an unknown call" }
  /// Subject without numbers, which differ between devices.
  fileprivate var errorSubject: String {
    errorAction + " " + String(errorMessage.map { $0.isNumber ? "#" : $0 })
  }
  fileprivate func action(in names: Set<Event.Name>) -> Bool {
    names.contains(Event.Name(rawValue: errorAction))
  }

  /// Indicates if it is a call of `addEventListener` for one of these events.
  func listens(to names: Event.Name...) -> Bool {
    let heard = event.detail["arguments"]?[0]?.string
    return names.contains { $0.rawValue == heard }
  }
}

extension CheckContext.Met {
  fileprivate var lacksAllowOffscreen: Bool {
    guard let properties = event.detail["arguments"]?[0]?.object else { return false }
    return properties["allowOffscreen"] == nil
  }
}

extension CheckContext.Met {
  private var properties: JSONValue? { event.detail["arguments"]?[0] }
  /// Indicates if `forceOrientation` is `portrait` or `landscape`.
  fileprivate var namesOrientation: Bool {
    ["portrait", "landscape"].contains(properties?["forceOrientation"]?.string)
  }
  /// Indicates if the ad can't be rotated by the user any more.
  var locks: Bool { properties?["allowOrientationChange"]?.bool == false || namesOrientation }
}

extension CheckContext {
  /// Indicates if it is a banner that was explored completely and never called `expand`.
  fileprivate var neverFillsTheScreen: Bool {
    record.placement?.kind == .banner && exploration?.isComplete == true && events(.creative, .expand).isEmpty
  }
}

extension CheckContext.Met {
  /// Indicates if the call is `useCustomClose(true)`, or sets the same in the expand properties.
  var wantsCustomClose: Bool {
    let argument = event.detail["arguments"]?[0]
    return argument?.bool == true || argument?["useCustomClose"]?.bool == true
  }
}
