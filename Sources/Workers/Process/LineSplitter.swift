/// Cuts a byte stream at line feeds alone: JSON text may hold every other kind of line break unescaped.
struct LineSplitter: Sendable {
  /// Bytes a line may have; a longer one is no message, and dropped.
  private let longest: Int
  private var rest: [UInt8] = []
  private var isTooLong = false

  init(longest: Int = 64 << 20) {
    self.longest = longest
  }

  /// The lines completed by these bytes, without their line feeds.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if !isTooLong { lines.append(rest) }
        (rest, isTooLong) = ([], false)
      } else if rest.count >= longest || isTooLong {
        (rest, isTooLong) = ([], true)
      } else {
        rest.append(byte)
      }
    }
    return lines
  }
}
