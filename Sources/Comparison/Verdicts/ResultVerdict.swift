package import Jobs
internal import MRAID

/// How two renders of one creative compare.
package struct ResultVerdict: Hashable, Sendable {
  /// Something that has another value in the second record.
  package struct RecordChange: Hashable, Sendable, Encodable {
    package let member: String
    package let first: String
    package let second: String

    package init(member: String, first: String, second: String) {
      (self.member, self.first, self.second) = (member, first, second)
    }
  }

  /// The result's folder below both sides; empty for the sides themselves.
  package let name: String
  package var pictures: [PictureVerdict] = []
  /// Nil when not both sides have a log.
  package var events: EventComparison?
  package var record: [RecordChange] = []
  /// Why something can't be compared.
  package var problems: [String] = []
  private let side: Verdict?

  /// Compared; `side` says when there is only one.
  package init(name: String, onlyOn side: Verdict? = nil) {
    (self.name, self.side) = (name, side)
  }

  /// The same only when everything is.
  package var verdict: Verdict {
    if let side { return side }
    let isSame =
      pictures.allSatisfy { $0.verdict == .same } && events?.findings.isEmpty ?? true && record.isEmpty
      && problems.isEmpty
    return isSame ? .same : .different
  }

  /// What two records say differently of the outcome, the states and why it failed.
  package static func changes(_ first: RenderRecord, _ second: RenderRecord) -> [RecordChange] {
    let members: [(String, (RenderRecord) -> String)] = [
      ("outcome", { $0.outcome.rawValue }), ("code", { $0.code ?? "" }),
      ("states", { $0.states.map(\.rawValue).joined(separator: " → ") }),
      ("device", { "\($0.device.name)@\($0.device.scale)" }),
    ]
    return members.compactMap { name, value in
      let (p, q) = (value(first), value(second))
      return p == q ? nil : RecordChange(member: name, first: p, second: q)
    }
  }
}
