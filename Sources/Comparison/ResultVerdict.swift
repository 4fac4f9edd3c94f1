internal import MRAID
package import Pixels
package import RenderModel

/// Comparison of two renders of one creative.
package struct ResultVerdict: Hashable, Sendable {
  /// Member whose value differs between the two records.
  package struct RecordChange: Hashable, Sendable, Encodable {
    package let member: String
    package let first: String
    package let second: String

    package init(member: String, first: String, second: String) {
      (self.member, self.first, self.second) = (member, first, second)
    }
  }

  /// Path of the result folder relative to both sides; empty for the sides themselves.
  package var name: String
  package var pictures: [ScreenshotVerdict] = []
  /// Comparison of the event logs; nil unless both sides have a log.
  package var events: EventComparison?
  package var record: [RecordChange] = []
  /// Comparison of the creative's files; nil if one side has no list of files.
  package var files: FileComparison?
  /// Reasons why parts of the results couldn't be compared.
  package var problems: [String] = []
  private let side: Verdict?

  /// Makes an empty comparison; `side` is the verdict of a result that only one side has.
  package init(name: String, onlyOn side: Verdict? = nil) {
    (self.name, self.side) = (name, side)
  }

  /// Verdict on the whole result: the same only if all parts are; changed files alone count as `filesChanged`.
  package var verdict: Verdict {
    if let side { return side }
    let isSame =
      pictures.allSatisfy { $0.verdict == .same } && events?.findings.isEmpty ?? true && record.isEmpty
      && problems.isEmpty
    return isSame ? files?.changes.isEmpty ?? true ? .same : .filesChanged : .different
  }

  /// Returns the differences between two records in outcome, error code, states and device.
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

/// Comparison of two pictures with one name.
package struct ScreenshotVerdict: Hashable, Sendable {
  /// Picture's name; that of the second side if the names differ in their number.
  package let name: String
  /// Name on the first side if the two names differ in their number; nil otherwise.
  package var former: String?
  package let verdict: Verdict
  /// Paths of both files; nil for a missing side.
  package let first: String?
  package let second: String?
  /// Differing pixels; nil unless both pictures were compared.
  package var difference: ImageDifference?
  /// Reason why one of the pictures can't be read.
  package var problem: String?
  /// Paths of the diff pictures that were written, by their kind.
  package var written: [String: String] = [:]

  /// Makes the verdict of a comparison; a difference within the budget counts as the same.
  package init(name: String, first: String, second: String, difference: ImageDifference, budget: DifferenceBudget) {
    (self.name, self.first, self.second, self.difference) = (name, first, second, difference)
    verdict = budget.allows(difference) ? .same : .different
  }

  /// Makes the verdict for a picture that only one side has, or that is unreadable.
  package init(name: String, verdict: Verdict, first: String?, second: String?, problem: String? = nil) {
    (self.name, self.verdict, self.first, self.second, self.problem) = (name, verdict, first, second, problem)
  }
}

/// Outcome of a comparison.
package enum Verdict: String, Sendable, Encodable, CaseIterable {
  case same
  case different
  /// Pictures, events and record are the same, but the creative's files differ.
  case filesChanged = "files-changed"
  /// Present on the first side only.
  case missing
  /// Present on the second side only.
  case new
  /// Unreadable on one side.
  case unreadable
}
