/// GitHub's Markdown from texts that mustn't be read as such.
enum Markdown {
  /// Every sign that could begin markup escaped, on one line.
  static func text(_ text: String) -> String {
    var result = ""
    for scalar in ReportText.line(text).unicodeScalars {
      if special.contains(scalar) { result += "&#\(scalar.value);" } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  /// Among them what links, mentions and numbers of issues begin with.
  private static let special = Set("\\`*_{}[]()<>#+!|&~@:/$^=\"'".unicodeScalars)

  /// Between backticks.
  static func code(_ text: String) -> String {
    ReportText.line(text).replacing("`", with: "'").replacing("|", with: "/")
  }

  /// Inside of an HTML element.
  static func html(_ text: String) -> String { HTMLText.escaped(ReportText.line(text)) }

  static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }

  static func table(_ heads: [String], rows: [String]) -> String {
    row(heads) + row(heads.map { _ in "---" }) + rows.joined()
  }
}
