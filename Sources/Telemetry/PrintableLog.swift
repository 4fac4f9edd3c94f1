internal import Core
package import Logging

/// The server's log, in which text from clients and creatives is kept to one printable line.
struct PrintableLog: LogHandler {
  private var lines: any LogHandler

  init(_ lines: any LogHandler) { self.lines = lines }

  var logLevel: Logger.Level {
    get { lines.logLevel }
    set { lines.logLevel = newValue }
  }

  var metadata: Logger.Metadata {
    get { lines.metadata }
    set { lines.metadata = Self.printable(newValue) }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { lines[metadataKey: key] }
    set { lines[metadataKey: key] = newValue.map(Self.printable) }
  }

  func log(event: LogEvent) {
    var event = event
    event.message = "\(event.message.description.printable)"
    event.metadata = event.metadata.map(Self.printable)
    if let error = event.error {
      event.error = nil
      event.metadata = (event.metadata ?? [:]).merging(["error": "\("\(error)".printable)"]) { own, _ in own }
    }
    lines.log(event: event)
  }

  private static func printable(_ metadata: Logger.Metadata) -> Logger.Metadata { metadata.mapValues(printable) }

  private static func printable(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
    switch value {
    case .array(let values): .array(values.map(printable))
    case .dictionary(let values): .dictionary(printable(values))
    default: .string(value.description.printable)
    }
  }
}

/// Logging of long-running programs.
package enum ServiceLog {
  package static func make(verbose: Bool) -> Logger {
    var log = Logger(label: "galley") { PrintableLog(StreamLogHandler.standardError(label: $0)) }
    log.logLevel = verbose ? .info : .notice
    return log
  }
}
