internal import Jobs
internal import MRAID

extension Check {
  static let rejectedResize = Check(
    "rejected-resize", family: .mraid, severity: .error, title: "Resize refused",
    why: "The container answers with an error and the ad keeps its size, often with its content laid out for another.",
    remedy:
      "Set whole resize properties before every resize(), at least 50×50, and within getMaxSize() unless off screen.",
    source: .mraid2
  ) { evidence in
    guard evidence.usesMRAID, !evidence.events(.creative, "setResizeProperties").isEmpty else { return nil }
    let errors = evidence.events(.mraid, "error").filter { $0.action(in: ["resize", "setResizeProperties"]) }
    return evidence.remarks(on: errors, subject: \.errorSubject) { "\($0.errorAction)(): \($0.errorMessage)" }
  }

  static let hostError = Check(
    "host-error", family: .mraid, severity: .warning, title: "Container's error",
    why: "The container said no: what the ad asked for didn't happen, and an app shows nothing of it.",
    remedy: "Ask supports() first, hand over what the standard wants, and listen for error to do without.",
    source: .mraid3
  ) { evidence in
    guard evidence.usesMRAID else { return nil }
    let errors = evidence.events(.mraid, "error").filter { !$0.action(in: ["resize", "setResizeProperties"]) }
    return evidence.remarks(on: errors, subject: \.errorSubject) { "\($0.errorAction)(): \($0.errorMessage)" }
  }
}

extension Evidence.Met {
  /// The arguments of `error`: message and action.
  fileprivate var errorMessage: String { event.detail["arguments"]?[0]?.plain ?? "no message" }
  fileprivate var errorAction: String { event.detail["arguments"]?[1]?.string ?? "an unknown call" }
  /// Numbers differ with the device; the sentence doesn't.
  fileprivate var errorSubject: String {
    errorAction + " " + String(errorMessage.map { $0.isNumber ? "#" : $0 })
  }
  fileprivate func action(in names: [String]) -> Bool { names.contains(errorAction) }
}
