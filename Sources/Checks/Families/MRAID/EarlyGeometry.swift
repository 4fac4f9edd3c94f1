internal import Jobs
internal import MRAID

extension Check {
  static let earlyGeometry = Check(
    "early-geometry", family: .mraid, severity: .warning, title: "Measures before ready",
    why: "Sizes and positions aren't known while loading: containers answer zeros, and the ad is laid out for nothing.",
    remedy: "Ask for sizes and positions once the ad is ready, and again at sizeChange.",
    source: .mraid2
  ) { evidence in
    let asked = evidence.events(
      .creative, "getCurrentPosition", "getDefaultPosition", "getMaxSize", "getScreenSize")
    guard !asked.isEmpty else { return nil }
    let early = asked.filter { $0.event.detail["state"]?.string == "loading" }
    return evidence.remarks(on: early, subject: { $0.event.name }) { "\($0.event.name)() was asked before ready" }
  }

  static let staleGeometry = Check(
    "stale-geometry", family: .mraid, severity: .note, title: "Measures once",
    why: "Rotation, scrolling and resizing change sizes and positions: what was read once is wrong from then on.",
    remedy: "Listen to sizeChange, or to the window's resize, and ask again there.",
    source: Citation(
      title: "mraid/webtester 7", url: "https://github.com/mraid/webtester/issues/7", date: "2026-11-21")
  ) { evidence in
    let asked = evidence.events(.creative, "getCurrentPosition", "getMaxSize", "getScreenSize")
    guard let first = asked.first, !evidence.sources.isEmpty else { return nil }
    let listens = evidence.events(.creative, "addEventListener").contains {
      ["sizeChange", "stateChange", "exposureChange"].contains($0.event.detail["arguments"]?[0]?.string)
    }
    let names = ["resize", "orientationchange", "ResizeObserver", "matchMedia"]
    let looks = evidence.sources.contains { source in
      names.contains { source.text.contains("'\($0)'") || source.text.contains("\"\($0)\"") }
        || source.text.contains("onresize") || source.text.contains("ResizeObserver")
        || source.text.contains("matchMedia")
    }
    guard !listens, !looks else { return [] }
    return [
      Remark("it asks \(first.event.name)() and never hears of a change", subject: first.event.name, event: first.seq)
    ]
  }
}
