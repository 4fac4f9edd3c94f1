/// Where a render stands.
package enum RenderStatus: String, Sendable, Codable, CaseIterable {
  case queued
  case running
  /// Rendered to its end; what checks say of it is another matter.
  case completed
  /// It couldn't be rendered to its end; the fault says why.
  case failed
  case cancelled
  /// Its creative killed too many workers to be tried again.
  case quarantined

  /// Whether nothing will change any more.
  package var isFinal: Bool { self != .queued && self != .running }
}
