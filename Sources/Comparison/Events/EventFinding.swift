package import Jobs
package import MRAID

/// One way in which an event log differs from another.
package struct EventFinding: Hashable, Sendable, Encodable {
  package enum Change: String, Sendable, Encodable, CaseIterable {
    /// Only in the second log.
    case added
    /// Only in the first.
    case lost
    /// In both, but in another order.
    case moved
    /// At the same place with another detail.
    case changed
  }

  /// An event that a moved one has overtaken or fallen behind.
  package struct Crossing: Hashable, Sendable, Encodable {
    package enum Relation: String, Sendable, Encodable {
      case before, after
    }

    /// Where the moved event is now.
    package let now: Relation
    package let source: Event.Source
    package let name: String
  }

  /// A part of the detail that has another value.
  package struct Member: Hashable, Sendable, Encodable {
    /// `arguments[0].width`
    package let path: String
    /// Nil where the first log has no such member.
    package let first: JSONValue?
    package let second: JSONValue?
  }

  package let change: Change
  package let source: Event.Source
  package let name: String
  /// The event's number in the first log.
  package var first: Int?
  package var second: Int?
  /// What belongs to an added or lost event, without measurements.
  package var detail: JSONValue?
  /// The nearest event that a moved one has crossed.
  package var crossing: Crossing?
  /// What is other in a changed one.
  package var members: [Member]?
}
