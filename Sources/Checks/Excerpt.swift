internal import Core

/// Text of a file without the embedded images, fonts and sounds.
///
/// Playables contain megabytes of them; their code, which matters, may come after.
package struct Excerpt: Hashable, Sendable {
  /// A place in the text where data was left out.
  package struct Gap: Hashable, Sendable {
    /// Bytes of the text before it.
    package let offset: Int
    /// Number of characters left out.
    package let count: Int
  }

  package private(set) var text = ""
  /// Gaps in the text's order.
  package private(set) var gaps: [Gap] = []
  /// Indicates if the file has more text than was kept.
  package private(set) var isCut = false

  /// Maximum length of a word that may be code; longer ones are data.
  private static let longestWord = 1024
  /// Number of characters kept of data, by which its type can still be recognised.
  private static let kept = 64

  /// Reads a file as UTF-8 and keeps the first `most` bytes of the text that isn't data.
  package init(of bytes: [UInt8], most: Int) {
    var start = 0
    var index = 0
    while index < bytes.count {
      let word = index
      while index < bytes.count, Self.isOfData[Int(bytes[index])] { index += 1 }
      if index - word > Self.longestWord {
        guard add(bytes[start..<word + Self.kept], most: most) else { return }
        start = index
        gaps.append(Gap(offset: text.utf8.count, count: index - word - Self.kept))
      }
      index += 1
    }
    _ = add(bytes[start...], most: most)
  }

  /// Appends a piece; returns true if all of it fitted.
  private mutating func add(_ piece: ArraySlice<UInt8>, most: Int) -> Bool {
    let room = max(0, most - text.utf8.count)
    text += String(decoding: piece.prefix(room), as: UTF8.self)
    isCut = piece.count > room
    return !isCut
  }

  /// Bytes that occur in base64, in either alphabet.
  private static let isOfData: [Bool] = (0...255).map { byte in
    switch UInt8(byte) {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
