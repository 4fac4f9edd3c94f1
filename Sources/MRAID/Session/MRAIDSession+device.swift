extension MRAIDSession {
  /// Calls that leave the ad: the browser, the player, the photo album, the calendar, VPAID.
  mutating func useDevice(_ command: MRAIDCommand, from part: AdPart, gesture: Bool) -> [MRAIDEffect] {
    switch command {
    case .open(let url): return open(url, from: part, gesture: gesture)
    case .playVideo(let uri): return playVideo(uri, from: part)
    case .storePicture(let uri): return storePicture(uri, from: part)
    case .createCalendarEvent(let event): return createCalendarEvent(event, from: part)
    case .initVpaid:
      guard profile.supports.contains("vpaid") else { return unsupported("vpaid", "initVpaid", from: part) }
      return [.vpaid("init")]
    default: return []
    }
  }

  /// `sms:` and `tel:` count as features: what `supports()` denies is an `error`, not a clickthrough.
  private mutating func open(_ url: String, from part: AdPart, gesture: Bool) -> [MRAIDEffect] {
    let address = AdLink.trim(url)
    if let problem = AdLink.destinationProblem(address) { return error(problem, "open", to: part) }
    if let scheme = AdLink.scheme(of: address), scheme == "sms" || scheme == "tel" {
      guard profile.supports.contains(scheme) else { return unsupported(scheme, "open", from: part) }
    }
    if profile.behaviour.openNeedsGesture, !gesture {
      return [.ignored(.open(url: url), reason: "nobody has just touched the ad, which this container wants")]
    }
    return [.open(address, gesture: gesture)]
  }

  private mutating func playVideo(_ uri: String, from part: AdPart) -> [MRAIDEffect] {
    if let problem = AdLink.resourceProblem(uri) { return error(problem, "playVideo", to: part) }
    return [.playVideo(AdLink.trim(uri))]
  }

  private mutating func storePicture(_ uri: String, from part: AdPart) -> [MRAIDEffect] {
    guard profile.supports.contains("storePicture") else {
      return unsupported("storePicture", "storePicture", from: part)
    }
    if let problem = AdLink.resourceProblem(uri) { return error(problem, "storePicture", to: part) }
    let effect = MRAIDEffect.storePicture(AdLink.trim(uri), confirmed: profile.confirms)
    return [effect] + refusal("storePicture", from: part)
  }

  private mutating func createCalendarEvent(_ event: JSONValue, from part: AdPart) -> [MRAIDEffect] {
    let action = "createCalendarEvent"
    guard profile.supports.contains("calendar") else { return unsupported("calendar", action, from: part) }
    guard let members = event.object, !members.isEmpty else {
      return error("createCalendarEvent needs an event object", action, to: part)
    }
    if let problem = CalendarDate.problem(of: members) { return error(problem, action, to: part) }
    return [.createCalendarEvent(event, confirmed: profile.confirms)] + refusal(action, from: part)
  }

  private mutating func unsupported(_ feature: String, _ action: String, from part: AdPart) -> [MRAIDEffect] {
    error("\(feature) is not supported", action, to: part)
  }

  private mutating func refusal(_ action: String, from part: AdPart) -> [MRAIDEffect] {
    profile.confirms ? [] : error("the user refused", action, to: part)
  }
}
