internal import Checks

/// One workflow command (docs.github.com, workflow commands for GitHub Actions).
struct Annotation {
  var severity: Severity
  var title: String
  var message: String
  var file: String?
  var row: Int?
  var column: Int?
  /// How often the same check had found something in the same creative before.
  var repeats = 0

  /// `::error file=…,line=…,title=…::message`
  var line: String {
    let properties: [(String, String?)] = [
      ("file", file), ("line", row.map { "\(max(1, $0))" }), ("col", column.map { "\(max(1, $0))" }), ("title", title),
    ]
    let told = properties.compactMap { name, value in value.map { "\(name)=\(Self.property($0))" } }
    return "::\(command) \(told.joined(separator: ","))::\(Self.data(message))"
  }

  private var command: String {
    switch severity {
    case .error: "error"
    case .warning: "warning"
    case .note: "notice"
    }
  }

  /// Escaped so that a creative's text can't end the command and begin another.
  private static func data(_ text: String) -> String {
    String(String.UnicodeScalarView(ReportText.shown(text).unicodeScalars.flatMap { escapes[$0] ?? [$0] }))
  }

  private static func property(_ text: String) -> String {
    String(String.UnicodeScalarView(data(text).unicodeScalars.flatMap { propertyEscapes[$0] ?? [$0] }))
  }

  private static let escapes: [Unicode.Scalar: [Unicode.Scalar]] = [
    "%": Array("%25".unicodeScalars), "\r": Array("%0D".unicodeScalars), "\n": Array("%0A".unicodeScalars),
  ]
  private static let propertyEscapes: [Unicode.Scalar: [Unicode.Scalar]] = [
    ":": Array("%3A".unicodeScalars), ",": Array("%2C".unicodeScalars),
  ]
}
