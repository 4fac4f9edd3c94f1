internal import Core
internal import FoundationEssentials
internal import RenderModel

/// What of an event log says that a creative doesn't work as it should.
package struct LoggedTroubles {
  package private(set) var exceptions = 0
  package private(set) var requests = 0

  /// Nothing where there is no log.
  package init(_ path: String) {
    let data = (try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)) ?? Data()
    for line in data.split(separator: UInt8(ascii: "\n")) {
      // Most lines are others, and reading them all as JSON takes longer than a render's summary may.
      guard Self.names.contains(where: { line.firstRange(of: $0) != nil }),
        let event = try? JSONDecoder().decode(Event.self, from: Data(line))
      else { continue }
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
