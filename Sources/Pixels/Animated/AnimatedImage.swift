/// Animation of an image file: a GIF, an APNG or a WebP of several frames.
package struct AnimatedImage: Hashable, Sendable {
  package let frames: Int
  /// Number of plays; nil for an endless animation.
  package let plays: Int?
  /// Milliseconds of one loop, as browsers play it.
  package let loop: Int

  /// Milliseconds until the animation ends; nil for an endless one.
  package var length: Int? {
    guard let plays else { return nil }
    let (length, isTooMuch) = plays.multipliedReportingOverflow(by: loop)
    return isTooMuch ? .max : length
  }

  /// Indicates if this is an image file without an animation; false for files of other formats, too.
  package static func isStill(_ bytes: [UInt8]) -> Bool {
    var reader = AnimatedImageReader(bytes)
    return reader.read() && reader.frames <= 1
  }

  /// Reads a file's own values; nil for an image without an animation, or a file of another format.
  package init?(_ bytes: [UInt8]) {
    var reader = AnimatedImageReader(bytes)
    guard reader.read(), reader.frames > 1 else { return nil }
    (frames, plays, loop) = (reader.frames, reader.plays, reader.loop)
  }
}

/// Reader of a file's blocks, none of which is decoded.
struct AnimatedImageReader {
  /// Shortest delay in milliseconds that browsers accept; a frame with less gets `usual`.
  private static let shortest = 11
  private static let usual = 100
  /// Maximum number of frames that are counted: more than any player would show in a render.
  static let mostFrames = 100_000

  let bytes: [UInt8]
  private(set) var frames = 0
  /// Number of plays; nil for an endless animation. A GIF without this value plays once.
  var plays: Int? = 1
  private(set) var loop = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Recognises the format and reads its blocks; false for any other format.
  mutating func read() -> Bool {
    if starts(with: Array("GIF8".utf8), at: 0) {
      readGIF()
    } else if starts(with: [0x89, 0x50, 0x4e, 0x47], at: 0) {
      readPNG()
    } else if starts(with: Array("RIFF".utf8), at: 0), starts(with: Array("WEBP".utf8), at: 8) {
      readWebP()
    } else {
      return false
    }
    return true
  }

  /// Counts a frame of this duration; false once the maximum number of frames is reached.
  mutating func add(frameOf milliseconds: Int) -> Bool {
    frames += 1
    loop += milliseconds < Self.shortest ? Self.usual : milliseconds
    return frames < Self.mostFrames
  }

  func starts(with word: [UInt8], at index: Int) -> Bool {
    index >= 0 && index + word.count <= bytes.count && bytes[index..<index + word.count].elementsEqual(word)
  }

  /// Returns a little-endian number of `count` bytes; 0 beyond the end.
  func little(_ count: Int, at index: Int) -> Int {
    guard index >= 0, index + count <= bytes.count else { return 0 }
    return bytes[index..<index + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns a big-endian number of `count` bytes; 0 beyond the end.
  func big(_ count: Int, at index: Int) -> Int {
    guard index >= 0, index + count <= bytes.count else { return 0 }
    return bytes[index..<index + count].reduce(0) { $0 << 8 | Int($1) }
  }
}
