internal import Core
internal import Jobs
internal import MRAID

extension Check {
  static let exception = Check(
    "exception", family: .robustness, severity: .error, title: "Uncaught exception",
    why: "The script ends there, and whatever it was to do never happens.",
    remedy: "Look at the place named; guard what a container or device may not have.", source: .html
  ) { evidence in
    guard evidence.hasLoaded else { return nil }
    return evidence.remarks(on: evidence.events(.page, "exception"), place: \.scriptPlace) {
      $0.event.detail["listener"].map { "a listener for \($0.plain) threw" } ?? $0.text("message")
    }
  }

  static let rejection = Check(
    "rejection", family: .robustness, severity: .warning, title: "Unhandled rejection",
    why: "Something the ad waited for failed, and nothing deals with that.",
    remedy: "Catch it and show something else.", source: .html
  ) { evidence in
    guard evidence.hasLoaded else { return nil }
    return evidence.remarks(on: evidence.events(.page, "rejection"), place: { _ in nil }) { $0.text("message") }
  }

  static let consoleError = Check(
    "console-error", family: .robustness, severity: .warning, title: "Error on the console",
    why: "The ad or the engine says that something is wrong.",
    remedy: "Mend what it says, or don't log it as an error.", source: .html
  ) { evidence in
    guard evidence.hasLoaded else { return nil }
    let errors = evidence.events(.page, "console").filter { $0.event.detail["level"]?.string == "error" }
    return evidence.remarks(on: errors, place: { _ in nil }) { String($0.text("text").prefix(300)) }
  }

  static let policyViolation = Check(
    "policy-violation", family: .robustness, severity: .warning, title: "Breaks its own content policy",
    why: "The ad's content security policy blocks what the ad itself wants to load.",
    remedy: "Allow it in the policy, or don't load it.",
    source: Citation(
      title: "Content Security Policy Level 3", url: "https://www.w3.org/TR/CSP3/", date: "2026-11-21")
  ) { evidence in
    guard evidence.hasLoaded else { return nil }
    return evidence.remarks(
      on: evidence.events(.page, "violation"), subject: { "\($0.text("directive")) \($0.text("blocked").withoutQuery)" }
    ) { "\($0.text("directive")) blocks \($0.text("blocked"))" }
  }
}

extension Evidence {
  /// A remark for each thing said, whatever numbers are in it, and where.
  fileprivate func remarks(
    on met: [Met], place: (Met) -> Finding.Place?, message: (Met) -> String
  ) -> [Remark] {
    let places = Dictionary(met.compactMap { met in place(met).map { (met.stableText(message), $0) } }) { first, _ in
      first
    }
    return remarks(on: met, subject: { $0.stableText(message) }, message: message).map {
      var remark = $0
      remark.place = places[$0.subject]
      return remark
    }
  }
}

extension Evidence.Met {
  /// What is said with each number as one sign.
  fileprivate func stableText(_ message: (Self) -> String) -> String {
    String(message(self).prefix(120).map { $0.isNumber ? "#" : $0 })
  }

  /// Where a script threw, in the creative or at an address.
  fileprivate var scriptPlace: Finding.Place? {
    guard let file = event.detail["file"]?.string, !file.isEmpty else { return nil }
    let own = "creative://ad/"
    return Finding.Place(
      file: file.hasPrefix(own) ? String(file.dropFirst(own.count)) : file,
      line: event.detail["line"]?.number.map { Bounded.int($0, in: 0...100_000_000) },
      column: event.detail["column"]?.number.map { Bounded.int($0, in: 0...100_000_000) })
  }
}
