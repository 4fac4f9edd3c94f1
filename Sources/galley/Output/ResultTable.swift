internal import Core
internal import Jobs

/// Result rows with their columns aligned.
struct ResultTable: Sendable {
  var palette: Palette
  /// Characters the columns of names and states have at least.
  var nameWidth = 0
  var stateWidth = 0

  /// Wide enough for all of these.
  init(palette: Palette, names: [String] = [], rows: [ResultRow] = []) {
    self.palette = palette
    nameWidth = min(48, (names.map(\.printable) + rows.map(\.name)).map(\.count).max() ?? 0)
    stateWidth = min(60, rows.map(\.states.count).max() ?? 0)
  }

  /// The row, and its fault below it.
  func text(_ row: ResultRow) -> String {
    let columns = [
      row.name.padded(to: nameWidth), palette.text(row.outcome.rawValue.padded(to: 9), for: row.outcome),
      row.states.padded(to: stateWidth), row.pictures.padded(to: stateWidth == 0 ? 0 : 11), row.time,
    ]
    let fault = row.fault.map { "  " + palette.error($0) + "\n" } ?? ""
    return columns.joined(separator: "  ") + "\n" + fault
  }
}
