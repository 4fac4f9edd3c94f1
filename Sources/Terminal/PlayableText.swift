internal import Checks
internal import Core

/// Answers of the networks to builds of playables as readable text, below their matrix.
struct PlayableText {
  let matrix: PlayableMatrix

  /// For each build the networks that have to accept it with the reason, and the reasons of answers other than yes.
  var text: String {
    matrix.rows.map { row in
      "\n\(row.build.printable)  \(row.demand.printable)\n" + row.cells.compactMap(Self.line).joined()
    }.joined()
  }

  private static func line(_ cell: PlayableMatrix.Cell) -> String? {
    cell.reasons.map { "  \(cell.answer.profile): \(cell.answer.verdict.mark): \($0)".printable + "\n" }
  }
}
