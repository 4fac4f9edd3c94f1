extension AnimatedImageReader {
  /// Reads a GIF's blocks in order: extensions, of which two describe the animation, and frames.
  mutating func readGIF() {
    var at = 13 + Self.colors(little(1, at: 10))
    var delay = 0
    while at + 1 < bytes.count {
      switch bytes[at] {
      case 0x21:
        if bytes[at + 1] == 0xf9 { delay = 10 * little(2, at: at + 4) }
        if bytes[at + 1] == 0xff { readLoops(at: at + 2) }
        at = end(ofBlocks: at + 2)
      case 0x2c:
        guard add(frameOf: delay) else { return }
        delay = 0
        at = end(ofBlocks: at + 11 + Self.colors(little(1, at: at + 9)))
      default: return
      }
    }
  }

  /// Reads Netscape's block: 0 for an endless loop, otherwise the number of repetitions.
  private mutating func readLoops(at index: Int) {
    let names = ["NETSCAPE2.0", "ANIMEXTS1.0"]
    guard names.contains(where: { starts(with: [11] + Array($0.utf8), at: index) }),
      little(1, at: index + 12) == 3, little(1, at: index + 13) & 7 == 1
    else { return }
    let again = little(2, at: index + 14)
    plays = again == 0 ? nil : again + 1
  }

  /// Returns the bytes of a colour table, from the flags that announce it.
  private static func colors(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1) }

  /// Returns the index behind a chain of blocks, each preceded by its length.
  private func end(ofBlocks start: Int) -> Int {
    var at = start
    while at < bytes.count, bytes[at] != 0 { at += 1 + Int(bytes[at]) }
    return at + 1
  }

  /// Reads a PNG's chunks: `acTL` has the number of plays, each `fcTL` a frame's duration.
  mutating func readPNG() {
    var at = 8
    while at + 12 <= bytes.count {
      let length = big(4, at: at)
      if starts(with: Array("acTL".utf8), at: at + 4) {
        let told = big(4, at: at + 12)
        plays = told == 0 ? nil : told
      } else if starts(with: Array("fcTL".utf8), at: at + 4) {
        let (part, of) = (big(2, at: at + 28), big(2, at: at + 30))
        guard add(frameOf: 1_000 * part / (of == 0 ? 100 : of)) else { return }
      }
      at += 12 + length
    }
  }

  /// Reads the chunks of RIFF: `ANIM` has the number of plays, each `ANMF` a frame's duration.
  mutating func readWebP() {
    var at = 12
    while at + 8 <= bytes.count {
      let length = little(4, at: at + 4)
      if starts(with: Array("ANIM".utf8), at: at) {
        let told = little(2, at: at + 12)
        plays = told == 0 ? nil : told
      } else if starts(with: Array("ANMF".utf8), at: at) {
        guard add(frameOf: little(3, at: at + 20)) else { return }
      }
      at += 8 + length + length % 2
    }
  }
}
