package import Comparison
internal import Core
internal import FoundationEssentials
internal import GRDB
internal import Scheduling

/// The comparison of a render with its baseline, and the state of the users' decision about it.
package struct Review: Hashable, Sendable, Codable {
  /// State of the decision.
  package enum State: String, Sendable, Codable, CaseIterable {
    /// No decision needed: the render is unchanged, or new without labels.
    case none
    /// Waiting for a decision.
    case open
    case approved
    case rejected
    /// A later render with the same key is to be reviewed instead.
    case superseded
  }

  package var render: String
  /// The key of the baseline that it is compared with.
  package var key: BaselineKey
  package var comparison: CreativeVerdict
  package var state: State
  /// Number that increases with each change, so that a decision based on an outdated view is rejected.
  package var revision: Int
  /// The hash of the manifest it was compared with; nil when there was none.
  package var against: String?
  package var facts: ReviewFacts

  init(_ row: Row) {
    render = row["render"]
    key = BaselineKey(creative: row["creative"], variant: row["variant"])
    comparison = CreativeVerdict(rawValue: row["comparison"]) ?? .failed
    state = State(rawValue: row["state"]) ?? .none
    revision = row["revision"]
    against = row["against"]
    facts = ReviewFacts.read(row["facts"])
  }

  /// The review of a render with these parts that has no baseline.
  init(of render: String, name: String, _ request: RenderRequest?, showing parts: [String]) {
    let sight = BaselineSight(BaselineVariant.key(name, request), showing: parts)
    self.init(sight, of: render, isLabelled: request?.isLabelled == true)
  }

  /// The first review of a render. Without a baseline, only labelled renders wait for a decision.
  init(_ sight: BaselineSight, of render: String, isLabelled: Bool) {
    self.render = render
    (key, comparison, against, facts) = (sight.key, sight.comparison, sight.against, sight.facts)
    revision = 1
    state = Self.state(of: sight.comparison, isLabelled: isLabelled)
  }

  /// True if its names are safe as parts of paths.
  var isSound: Bool {
    let hashes = facts.parts.compactMap(\.baseline) + [against].compactMap(\.self)
    return RenderID.isOne(render) && key.isPlain
      && facts.parts.allSatisfy { $0.highlight.map(AbsolutePath.isPlain) ?? true }
      && hashes.allSatisfy { AbsolutePath.isPlainName($0) }
  }

  /// Initial state of a comparison without a decision.
  static func state(of comparison: CreativeVerdict, isLabelled: Bool) -> State {
    switch comparison {
    case .unchanged: .none
    case .new: isLabelled ? .open : .none
    case .changed, .filesChanged, .refused, .failed: .open
    }
  }
}

/// Details of a comparison with a baseline, stored for pages and the API.
package struct ReviewFacts: Hashable, Sendable, Codable {
  /// A screenshot, the event log, the states or the files.
  package struct Part: Hashable, Sendable, Codable {
    package var name: String
    package var verdict: BaselineVerdict
    /// SHA-256 of the baseline's screenshot; nil if it has none.
    package var baseline: String?
    /// Path of the picture of the differences within the result; nil if there is none.
    package var highlight: String?
    /// Number of pixels that differ; nil if they weren't compared.
    package var differing: Int?
  }

  package var parts: [Part] = []
  /// All differences between the records, and the first of those between the event logs.
  package var findings: [String] = []
  package var findingCount = 0
  /// Differences between the fingerprints, or the reason for which no comparison was possible.
  package var differences: [String] = []
  /// The first of the creative's files that differ from the baseline's; nil for none.
  package var files: [FileChange]?
  /// False if the baseline has no record of files; nil if there is no baseline, and in reviews of earlier versions.
  package var filesCompared: Bool?

  /// Parts that need a review.
  var changes: [Part] { parts.filter { $0.verdict != .unchanged && $0.verdict != .flaky } }

  /// The picture with the largest difference; nil if there is none.
  var thumbnail: String? {
    parts.filter { $0.highlight != nil }.max { $0.differing ?? 0 < $1.differing ?? 0 }?.highlight
  }

  var text: String { JSONText.plain(self) ?? "{}" }

  static func read(_ text: String) -> ReviewFacts {
    (try? JSONDecoder().decode(ReviewFacts.self, from: Data(text.utf8))) ?? ReviewFacts()
  }
}

/// A user's decision about a render or a baseline, kept permanently.
package struct Decision: Hashable, Sendable, Codable {
  /// Kind of the decision.
  package enum Action: String, Sendable, Codable, CaseIterable {
    /// The render, or parts of it, became the baseline.
    case approve
    /// The render is accepted in addition to the baseline, which stays.
    case variant
    case reject
    /// The baseline was removed.
    case remove
    /// An earlier decision was undone.
    case undo
  }

  package var number: Int64
  package var key: BaselineKey
  /// The render that was decided about; nil for a baseline's removal.
  package var render: String?
  package var action: Action
  /// The name of the user's token.
  package var who: String
  /// Milliseconds since 1970.
  package var timestamp: Int64
  package var comment: String?
  /// Names of the chosen parts; nil for all.
  package var parts: [String]?
  /// Hashes of the baseline's manifest before and after; nil for none.
  package var before: String?
  package var after: String?
  /// The number of the decision that this one undoes.
  package var undoes: Int64?
  /// The number of the decision that undid this one.
  package var undone: Int64?

  init(_ row: Row) {
    number = row["number"]
    key = BaselineKey(creative: row["creative"], variant: row["variant"])
    render = row["render"]
    action = Action(rawValue: row["action"]) ?? .reject
    who = row["who"]
    timestamp = row["instant"]
    comment = row["comment"]
    parts = (row["parts"] as String?)?.split(separator: "\n").map(String.init)
    (before, after) = (row["before"], row["after"])
    (undoes, undone) = (row["undoes"], row["undone"])
  }

  init(_ action: Action, of key: BaselineKey, render: String?, by who: String, at timestamp: Int64) {
    (self.action, self.key, self.render, self.who, self.timestamp) = (action, key, render, who, timestamp)
    number = 0
  }
}
