package import Core
internal import FoundationEssentials
package import RenderModel

/// Differences between the event logs of two renders, not counting times.
package struct EventComparison: Hashable, Sendable {
  /// Number of events in the first log; `secondCount` is that of the second.
  package let firstCount: Int
  package let secondCount: Int
  /// Differences in the order of the second log; a lost event is listed at its former place.
  package let findings: [EventFinding]

  package init(_ first: [Event], _ second: [Event]) {
    (firstCount, secondCount) = (first.count, second.count)
    findings = EventMatching(first, second).findings()
  }

  package func count(_ change: EventFinding.Change) -> Int { findings.count { $0.change == change } }
}

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

    /// Position of the moved event relative to the crossed one in the second log.
    package let now: Relation
    package let source: Event.Source
    package let name: String
  }

  /// Member of the detail whose value has changed.
  package struct Member: Hashable, Sendable, Encodable {
    /// Path within the detail, such as `arguments[0].width`.
    package let path: String
    /// Value in the first log; nil if the log has no such member.
    package let first: JSONValue?
    package let second: JSONValue?
  }

  package let change: Change
  package let source: Event.Source
  package let name: String
  /// The event's number in the first log.
  package var first: Int?
  package var second: Int?
  /// Detail of an added or lost event, without measurements.
  package var detail: JSONValue?
  /// Nearest event that a moved one has crossed.
  package var crossing: Crossing?
  /// Members that differ in a changed event.
  package var members: [Member]?
}

extension EventFinding {
  /// Finding as one readable line: `creative/open now comes before mraid/viewableChange`.
  package var text: String {
    let event = "\(source.rawValue)/\(name)"
    switch change {
    case .added: return "added \(event)\(Self.brief(detail))"
    case .lost: return "lost \(event)\(Self.brief(detail))"
    case .moved:
      guard let crossing else { return "\(event) moved" }
      return "\(event) now comes \(crossing.now.rawValue) \(crossing.source.rawValue)/\(crossing.name)"
    case .changed:
      let changes = (members ?? []).map { "\($0.path): \(Self.value($0.first)) → \(Self.value($0.second))" }
      return "\(event) changed: \(changes.joined(separator: ", "))"
    }
  }

  private static func brief(_ detail: JSONValue?) -> String {
    guard let detail, detail != .object([:]) else { return "" }
    return " " + value(detail)
  }

  private static func value(_ value: JSONValue?) -> String {
    guard let value else { return "nothing" }
    let text = JSONText.plain(value) ?? "?"
    return text.count > 80 ? text.prefix(79) + "…" : text
  }
}

/// Finds the innermost parts of two details that differ.
enum DetailComparison {
  static func members(_ first: JSONValue?, _ second: JSONValue?, path: String = "") -> [EventFinding.Member] {
    if first == second { return [] }
    switch (first, second) {
    case (.object(let p)?, .object(let q)?):
      return Set(p.keys).union(q.keys).sorted().flatMap { key in
        members(p[key], q[key], path: path.isEmpty ? key : "\(path).\(key)")
      }
    case (.array(let p)?, .array(let q)?):
      return (0..<max(p.count, q.count)).flatMap { index in
        members(element(index, of: p), element(index, of: q), path: "\(path)[\(index)]")
      }
    default: return [EventFinding.Member(path: path, first: first, second: second)]
    }
  }

  /// Returns the element at an index, or nil beyond the end.
  ///
  /// `Optional.none` is written out because a literal nil would also be JSON's null.
  private static func element(_ index: Int, of array: [JSONValue]) -> JSONValue? {
    array.indices.contains(index) ? Optional.some(array[index]) : Optional.none
  }
}
