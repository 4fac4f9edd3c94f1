package import Application
internal import Checks
package import Core
internal import FoundationEssentials
internal import Parties
internal import RenderModel

/// Tells what became of creatives under several conditions, as text for people or as one JSON document.
package struct VaryingReporter {
  private let output: OutputOptions
  private let out: String
  private let console: Console

  package init(output: OutputOptions, out: String, console: Console = .output) {
    (self.output, self.out, self.console) = (output, out, console)
  }

  /// Whom ads asked with each answer to being tracked.
  package func printMessage(_ verdicts: [ConsentVerdict], status: ExitStatus) throws(Fault) {
    try printMessage(ConsentDocument(verdicts, exitCode: status.rawValue)) { palette in
      verdicts.map { ConsentText(palette: palette).of($0) }
    }
  }

  /// How ads load by several networks, and what is left of them without their hosts.
  package func printMessage(_ verdicts: [NetworkVerdict], status: ExitStatus) throws(Fault) {
    try printMessage(NetworksDocument(verdicts, exitCode: status.rawValue)) { palette in
      verdicts.map { NetworksText(palette: palette).of($0) }
    }
  }

  private func printMessage(_ document: some Encodable, blocks: (Palette) -> [String]) throws(Fault) {
    if output.json { return try console.printMessage(document: document) }
    let palette = Palette(isTerminal: console.isTerminal, environment: ProcessInfo.processInfo.environment)
    try console.printMessage(blocks(palette).joined(separator: "\n") + "\nresults: \(out.printable)\n")
  }
}

/// One creative's parties as a table: a line each, a column for each state.
struct ConsentText {
  let palette: Palette

  func of(_ verdict: ConsentVerdict) -> String {
    if let refusal = verdict.refusal {
      return TextTable.block(verdict.name, [palette.error(ResultRow(name: "", record: refusal).fault ?? "")])
    }
    let names = verdict.runs.map { ConsentVerdict.name($0.consent).uppercased() }
    var rows = [["PARTY", "WHO"] + names]
    for domain in verdict.domains {
      let found = verdict.runs.map { run in run.parties.first { $0.domain == domain } }
      let who = found.lazy.compactMap { $0?.who }.first ?? ""
      rows.append([domain.printable, who] + found.map { $0.map { "\($0.requests)" } ?? "–" })
    }
    var lines = verdict.domains.isEmpty ? ["asks nobody over the network"] : TextTable.lines(rows)
    let faults = verdict.runs.compactMap { run in
      ResultRow(name: "", record: run.record).fault.map { "\(ConsentVerdict.name(run.consent)): \($0)" }
    }
    lines += faults.map(palette.error)
    let asks = Set(verdict.runs.flatMap(\.asks)).sorted()
    if !verdict.domains.isEmpty {
      lines.append(asks.isEmpty ? "never asks for consent" : "asks for consent by \(asks.joined(separator: ", "))")
    }
    let tracking = verdict.askedAllTheSame
    if !tracking.isEmpty {
      let parties = tracking.map { "\($0.domain.printable) (\($0.who ?? ""))" }.joined(separator: ", ")
      lines.append(palette.error("asked though refused: \(parties)"))
    }
    let kept = verdict.keptAllTheSame
    if !kept.isEmpty {
      lines.append(palette.error("kept on the device though refused: \(kept.map(\.printable).joined(separator: ", "))"))
    }
    return TextTable.block(verdict.name, lines)
  }
}

/// One creative's loads as a table, then what is left of it without each host.
struct NetworksText {
  let palette: Palette

  func of(_ verdict: NetworkVerdict) -> String {
    if let refusal = verdict.refusal {
      return TextTable.block(verdict.name, [palette.error(ResultRow(name: "", record: refusal).fault ?? "")])
    }
    var rows = [["NETWORK", "DOM", "DOM+1S", "LOAD", "COMPLETE", "REQUESTS", "FAILED", "BYTES"]]
    for run in verdict.runs {
      let load = run.load.map { boundary in
        boundary.t.map { "\(Bounded.int($0.rounded(), in: 0...Int.max)) ms" } ?? "never"
      }
      let times = load + Array(repeating: "–", count: max(0, 4 - load.count))
      rows.append([run.network.printable] + times + ["\(run.requests)", "\(run.failed)", "\(run.bytes)"])
    }
    var lines = TextTable.lines(rows)
    for run in verdict.runs {
      if let fault = ResultRow(name: "", record: run.record).fault {
        lines.append(palette.error("\(run.network.printable): \(fault)"))
      }
    }
    for outage in verdict.outages {
      let what =
        outage.isBlank
        ? palette.error("nothing is to be seen")
        : outage.faults.first.map { "a script fails: \($0.printable.cut(to: 120))" } ?? "it is shown"
      lines.append("without \(outage.host.printable): \(what)")
    }
    return TextTable.block(verdict.name, lines)
  }
}

/// Rows of text in columns.
enum TextTable {
  /// Each row as a line, columns two spaces apart.
  static func lines(_ rows: [[String]]) -> [String] {
    let width = rows.map(\.count).max() ?? 0
    let widths = (0..<width).map { column in rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      let line = zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// A title, and lines below it.
  static func block(_ title: String, _ lines: [String]) -> String {
    ([title.printable] + lines.map { "  " + $0 }).map { $0 + "\n" }.joined()
  }
}
