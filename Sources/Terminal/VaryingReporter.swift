package import Application
internal import Checks
package import Comparison
package import Core
internal import FoundationEssentials
internal import Parties
internal import RenderModel

/// Prints results of creatives under several conditions, as readable text or as one JSON document.
package struct VaryingReporter {
  private let output: OutputOptions
  private let out: String
  private let console: Console

  package init(output: OutputOptions, out: String, console: Console = .output) {
    (self.output, self.out, self.console) = (output, out, console)
  }

  /// Prints the parties that creatives sent requests to, by the answer on tracking.
  package func printMessage(_ verdicts: [ConsentVerdict], status: ExitStatus) throws(Fault) {
    try printMessage(ConsentDocument(verdicts, exitCode: status.rawValue)) { palette in
      verdicts.map { ConsentText(palette: palette).of($0) }
    }
  }

  /// Prints the load times of creatives on several networks, and their state without single hosts.
  package func printMessage(_ verdicts: [NetworkVerdict], status: ExitStatus) throws(Fault) {
    try printMessage(NetworksDocument(verdicts, exitCode: status.rawValue)) { palette in
      verdicts.map { NetworksText(palette: palette).of($0) }
    }
  }

  /// Returns a page with the parties that creatives sent requests to.
  package func page(_ verdicts: [ConsentVerdict]) -> VariedPage {
    let text = ConsentText(palette: Palette(isTerminal: false, environment: [:]))
    return VariedPage(
      title: "Requests of creatives by the user's consent",
      sections: verdicts.map { verdict in
        VariedPage.Section(
          name: verdict.name, table: text.table(verdict), notes: text.notes(verdict),
          pictures: verdict.runs.compactMap { picture(ConsentVerdict.name($0.consent), $0.record, $0.folder) })
      })
  }

  /// Returns a page with the load times of creatives.
  package func page(_ verdicts: [NetworkVerdict]) -> VariedPage {
    let text = NetworksText(palette: Palette(isTerminal: false, environment: [:]))
    return VariedPage(
      title: "Load times of creatives by network",
      sections: verdicts.map { verdict in
        VariedPage.Section(
          name: verdict.name, table: text.table(verdict), notes: text.notes(verdict),
          pictures: verdict.runs.compactMap { picture($0.network, $0.record, $0.folder) })
      })
  }

  private func picture(
    _ caption: String, _ record: RenderRecord, _ folder: String
  ) -> (caption: String, path: String)? {
    LastPicture.of(record, in: "\(out)/\(folder)").map { (caption, $0) }
  }

  private func printMessage(_ document: some Encodable, blocks: (Palette) -> [String]) throws(Fault) {
    if output.json { return try console.printMessage(document: document) }
    let palette = Palette(isTerminal: console.isTerminal, environment: ProcessInfo.processInfo.environment)
    try console.printMessage(blocks(palette).joined(separator: "\n") + "\nresults: \(out.printable)\n")
  }
}

/// Last screenshot of a render.
enum LastPicture {
  /// Returns the screenshot's path; nil for a render without screenshots.
  static func of(_ record: RenderRecord, in folder: String) -> String? {
    record.screenshots.last.flatMap { AbsolutePath.isPlain($0.path) ? "\(folder)/\($0.path)" : nil }
  }
}

/// Parties of one creative as a table: a row for each party, a column for each answer.
struct ConsentText {
  let palette: Palette

  func of(_ verdict: ConsentVerdict) -> String {
    let rows = table(verdict)
    return TextTable.block(verdict.name, (rows.count > 1 ? TextTable.lines(rows) : []) + notes(verdict))
  }

  /// Returns a row for each party, with the heads first; empty for a creative that couldn't be opened.
  func table(_ verdict: ConsentVerdict) -> [[String]] {
    guard verdict.refusal == nil else { return [] }
    let names = verdict.runs.map { ConsentVerdict.name($0.consent).uppercased() }
    var rows = [["PARTY", "WHO"] + names]
    for domain in verdict.domains {
      let found = verdict.runs.map { run in run.parties.first { $0.domain == domain } }
      let who = found.lazy.compactMap { $0?.who }.first ?? ""
      rows.append([domain.printable, who] + found.map { $0.map { "\($0.requests)" } ?? "–" })
    }
    return rows
  }

  /// Returns the lines below the table: faults, and parties and stored data that remained though tracking was refused.
  func notes(_ verdict: ConsentVerdict) -> [String] {
    if let refusal = verdict.refusal { return [palette.error(ResultRow(name: "", record: refusal).fault ?? "")] }
    var lines = verdict.domains.isEmpty ? ["sends no requests"] : []
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
      lines.append(palette.error("requests despite refused consent: \(parties)"))
    }
    let kept = verdict.keptAllTheSame
    if !kept.isEmpty {
      lines.append(
        palette.error("stored on the device despite refused consent: \(kept.map(\.printable).joined(separator: ", "))"))
    }
    return lines
  }
}

/// Load times of one creative as a table, followed by its state without each host.
struct NetworksText {
  let palette: Palette

  func of(_ verdict: NetworkVerdict) -> String {
    let rows = table(verdict)
    return TextTable.block(verdict.name, (rows.count > 1 ? TextTable.lines(rows) : []) + notes(verdict))
  }

  /// Returns a row for each network, with the heads first; empty for a creative that couldn't be opened.
  func table(_ verdict: NetworkVerdict) -> [[String]] {
    guard verdict.refusal == nil else { return [] }
    var rows = [["NETWORK", "DOM", "DOM+1S", "LOAD", "COMPLETE", "REQUESTS", "FAILED", "BYTES"]]
    for run in verdict.runs {
      let load = run.load.map { boundary in
        boundary.t.map { "\(Bounded.int($0.rounded(), in: 0...Int.max)) ms" } ?? "never"
      }
      let times = load + Array(repeating: "–", count: max(0, 4 - load.count))
      rows.append([run.network.printable] + times + ["\(run.requests)", "\(run.failed)", "\(run.bytes)"])
    }
    return rows
  }

  /// Returns the lines below the table: faults, and the creative's state without each host.
  func notes(_ verdict: NetworkVerdict) -> [String] {
    if let refusal = verdict.refusal { return [palette.error(ResultRow(name: "", record: refusal).fault ?? "")] }
    var lines: [String] = []
    for run in verdict.runs {
      if let fault = ResultRow(name: "", record: run.record).fault {
        lines.append(palette.error("\(run.network.printable): \(fault)"))
      }
    }
    if !verdict.runs.isEmpty, verdict.runs.allSatisfy({ $0.requests == 0 }) {
      lines.append("sends no requests, and its own files load at once on any network: nothing was slowed down")
    }
    for outage in verdict.outages {
      let what =
        outage.isBlank
        ? palette.error("the ad isn't visible")
        : outage.faults.first.map { "a script fails: \($0.printable.cut(to: 120))" } ?? "the ad is visible"
      lines.append("without \(outage.host.printable): \(what)")
    }
    return lines
  }
}

/// Rows of text in aligned columns.
enum TextTable {
  /// Returns each row as a line, with columns two spaces apart.
  static func lines(_ rows: [[String]]) -> [String] {
    let width = rows.map(\.count).max() ?? 0
    let widths = (0..<width).map { column in rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      let line = zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Returns a title with indented lines below it.
  static func block(_ title: String, _ lines: [String]) -> String {
    ([title.printable] + lines.map { "  " + $0 }).map { $0 + "\n" }.joined()
  }
}
