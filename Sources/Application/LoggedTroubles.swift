internal import Core
internal import FoundationEssentials
package import RenderModel

/// What of an event log says that a creative doesn't work as it should.
package struct LoggedTroubles {
  package private(set) var exceptions = 0
  package private(set) var requests = 0

  /// Nothing where there is no log.
  package init(_ log: EventLogFile) {
    // Most lines are others, and reading them all as JSON takes longer than a render's summary may.
    let events = log.events { line in
      let line = Data(line)
      return Self.names.contains { line.firstRange(of: $0) != nil }
    }
    for event in events {
      switch (event.source, event.name) {
      case (.page, "exception"): exceptions += 1
      case (.network, "resource"): requests += Self.hasFailed(event) ? 1 : 0
      default: break
      }
    }
  }

  private static let names = [#""exception""#, #""resource""#].map { Data($0.utf8) }

  /// What was cancelled wasn't wanted any more.
  private static func hasFailed(_ event: Event) -> Bool {
    if let failure = event.detail["failure"]?.string { return !failure.lowercased().contains("cancelled") }
    return (event.detail["status"]?.number ?? 0) >= 400
  }
}
