/// A guess, before anything runs, at whether a page turns things in space or filters what lies behind them.
enum DepthHint {
  /// As CSS spells them; scripts that spell them otherwise are found out when the page is pictured.
  private static let words = ["rotateX(", "rotateY(", "rotate3d(", "matrix3d(", "backdrop-filter"].map {
    Array($0.utf8)
  }

  /// True when the text has one of the words anywhere.
  static func isGiven(in text: [UInt8]) -> Bool {
    let begins = words.map { $0[0] }
    return text.withUnsafeBufferPointer { text in
      text.indices.contains { at in
        begins.contains(text[at]) && words.contains { text[at...].starts(with: $0) }
      }
    }
  }
}

extension CreativeBundle {
  /// Whether the document's own text says that it has depth; a URL's isn't known.
  package var hintsAtDepth: Bool { entry.map { DepthHint.isGiven(in: $0.bytes) } ?? false }
}
