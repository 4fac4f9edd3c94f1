/// Why bytes aren't a VAST document, and where.
package struct VASTParseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What goes to the error addresses, where the document has any that can be read.
  package var code: VASTErrorCode
  /// From 1.
  package var line: Int
  /// From 1; nil where the whole element is meant.
  package var column: Int?
  package var reason: String

  package init(code: VASTErrorCode, line: Int, column: Int? = nil, reason: String) {
    self.code = code
    self.line = line
    self.column = column.flatMap { $0 > 0 ? $0 : nil }
    self.reason = reason
  }

  /// `line 3: …`
  package var description: String { "line \(line): \(reason)" }
}
