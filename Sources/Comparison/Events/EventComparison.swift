package import Jobs

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
