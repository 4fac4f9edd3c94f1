internal import Jobs

extension Check {
  static let unopenable = Check(
    "unopenable", family: .robustness, severity: .error, title: "Can't be opened",
    why: "What can't be opened here is refused by every network as well.",
    remedy: "Hand in an HTML file, a folder or a zip with an index.html.", source: .cm360
  ) { evidence in
    let record = evidence.record
    guard record.outcome == .failed, record.fault == .creative, evidence.events.isEmpty else {
      return record.outcome == .completed ? [] : nil
    }
    return [Remark(record.message ?? "it can't be opened", subject: record.code ?? "")]
  }

  static let crash = Check(
    "crash", family: .robustness, severity: .error, title: "Ends its web process",
    why: "An ad that ends its web process takes the app's web views with it, or the app.",
    remedy: "Look for endless loops, memory and pictures that grow; try with less.", source: .html
  ) { evidence in
    guard evidence.hasLoaded else { return nil }
    let ended = evidence.events(.page, "webProcessEnded")
    if !ended.isEmpty {
      return evidence.remarks(on: ended, subject: { $0.text("reason") }) {
        "its web process ended: \($0.text("reason"))"
      }
    }
    guard evidence.record.outcome == .crashed || breaking.contains(evidence.record.code ?? "") else { return [] }
    return [Remark(evidence.record.message ?? "its web process ended", subject: evidence.record.code ?? "crash")]
  }

  /// Failures that end a render by what the page itself did.
  private static let breaking: Set<String> = [
    "memory-limit", "web-process-crashed", "endless-dialogs", "navigation-loop",
  ]

  static let endlessLog = Check(
    "endless-events", family: .robustness, severity: .warning, title: "Never comes to rest",
    why: "Calls, console lines or requests in their thousands cost battery in every app.",
    remedy: "Look for a timer or listener that calls itself.", source: .html
  ) { evidence in
    guard evidence.hasLoaded else { return nil }
    return evidence.events(.host, "logTruncated").map {
      Remark("more than \($0.text("capacity")) events were logged", event: $0.seq)
    }
  }
}
