internal import Jobs
internal import MRAID

extension Check {
  static let needlessLock = Check(
    "needless-orientation-lock", family: .mraid, severity: .note, title: "Locks the orientation without need",
    why: "A lock takes a person's turning away, some SDKs ignore it, and only an ad of one shape has a use for it.",
    remedy: "Lay out for both orientations, or name the one that is needed in forceOrientation.",
    source: Citation(
      title: "prebid-mobile-ios 1299", url: "https://github.com/prebid/prebid-mobile-ios/issues/1299",
      date: "2026-11-21")
  ) { evidence in
    let calls = evidence.events(.creative, "setOrientationProperties")
    guard !calls.isEmpty else { return nil }
    let locks = calls.filter(\.locks)
    guard let first = locks.first else { return [] }
    if evidence.neverFillsTheScreen {
      return [Remark("it locks the orientation and never expands", subject: "unexpanded", event: first.seq)]
    }
    guard !calls.contains(where: \.namesOrientation) else { return [] }
    return [Remark("it locks whichever orientation the device is in", subject: "any", event: first.seq)]
  }
}

extension Evidence.Met {
  private var properties: JSONValue? { event.detail["arguments"]?[0] }
  /// `forceOrientation` of one of both.
  fileprivate var namesOrientation: Bool {
    ["portrait", "landscape"].contains(properties?["forceOrientation"]?.string)
  }
  /// Whether a person can't turn the ad any more.
  fileprivate var locks: Bool { properties?["allowOrientationChange"]?.bool == false || namesOrientation }
}

extension Evidence {
  /// Whether it is a banner that was tried through and through and never took the screen.
  fileprivate var neverFillsTheScreen: Bool {
    record.placement?.kind == .banner && exploration?.isComplete == true && events(.creative, "expand").isEmpty
  }
}
