internal import Exploration
internal import Jobs
internal import MRAID

extension Check {
  static let readyWithoutState = Check(
    "ready-without-state", family: .mraid, severity: .warning, title: "Waits for ready only",
    why: "ready is raised once: an ad whose script comes later waits for ever and stays blank.",
    remedy: "Listen for ready only while mraid.getState() is \"loading\", else begin at once.",
    source: .mraid2
  ) { evidence in
    guard evidence.usesMRAID, !evidence.sources.isEmpty else { return nil }
    let waits = evidence.events(.creative, "addEventListener").first {
      $0.event.detail["arguments"]?[0]?.string == "ready"
    }
    guard let waits else { return nil }
    let asks = !evidence.events(.creative, "getState").isEmpty
    let names = evidence.sources.contains { $0.text.contains("getState") }
    return asks || names ? [] : [Remark("it listens for ready and never asks getState()", event: waits.seq)]
  }

  static let nonStandardMethod = Check(
    "non-standard-method", family: .mraid, severity: .warning, title: "Method no standard has",
    why: "What only one SDK's mraid has throws elsewhere, and the script ends there.",
    remedy: "Keep to MRAID's methods, or look whether the member is there before using it.",
    source: .mraid3
  ) { evidence in
    guard evidence.usesMRAID else { return nil }
    let passages = evidence.passages(/\bmraid\.([A-Za-z_$][\w$]*)\s*\(/, hint: "mraid.").filter {
      !Vocabulary.methods.contains(method($0.text)) && !evidence.guards(method($0.text))
    }
    return evidence.remarks(at: passages, subject: { method($0.text) }) {
      "mraid.\(method($0.text))() is no method of MRAID"
    }
  }

  static let messageHandlers = Check(
    "native-message-handler", family: .mraid, severity: .warning, title: "Talks past MRAID",
    why: "Message handlers and interfaces of one app don't exist in another, and no container answers for them.",
    remedy: "Use mraid for what the ad asks of its app.",
    source: .mraid3
  ) { evidence in
    guard !evidence.sources.isEmpty else { return nil }
    let passages = evidence.passages(/webkit\s*\.\s*messageHandlers/, hint: "messageHandlers")
    return evidence.remarks(at: passages, subject: { _ in "messageHandlers" }) { _ in
      "the code reaches for webkit.messageHandlers"
    }
  }

  /// `mraid.getSize (` → `getSize`
  private static func method(_ call: String) -> String {
    call.dropFirst("mraid.".count).prefix { $0 != "(" && !$0.isWhitespace }.description
  }
}

extension Evidence {
  /// Whether the code asks first if mraid has a member: `if (mraid.foo)`, `typeof mraid.foo`, `mraid.foo &&`.
  fileprivate func guards(_ member: String) -> Bool {
    sources.contains { source in
      [
        "if (mraid.\(member))", "if(mraid.\(member))", "typeof mraid.\(member)", "mraid.\(member) &&",
        "mraid.\(member)&&",
      ]
      .contains { source.text.contains($0) }
    }
  }
}
