internal import CDeflate

/// Header of a PNG file and positions of its image's data, found without decoding (PNG specification, section 5).
struct PNGChunks {
  private(set) var width = 0
  private(set) var height = 0
  private(set) var depth: UInt8 = 0
  /// Colour type: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA.
  private(set) var colorType: UInt8 = 0
  private(set) var isInterlaced = false
  /// Ranges of the compressed image, piece by piece.
  private(set) var data: [Range<Int>] = []
  /// Ranges of everything that the image depends on: header, palette, transparency, orientation, compressed data.
  private(set) var parts: [Range<Int>] = []
  private var hasTransparency = false
  /// Orientation in which the image is shown.
  private(set) var orientation = PNGOrientation.upright
  private static let signature: UInt64 = 0x8950_4E47_0D0A_1A0A

  /// Reads a file; nil unless it is complete and well-formed from its signature to its end chunk.
  init?(_ file: UnsafeRawBufferPointer) {
    guard file.count >= 8, UInt64(bigEndian: file.loadUnaligned(as: UInt64.self)) == Self.signature else { return nil }
    var at = 8
    while file.count - at >= 12 {
      let length = Int(Self.number(file, at))
      guard length <= file.count - at - 12 else { return nil }
      let contents = (at + 8)..<(at + 8 + length)
      let type = Self.number(file, at + 4)
      guard take(type, contents, of: file) else { return nil }
      at = contents.upperBound + 4
      if type == Self.code("IEND") { break }
    }
    // The end chunk is the last of the parts, and has no contents.
    guard !data.isEmpty, parts.last?.isEmpty == true else { return nil }
  }

  /// Indicates if its layout is that of the built-in decoder: 8 bits per channel, RGB or RGBA, upright, row after row.
  var isPlain: Bool {
    depth == 8 && !isInterlaced && orientation == .upright && (colorType == 6 || colorType == 2 && !hasTransparency)
  }

  /// Size at which the image is shown.
  var shownSize: PixelSize {
    let size = orientation.shown(width: width, height: height)
    return PixelSize(width: size.width, height: size.height)
  }

  /// Number of channels of a plain file, 3 or 4.
  var channels: Int { colorType == 6 ? 4 : 3 }

  /// Indicates if so many pixels can result from the compressed data: deflate never exceeds a ratio of 1032 to 1.
  var isPlausible: Bool {
    let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1
    // 31 bits each, and 6 more for a pixel.
    let bits = width.multipliedFullWidth(by: height).low.multipliedReportingOverflow(by: UInt(channels * Int(depth)))
    return !bits.overflow && bits.partialValue / 8 <= UInt(data.reduce(0) { $0 + $1.count } * 1032)
  }

  /// Records a chunk; false if its checksum or its position is wrong.
  private mutating func take(_ type: UInt32, _ contents: Range<Int>, of file: UnsafeRawBufferPointer) -> Bool {
    let isHeader = type == Self.code("IHDR")
    guard isHeader == parts.isEmpty else { return false }
    // Browsers ignore an orientation that comes after the image's data.
    let isExif = type == Self.code("eXIf") && data.isEmpty
    guard isHeader || isExif || Self.known.contains(type) else { return true }
    let checked = file[(contents.lowerBound - 4)..<contents.upperBound]
    let sum = libdeflate_crc32(0, UnsafeRawBufferPointer(rebasing: checked).baseAddress, checked.count)
    guard sum == Self.number(file, contents.upperBound) else { return false }
    if isHeader { guard readHeader(contents, of: file) else { return false } }
    if type == Self.code("tRNS") { hasTransparency = true }
    if isExif { orientation = PNGOrientation(UnsafeRawBufferPointer(rebasing: file[contents])) }
    if type == Self.code("IDAT") {
      // Pieces follow one another without anything between them.
      if let last = data.last, last.upperBound + 12 != contents.lowerBound { return false }
      data.append(contents)
    }
    parts.append(contents)
    return true
  }

  private mutating func readHeader(_ contents: Range<Int>, of file: UnsafeRawBufferPointer) -> Bool {
    guard contents.count == 13 else { return false }
    width = Int(Self.number(file, contents.lowerBound))
    height = Int(Self.number(file, contents.lowerBound + 4))
    let rest = file[(contents.lowerBound + 8)..<contents.upperBound]
    (depth, colorType) = (rest[rest.startIndex], rest[rest.startIndex + 1])
    isInterlaced = rest[rest.startIndex + 4] != 0
    return width > 0 && height > 0 && rest[rest.startIndex + 2] == 0 && rest[rest.startIndex + 3] == 0
      && rest[rest.startIndex + 4] < 2
  }

  private static let known: Set<UInt32> = Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].map(code))

  /// Returns a chunk's type as the number of its four letters.
  private static func code(_ letters: String) -> UInt32 { letters.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

  private static func number(_ file: UnsafeRawBufferPointer, _ at: Int) -> UInt32 {
    UInt32(bigEndian: file.loadUnaligned(fromByteOffset: at, as: UInt32.self))
  }
}
