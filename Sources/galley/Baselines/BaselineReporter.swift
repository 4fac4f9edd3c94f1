internal import Baselines
internal import Core
internal import FoundationEssentials
internal import Jobs

/// Tells what came of baselines, as text for people or as one JSON document.
struct BaselineReporter {
  let output: OutputOptions
  let command: String
  var console = Console.output

  /// Tells a run's outcomes.
  func tell(
    _ outcomes: [BaselineOutcome], gone: [MissingCreative] = [], out: String, status: ExitStatus
  ) throws(Fault) {
    let palette = Palette(isTerminal: console.isTerminal, environment: ProcessInfo.processInfo.environment)
    let text = BaselineText(palette: palette, showsSame: !output.quiet).of(outcomes, gone: gone, out: out)
    try tell(BaselineDocument(command: command, outcomes: outcomes, gone: gone, exitCode: status.rawValue), text: text)
  }

  /// Tells a document, or the lines that say the same.
  func tell(_ document: BaselineStoreDocument, lines: [String]) throws(Fault) {
    try tell(document, text: output.quiet ? "" : lines.map { $0.printable + "\n" }.joined())
  }

  private func tell(_ document: some Encodable, text: String) throws(Fault) {
    if output.json { try console.tell(document: document) } else { try console.tell(text) }
  }

  /// `1.2 MB`
  static func size(_ bytes: Int) -> String {
    if bytes < 1000 { return "\(bytes) bytes" }
    let (unit, name) = bytes < 1_000_000 ? (1000, "kB") : (1_000_000, "MB")
    let tenths = (bytes * 10 + unit / 2) / unit
    return "\(tenths / 10).\(tenths % 10) \(name)"
  }
}
