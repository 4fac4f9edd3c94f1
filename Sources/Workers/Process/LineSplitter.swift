/// Cuts a byte stream at line feeds alone: JSON text may hold every other kind of line break unescaped.
struct LineSplitter: Sendable {
  private var rest: [UInt8] = []

  /// The lines completed by these bytes, without their line feeds.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(rest)
        rest.removeAll()
      } else {
        rest.append(byte)
      }
    }
    return lines
  }
}
