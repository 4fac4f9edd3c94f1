internal import Jobs
internal import MRAID

extension Check {
  static let resizeWithoutProperties = Check(
    "resize-without-properties", family: .mraid, severity: .error, title: "resize() without properties",
    why: "Resize properties have no defaults: without them every container refuses the resize.",
    remedy: "Call setResizeProperties() with width, height, offsetX and offsetY before resize().",
    source: .mraid2
  ) { evidence in
    let calls = evidence.events(.creative, "resize")
    guard !calls.isEmpty else { return nil }
    guard evidence.events(.creative, "setResizeProperties").isEmpty else { return [] }
    return evidence.remarks(on: [calls[0]], subject: { _ in "resize" }) { _ in
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
  ) { evidence in
    let calls = evidence.events(.creative, "setResizeProperties")
    guard !calls.isEmpty else { return nil }
    let bare = calls.filter { $0.event.detail["problem"] == nil && $0.lacksAllowOffscreen }
    return evidence.remarks(on: bare, subject: { _ in "setResizeProperties" }) { _ in
      "setResizeProperties() was called without allowOffscreen"
    }
  }
}

extension Evidence.Met {
  fileprivate var lacksAllowOffscreen: Bool {
    guard let properties = event.detail["arguments"]?[0]?.object else { return false }
    return properties["allowOffscreen"] == nil
  }
}
