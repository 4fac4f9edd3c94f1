extension String {
  /// Without control characters: texts from creatives must not steer the terminal or break a line.
  var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  /// Filled up with spaces to `width` characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// At most `width` characters, the last an ellipsis when some are missing.
  func fitted(to width: Int) -> String {
    count <= width ? self : prefix(max(0, width - 1)) + "…"
  }
}
