internal import Core
internal import FoundationEssentials
package import RenderModel

/// Numbers of errors that an event log has for a creative.
package struct LoggedTroubles {
  package private(set) var exceptions = 0
  package private(set) var requests = 0
  /// Requests that the call or its network guard prevented from reaching their servers.
  package private(set) var cutOff = 0

  /// Counts the errors; all zero if there is no log.
  package init(_ log: EventLogFile) {
    // Most lines are others, and reading them all as JSON takes longer than a render's summary may.
    let events = log.events { line in
      let line = Data(line)
      return Self.names.contains { line.firstRange(of: $0) != nil }
    }
    for event in events {
      switch (event.source, Event.Name(rawValue: event.name)) {
      case (.page, .exception): exceptions += 1
      case (.network, .resource):
        let isCutOff = event.detail["refused"]?.string.map { !Self.vain.contains($0) } ?? false
        cutOff += isCutOff ? 1 : 0
        requests += !isCutOff && Self.hasFailed(event) ? 1 : 0
      default: break
      }
    }
  }

  private static let names = [Event.Name.exception, .resource].map { Data("\"\($0.rawValue)\"".utf8) }

  /// Refusals that are caused by the network and not by the call.
  private static let vain: Set<String> = ["unknown-host", "unreachable"]

  /// Returns true if a request failed; cancelled requests don't count, since they were no longer wanted.
  private static func hasFailed(_ event: Event) -> Bool {
    if let failure = event.detail["failure"]?.string { return !failure.lowercased().contains("cancelled") }
    return (event.detail["status"]?.number ?? 0) >= 400
  }
}
