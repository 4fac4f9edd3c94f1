internal import Jobs
internal import MRAID

extension Check {
  static let missingFile = Check(
    "missing-file", family: .robustness, severity: .error, title: "File not in the creative",
    why: "The ad asks for a file that was never handed in, so something of it is missing.",
    remedy: "Put the file in, or take out what asks for it; upper and lower case count.", source: .cm360
  ) { evidence in
    guard !evidence.resources.isEmpty else { return nil }
    let missing = evidence.resources.filter {
      $0.origin == .creative && $0.hasFailed && !$0.url.hasSuffix("/favicon.ico")
    }
    return evidence.remarks(on: missing) { "\($0.shortName) isn't in the creative" }
  }

  static let failedRequest = Check(
    "failed-request", family: .robustness, severity: .error, title: "Request failed",
    why: "What the ad asked a server for didn't come.",
    remedy: "Mend the address or the server, and show something without it.", source: .html
  ) { evidence in
    guard !evidence.resources.isEmpty else { return nil }
    let failed = evidence.resources.filter { $0.origin == .network && $0.hasFailed }
    return evidence.remarks(on: failed) { "\($0.shortName): \($0.failure ?? "status \($0.status)")" }
  }
}

extension MeasuredResource {
  /// Whether nothing useful came of it.
  fileprivate var hasFailed: Bool { failure != nil || status >= 400 }
}

extension Evidence {
  fileprivate func remarks(on resources: [MeasuredResource], message: (MeasuredResource) -> String) -> [Remark] {
    var known: Set<String> = []
    return resources.filter { known.insert($0.shortName).inserted }.map { resource in
      let event = events.first { $0.name == "resource" && $0.detail["url"]?.string == resource.url }
      return Remark(message(resource), subject: resource.shortName, event: event?.seq)
    }
  }
}
