/// Removes the creation times from an MP4 (ISO/IEC 14496-12, 8.2.2, 8.3.2, 8.4.2).
enum TimelessMP4 {
  /// Returns the same recording without times; unknown boxes stay as they are.
  static func bytes(of file: [UInt8]) -> [UInt8] {
    var bytes = file
    clear(&bytes, 0..<bytes.count)
    return bytes
  }

  private static let folders = ["moov", "trak", "mdia"]
  private static let dated = ["mvhd", "tkhd", "mdhd"]

  private static func clear(_ bytes: inout [UInt8], _ range: Range<Int>) {
    var at = range.lowerBound
    while range.upperBound - at >= 8 {
      var (size, head) = (bytes.number(at, 4), 8)
      if size == 1, range.upperBound - at >= 16 { (size, head) = (bytes.number(at + 8, 8), 16) }
      if size == 0 { size = range.upperBound - at }
      guard size >= head, size <= range.upperBound - at else { return }
      let kind = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
      let contents = at + head..<at + size
      if folders.contains(kind) {
        clear(&bytes, contents)
      } else if dated.contains(kind), contents.count >= 20 {
        // Version 1 has times of eight bytes, version 0 of four: made and changed.
        let length = bytes[contents.lowerBound] == 1 ? 16 : 8
        for place in contents.lowerBound + 4..<contents.lowerBound + 4 + length { bytes[place] = 0 }
      }
      at += size
    }
  }
}

/// Removes the date from a WebM and replaces the muxer's random numbers by constants (RFC 9559).
enum TimelessWebM {
  /// Returns the same recording without them; unknown elements stay as they are.
  static func bytes(of file: [UInt8]) -> [UInt8] {
    var bytes = file
    clear(&bytes, 0..<bytes.count)
    return bytes
  }

  /// Elements that contain others: Segment, Info, Tracks, TrackEntry, Tags, Tag, Targets.
  private static let folders: Set<Int> = [0x1853_8067, 0x1549_A966, 0x1654_AE6B, 0xAE, 0x1254_C367, 0x7373, 0x63C0]
  /// SegmentUID, DateUTC, TrackUID, and TagTrackUID, which refers to a track.
  private static let chance: Set<Int> = [0x73A4, 0x4461, 0x73C5, 0x63C5]

  private static func clear(_ bytes: inout [UInt8], _ range: Range<Int>) {
    var at = range.lowerBound
    while at < range.upperBound {
      guard let (id, first) = number(bytes, at, range.upperBound, keepsMarker: true),
        let (length, start) = number(bytes, first, range.upperBound, keepsMarker: false)
      else { return }
      // A length of nothing but ones isn't known: it goes to the end.
      let isOpen = length == (1 << (7 * (start - first))) - 1
      let end = isOpen ? range.upperBound : start + length
      guard end <= range.upperBound else { return }
      if folders.contains(id) {
        clear(&bytes, start..<end)
      } else if chance.contains(id) {
        for place in start..<end { bytes[place] = 0 }
        // A number of a track can't be 0.
        if id != 0x4461, end > start { bytes[end - 1] = 1 }
      }
      at = end
    }
  }

  /// Reads a number whose first bits give its length in bytes; returns it and the position after it, nil if it is cut
  /// off.
  private static func number(
    _ bytes: [UInt8], _ at: Int, _ end: Int, keepsMarker: Bool
  ) -> (value: Int, next: Int)? {
    guard at < end, bytes[at] != 0 else { return nil }
    let count = bytes[at].leadingZeroBitCount + 1
    guard at + count <= end else { return nil }
    let value = bytes.number(at, count)
    return (keepsMarker ? value : value & ~(1 << (7 * count)), at + count)
  }
}

extension [UInt8] {
  /// Reads a big-endian number, limited to the range of `Int`.
  fileprivate func number(_ at: Int, _ count: Int) -> Int {
    Int(clamping: self[at..<at + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
