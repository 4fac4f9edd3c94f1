package import Core
internal import FoundationEssentials
package import RenderModel

/// What differs between the event logs of two renders, times apart.
package struct EventComparison: Hashable, Sendable {
  /// How many events each log has.
  package let firstCount: Int
  package let secondCount: Int
  /// In the order of the second log; what was lost stands where it was.
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

extension EventFinding {
  /// One line for people: `creative/open now comes before mraid/viewableChange`.
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

  /// Nil beyond the end; written out, as JSON's null is a literal nil too.
  private static func element(_ index: Int, of array: [JSONValue]) -> JSONValue? {
    array.indices.contains(index) ? Optional.some(array[index]) : Optional.none
  }
}
