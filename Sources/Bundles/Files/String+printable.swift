extension String {
  /// The text without control and formatting characters, which could rewrite a terminal's line.
  var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isUnprintable }))
  }
}

extension Unicode.Scalar {
  /// Whether it draws nothing and may change how its neighbours are drawn.
  var isUnprintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }
}
