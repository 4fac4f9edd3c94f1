/// Head of a table's column, aligned like the column's cells.
struct ColumnHead {
  let word: String
  let isOfNumbers: Bool

  static func text(_ word: String) -> ColumnHead { ColumnHead(word: word, isOfNumbers: false) }
  static func numbers(_ word: String) -> ColumnHead { ColumnHead(word: word, isOfNumbers: true) }

  var node: Node { element("th", ["scope": "col", "class": isOfNumbers ? "number" : nil]) { word } }
}
