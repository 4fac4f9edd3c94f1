internal import Core

extension MRAIDSession {
  /// Performs a call by MRAID's table of states; calls without an effect are reported with the reason.
  mutating func perform(_ command: MRAIDCommand, from part: AdPart, gesture: Bool) -> [MRAIDEffect] {
    guard parts.has(part) else { return [.ignored(command, reason: "the second part is closed")] }
    switch command {
    case .unload: return unload()
    case .addEventListener(let event): return listened(to: event, from: part)
    case .misuse(let action, let message) where action.hasSuffix("EventListener"):
      return error(message, action, to: part)
    case _ where !isReady(part): return performBeforeReady(command, from: part)
    case _ where state == .hidden: return performHidden(command, from: part)
    case .expand(let url): return expand(url, from: part)
    case .resize: return resize(from: part)
    case .close: return close(cause: "close", from: part)
    case .setExpandProperties, .setResizeProperties, .setOrientationProperties, .useCustomClose:
      return set(command, from: part)
    case .open, .playVideo, .storePicture, .createCalendarEvent, .initVpaid:
      let call = DeviceCall(command, gesture: gesture, on: profile)
      return call.effects + (call.problem.map { error($0, command.action, to: part) } ?? [])
    case .misuse(let action, let message): return error(message, action, to: part)
    }
  }

  /// Closes the ad, with the same outcome for `close()` and for the host's own control.
  mutating func close(cause: String, from part: AdPart?) -> [MRAIDEffect] {
    switch (state, profile.placementType) {
    case (.expanded, _), (.resized, _): return begin(.default, .default, cause: cause, from: part)
    case (.default, .interstitial): return begin(.hidden, .hidden, cause: cause, from: part)
    case (.default, .inline): return [.ignored(.close, reason: "the host keeps a banner in its default state")]
    case (.loading, _): return [.ignored(.close, reason: "the ad is loading")]
    case (.hidden, _): return [.ignored(.close, reason: "the ad is hidden")]
    }
  }

  private mutating func expand(_ url: String?, from part: AdPart) -> [MRAIDEffect] {
    let command = MRAIDCommand.expand(url: url)
    guard state != .expanded else { return [.ignored(command, reason: "the ad is expanded already")] }
    guard profile.placementType == .inline else { return [.ignored(command, reason: "an interstitial can't expand")] }
    let address = url.map(AdLink.trim).flatMap { $0.isEmpty ? nil : $0 }
    if let address, let problem = AdLink.resourceProblem(address) { return error(problem, "expand", to: part) }
    return begin(.expanded, .expanded(url: address), cause: "expand", from: part)
  }

  private mutating func resize(from part: AdPart) -> [MRAIDEffect] {
    if state == .expanded { return error("an expanded ad can't be resized", "resize", to: part) }
    guard profile.placementType == .inline else { return [.ignored(.resize, reason: "an interstitial can't resize")] }
    guard let properties = settings.resize else {
      return error("resize() needs valid setResizeProperties() first", "resize", to: part)
    }
    do throws(ResizeRejection) {
      let rules = profile.behaviour.resize
      let frame = try properties.frame(in: geometry, rules: rules)
      let presentation = Presentation.resized(frame: frame, closePosition: properties.closePosition(by: rules))
      shownResize = properties
      return begin(.resized, presentation, cause: "resize", from: part)
    } catch {
      return reject(error, "resize", from: part)
    }
  }

  private mutating func unload() -> [MRAIDEffect] {
    isUnloaded = true
    pending = nil
    held = nil
    return [.unload] + drain()
  }

  /// Sends a new listener the current value of events that have one, to all listeners of the part; before `ready` it
  /// waits.
  private mutating func listened(to event: String, from part: AdPart) -> [MRAIDEffect] {
    guard event == "exposureChange" || event == "audioVolumeChange" else { return [] }
    guard profile.behaviour.answersListeners else { return [] }
    guard isReady(part) else {
      parts.want(event, for: part)
      return []
    }
    return parts.deliver([event == "exposureChange" ? facts.exposureChange : facts.audioVolumeChange], to: part, facts)
  }

  /// Performs a call before `ready`: properties are kept, without `error`; all other calls have no effect.
  private mutating func performBeforeReady(_ command: MRAIDCommand, from part: AdPart) -> [MRAIDEffect] {
    switch command {
    case .setExpandProperties, .setResizeProperties, .setOrientationProperties, .useCustomClose:
      return [.premature(command)] + set(command, from: part)
    default: return [.ignored(command, reason: "the ad is loading")]
    }
  }

  /// Ignores a call while the ad is hidden, and restores properties that the page has merged already.
  private mutating func performHidden(_ command: MRAIDCommand, from part: AdPart) -> [MRAIDEffect] {
    let ignored = MRAIDEffect.ignored(command, reason: "the ad is hidden")
    guard let key = command.settableKey else { return [ignored] }
    parts.overrule(key, of: part)
    return [ignored] + deliverToAll()
  }

  /// Applies properties that the page set.
  private mutating func set(_ command: MRAIDCommand, from part: AdPart) -> [MRAIDEffect] {
    guard let key = command.settableKey else { return [] }
    let rules = profile.behaviour.resize
    switch settings.set(command, isExpanded: state == .expanded, in: geometry, rules: rules) {
    case .kept(let customClose):
      parts.settle(key, of: part, facts)
      let effects = (customClose.map { [.customClose($0)] } ?? []) + deliverToAll()
      return key == "orientationProperties" ? effects + refreshOrientation(for: state) : effects
    case .ignored(let reason):
      parts.overrule(key, of: part)
      return [.ignored(command, reason: reason)] + deliverToAll()
    case .rejected(let rejection): return reject(rejection, "setResizeProperties", from: part)
    }
  }

  /// Unsets the resize properties and, once the part is ready, sends it the reason.
  private mutating func reject(_ rejection: ResizeRejection, _ action: String, from part: AdPart) -> [MRAIDEffect] {
    settings.resize = nil
    parts.overrule("resizeProperties", of: part)
    guard isReady(part) else { return deliverToAll() }
    let other: AdPart = part == .one ? .two : .one
    return error(rejection.description, action, to: part) + parts.deliver([], to: other, facts)
  }
}

extension MRAIDCommand {
  /// Name of a call that leaves the ad, as `error` gives it.
  fileprivate var action: String {
    switch self {
    case .open: "open"
    case .playVideo: "playVideo"
    case .storePicture: "storePicture"
    case .createCalendarEvent: "createCalendarEvent"
    default: "initVpaid"
    }
  }
}
