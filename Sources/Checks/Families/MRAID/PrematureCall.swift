internal import Jobs

extension Check {
  static let prematureCall = Check(
    "premature-call", family: .mraid, severity: .error, title: "Call before ready",
    why: "Before ready a container may ignore any call, and the ad then stays blank or dead there.",
    remedy: "Ask mraid.getState() first; while it is \"loading\", do everything in a listener for ready.",
    source: .mraid3
  ) { evidence in
    guard evidence.usesMRAID else { return nil }
    return evidence.remarks(on: evidence.events(.mraid, "premature"), subject: { $0.text("command") }) {
      "\($0.text("command"))() was called before ready"
    }
  }
}
