internal import MRAID
package import Pixels
package import RenderModel

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
  package var pictures: [ScreenshotVerdict] = []
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

/// How two pictures of one name compare.
package struct ScreenshotVerdict: Hashable, Sendable {
  /// The picture's name, the second side's where they differ by number.
  package let name: String
  /// The first side's name where the two differ by number.
  package var former: String?
  package let verdict: Verdict
  /// Paths of both files, as far as there are.
  package let first: String?
  package let second: String?
  /// Nil unless both were compared.
  package var difference: ImageDifference?
  /// Why one can't be read.
  package var problem: String?
  /// Diff pictures that were written, by what they show.
  package var written: [String: String] = [:]

  /// Compared, with what may differ.
  package init(name: String, first: String, second: String, difference: ImageDifference, budget: DifferenceBudget) {
    (self.name, self.first, self.second, self.difference) = (name, first, second, difference)
    verdict = budget.allows(difference) ? .same : .different
  }

  /// On one side only, or unreadable.
  package init(name: String, verdict: Verdict, first: String?, second: String?, problem: String? = nil) {
    (self.name, self.verdict, self.first, self.second, self.problem) = (name, verdict, first, second, problem)
  }
}

/// How two things compare.
package enum Verdict: String, Sendable, Encodable, CaseIterable {
  case same
  case different
  /// Only on the first side.
  case missing
  /// Only on the second.
  case new
  /// One side can't be read.
  case unreadable
}
