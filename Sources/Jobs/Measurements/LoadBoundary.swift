/// One of the instants that somebody ends the initial load at, and what lies before and after it.
package struct LoadBoundary: Hashable, Sendable, Codable {
  /// Whose rule it is differs: creativeqa.io, AdValify, the IAB and OVK each have one.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    case domContentLoaded
    /// A second after it.
    case domContentLoadedAndOneSecond
    /// The window's `load` event.
    case windowLoad
    /// `document.readyState` is `complete`.
    case complete
  }

  package var kind: Kind
  /// Milliseconds since the load began; nil when it never came.
  package var t: Double?
  /// What was asked for by then; everything when it never came.
  package var initial: LoadWeight
  /// What was asked for later.
  package var subload: LoadWeight

  package init(kind: Kind, t: Double?, initial: LoadWeight, subload: LoadWeight) {
    self.kind = kind
    self.t = t
    self.initial = initial
    self.subload = subload
  }

  /// Divides the resources at `t`, by when each was asked for.
  package init(kind: Kind, t: Double?, dividing resources: [MeasuredResource]) {
    let isEarly = { (resource: MeasuredResource) in t.map { resource.start <= $0 } ?? true }
    self.init(
      kind: kind, t: t, initial: LoadWeight(resources.filter(isEarly)),
      subload: LoadWeight(resources.filter { !isEarly($0) }))
  }
}

extension LoadBoundary {
  /// All four, from the three that the page tells.
  package static func all(
    domContentLoaded: Double?, windowLoad: Double?, complete: Double?, dividing resources: [MeasuredResource]
  ) -> [LoadBoundary] {
    let instants: [(Kind, Double?)] = [
      (.domContentLoaded, domContentLoaded),
      (.domContentLoadedAndOneSecond, domContentLoaded.map { $0 + 1_000 }),
      (.windowLoad, windowLoad), (.complete, complete),
    ]
    return instants.map { LoadBoundary(kind: $0, t: $1, dividing: resources) }
  }
}
