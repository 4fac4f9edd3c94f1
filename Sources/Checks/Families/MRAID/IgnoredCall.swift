internal import Jobs

extension Check {
  static let ignoredCall = Check(
    "ignored-call", family: .mraid, severity: .warning, title: "Call without effect",
    why: "The standard gives this call no effect in this state, so what the ad wanted doesn't happen.",
    remedy: "Look at mraid.getState() and getPlacementType() before the call, and do without it there.",
    source: .mraid3
  ) { evidence in
    guard evidence.usesMRAID else { return nil }
    return evidence.remarks(on: evidence.events(.mraid, "ignored"), subject: { $0.text("command") }) {
      "\($0.text("command"))() had no effect: \($0.text("reason"))"
    }
  }
}
