package import Comparison
internal import Core
internal import FoundationEssentials
internal import GRDB

/// How a render compares with its baseline, and where what people say of that stands.
package struct Review: Hashable, Sendable, Codable {
  /// What is to be done about it.
  package enum State: String, Sendable, Codable, CaseIterable {
    /// Nothing: it is as its baseline, or nobody waits for it.
    case none
    /// Somebody has to look.
    case open
    case approved
    case rejected
    /// A later render of the same is to be looked at instead.
    case superseded
  }

  package var render: String
  /// Of the baseline that it is compared with.
  package var key: BaselineKey
  package var comparison: CreativeVerdict
  package var state: State
  /// One more with each change, so that nobody decides about what they haven't seen.
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

  /// Of a render with these parts that has no baseline.
  init(of render: String, name: String, _ request: RenderRequest?, showing parts: [String]) {
    let sight = BaselineSight(BaselineVariant.key(name, request), showing: parts)
    self.init(sight, of: render, isLabelled: request?.isLabelled == true)
  }

  /// The first of a render; labelled ones wait for somebody where there is no baseline yet, others don't.
  init(_ sight: BaselineSight, of render: String, isLabelled: Bool) {
    self.render = render
    (key, comparison, against, facts) = (sight.key, sight.comparison, sight.against, sight.facts)
    revision = 1
    state = Self.state(of: sight.comparison, isLabelled: isLabelled)
  }

  /// What is to be done about a comparison that nobody has decided about.
  static func state(of comparison: CreativeVerdict, isLabelled: Bool) -> State {
    switch comparison {
    case .unchanged: .none
    case .new: isLabelled ? .open : .none
    case .changed, .refused, .failed: .open
    }
  }
}

/// What was found beside a baseline, as pages and the API show it without comparing again.
package struct ReviewFacts: Hashable, Sendable, Codable {
  /// A picture, the event log or the states.
  package struct Part: Hashable, Sendable, Codable {
    package var name: String
    package var verdict: BaselineVerdict
    /// The baseline's picture, by its hash.
    package var baseline: String?
    /// A picture of what differs, by its path in the result.
    package var highlight: String?
    /// How many pixels differ.
    package var differing: Int?
  }

  package var parts: [Part] = []
  /// What the event log says differently, the first of it.
  package var findings: [String] = []
  package var findingCount = 0
  /// What is other in what drew it, or why it can't be compared.
  package var differences: [String] = []

  /// Parts that somebody has to look at.
  var changes: [Part] { parts.filter { $0.verdict != .unchanged && $0.verdict != .flaky } }

  /// The picture that shows the most of what differs.
  var thumbnail: String? {
    parts.filter { $0.highlight != nil }.max { $0.differing ?? 0 < $1.differing ?? 0 }?.highlight
  }

  var text: String { JSONText.plain(self) ?? "{}" }

  static func read(_ text: String) -> ReviewFacts {
    (try? JSONDecoder().decode(ReviewFacts.self, from: Data(text.utf8))) ?? ReviewFacts()
  }
}

/// Something that somebody decided about a render or a baseline; kept for good.
package struct Decision: Hashable, Sendable, Codable {
  /// What was done.
  package enum Action: String, Sendable, Codable, CaseIterable {
    /// What the render shows became the baseline, or parts of it did.
    case approve
    /// What the render shows is as good as the baseline, which stays.
    case variant
    case reject
    /// The baseline was removed.
    case remove
    /// An earlier decision was taken back.
    case undo
  }

  package var number: Int64
  package var key: BaselineKey
  /// The render it is about; nil for a baseline's removal.
  package var render: String?
  package var action: Action
  /// A token's name.
  package var who: String
  /// Milliseconds since 1970.
  package var timestamp: Int64
  package var comment: String?
  /// The parts that were chosen; nil for all.
  package var parts: [String]?
  /// Hashes of the baseline's manifest before and after; nil for none.
  package var before: String?
  package var after: String?
  /// The decision that this one takes back.
  package var undoes: Int64?
  /// The decision that took this one back.
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
