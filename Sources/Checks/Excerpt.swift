internal import Core

/// The text of a file without the pictures, fonts and sounds that are written into it.
///
/// Playables carry megabytes of them; their code, which is what counts, may stand behind.
package struct Excerpt: Hashable, Sendable {
  /// A place where something was left out.
  package struct Gap: Hashable, Sendable {
    /// Bytes of the text before it.
    package let offset: Int
    /// Characters that are missing.
    package let count: Int
  }

  package private(set) var text = ""
  /// In the text's order.
  package private(set) var gaps: [Gap] = []
  /// Whether the file has more than is kept.
  package private(set) var isCut = false

  /// Letters in a row that no code has.
  private static let longestWord = 1024
  /// What stays of data: its type can still be told.
  private static let kept = 64

  /// Reads a file as UTF-8 and keeps the first `most` bytes of what isn't data.
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

  /// Whether all of it had room.
  private mutating func add(_ piece: ArraySlice<UInt8>, most: Int) -> Bool {
    let room = max(0, most - text.utf8.count)
    text += String(decoding: piece.prefix(room), as: UTF8.self)
    isCut = piece.count > room
    return !isCut
  }

  /// Bytes that base64 is made of, in either alphabet.
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
