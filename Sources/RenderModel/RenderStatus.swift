/// State of a render on a server or in a queue.
package enum RenderStatus: String, Hashable, Sendable, Codable, CaseIterable {
  case queued
  case running
  /// End of a complete rendering, whatever the checks found.
  case completed
  /// Failure to render to the end; the fault has the reason.
  case failed
  case cancelled
  /// Exclusion from rendering, since too many workers were lost under the creative.
  case quarantined

  /// True if the state can't change any more.
  package var isFinal: Bool { self != .queued && self != .running }
}
