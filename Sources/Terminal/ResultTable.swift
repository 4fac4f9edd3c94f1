internal import Core
internal import MRAID
internal import RenderModel

/// Result rows with their columns aligned.
struct ResultTable: Sendable {
  private var palette: Palette
  /// Minimum number of characters in the column of names; `stateWidth` is that of states.
  private var nameWidth = 0
  private var stateWidth = 0

  /// Makes a table wide enough for the names and rows.
  init(palette: Palette, names: [String] = [], rows: [ResultRow] = []) {
    self.palette = palette
    nameWidth = min(48, (names.map(\.printable) + rows.map(\.name)).map(\.count).max() ?? 0)
    stateWidth = min(60, rows.map(\.states.count).max() ?? 0)
  }

  /// Returns the row, with its fault below it.
  func text(_ row: ResultRow) -> String {
    let columns = [
      row.name.padded(to: nameWidth), palette.text(row.outcome.rawValue.padded(to: 9), for: row.outcome),
      row.states.padded(to: stateWidth), row.screenshots.padded(to: stateWidth == 0 ? 0 : 14), row.time,
    ]
    let fault = row.fault.map { "  " + palette.error($0) + "\n" } ?? ""
    return columns.joined(separator: "  ") + "\n" + fault
  }
}

/// Line of one creative in tables, and the line below it if it failed.
struct ResultRow: Sendable {
  let name: String
  let outcome: RenderRecord.Outcome
  let states: String
  let screenshots: String
  let time: String
  /// Fault such as `error: creative: folder has no index.html [index-missing]`; nil for a completed render.
  let fault: String?

  init(name: String, record: RenderRecord) {
    self.name = name.printable
    outcome = record.outcome
    states = record.states.isEmpty ? "–" : record.states.map(\.rawValue).joined(separator: " → ")
    screenshots = record.screenshots.count == 1 ? "1 screenshot" : "\(record.screenshots.count) screenshots"
    time = record.timings["total"].map(Self.time) ?? "–"
    fault = record.outcome == .completed ? nil : Self.fault(record)
  }

  /// Returns a time as text: `412 ms`, from ten seconds on `12.3 s`.
  static func time(milliseconds: Double) -> String {
    let whole = Bounded.int(milliseconds, in: 0...Int.max)
    if whole < 10_000 { return "\(whole) ms" }
    let tenths = Bounded.int(milliseconds / 100, in: 0...Int.max)
    return "\(tenths / 10).\(tenths % 10) s"
  }

  private static func fault(_ record: RenderRecord) -> String {
    let origin = record.origin.map { $0.rawValue + ": " } ?? ""
    let code = record.code.map { " [\($0)]" } ?? ""
    return "error: \(origin)\(record.message ?? "no reason given")\(code)".printable
  }
}
