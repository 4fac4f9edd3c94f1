package import Application
package import Core
internal import MRAID

/// Prints the contents of creatives: an outline of each response, or one JSON document.
package struct InspectionReporter {
  private let output: OutputOptions
  private let console: Console

  package init(output: OutputOptions, console: Console) { (self.output, self.console) = (output, console) }

  package func printMessage(_ inspection: Inspection) throws(Fault) {
    if output.json { return try console.printMessage(document: inspection) }
    let entries = inspection.creatives.filter { !output.quiet || $0.message != nil }
    try console.printMessage(entries.map(text).joined(separator: "\n"))
  }

  private func text(_ entry: Inspection.Entry) -> String {
    let path = entry.path.printable
    if let message = entry.message {
      return "\(path)  \("error: \(message)\(entry.code.map { " [\($0)]" } ?? "")".printable)\n"
    }
    let shown = entry.shows == entry.kind ? nil : entry.shows
    let kind = [entry.kind, shown].compactMap(\.self).joined(separator: ", shows ")
    let parts = [("bid", entry.bid), ("vast", entry.vast), ("vmap", entry.vmap), ("native", entry.native)]
    let outlines = parts.map { name, value in value.map { outline($0, under: name, depth: 1) } ?? "" }
    let networks = (entry.networks ?? []).map { "  speaks to \($0.container): \($0.calls.joined(separator: ", "))\n" }
    let warnings = (entry.warnings ?? []).map { "  warning: \($0.printable)\n" }
    return "\(path)  \(kind)\n" + (networks + warnings + outlines).joined()
  }

  /// Returns one line for each member, with members of objects and lists indented below.
  private func outline(_ value: JSONValue, under name: String, depth: Int) -> String {
    let indent = String(repeating: "  ", count: depth)
    switch value {
    case .null: return ""
    case .bool(let flag): return "\(indent)\(name): \(flag)\n"
    case .number(let number): return "\(indent)\(name): \(number.plain)\n"
    case .string(let text): return "\(indent)\(name): \(text.printable)\n"
    case .array(let elements):
      return elements.map { outline($0, under: name, depth: depth) }.joined()
    case .object(let members):
      let lines = members.sorted { ($0.value.isSimple ? 0 : 1, $0.key) < ($1.value.isSimple ? 0 : 1, $1.key) }
      return "\(indent)\(name)\n" + lines.map { outline($0.value, under: $0.key, depth: depth + 1) }.joined()
    }
  }
}

extension JSONValue {
  /// Indicates if the value fits on one line.
  fileprivate var isSimple: Bool {
    switch self {
    case .array, .object: false
    case .null, .bool, .number, .string: true
    }
  }
}

extension Inspection {
  /// Exit code for the inspection; it depends on the origin of each creative's fault.
  package var status: ExitStatus { ExitStatus(worstOf: creatives.compactMap(\.origin).map { ExitStatus($0) }) }
}
