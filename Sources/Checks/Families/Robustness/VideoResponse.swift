internal import Jobs
internal import MRAID

extension Check {
  static let vastFlaw = Check(
    "vast-flaw", family: .robustness, severity: .warning, title: "Flaws in the video response",
    why: "Players differ in what they put up with: what this one mended, another refuses.",
    remedy: "Write the response as the standard's schema has it.", source: .vast
  ) { evidence in
    guard evidence.isVideo else { return nil }
    return evidence.remarks(on: evidence.events(.vast, "flaw"), subject: { $0.text("message") }) {
      "line \($0.text("line")): \($0.text("message"))"
    }
  }

  static let vastError = Check(
    "vast-error", family: .robustness, severity: .warning, title: "Told as an error by the player",
    why: "The ad server hears of it as a failed or half-shown ad, and reports count it so.",
    remedy: "Mend what the code stands for: a file that isn't there, or one of a type that players don't show.",
    source: .vast
  ) { evidence in
    guard evidence.isVideo else { return nil }
    return evidence.remarks(on: evidence.events(.vast, "error"), subject: { $0.text("code") + $0.text("message") }) {
      "VAST error \($0.text("code")): \($0.text("message"))"
    }
  }
}

extension Evidence {
  /// Whether it is an ad server's answer with a film, or was to be one.
  fileprivate var isVideo: Bool { events.contains { $0.source == .vast } }
}
