/// Orientation in which an image is shown, as its Exif data states it (tag 0x0112).
///
/// Browsers obey it in PNG files as in JPEG files, if the chunk `eXIf` comes before the image's data.
struct PNGOrientation: Equatable {
  /// Value of the tag: 1 for upright images, otherwise 2 to 8.
  let value: UInt8

  /// Orientation of images without Exif data.
  static let upright = PNGOrientation(value: 1)

  private init(value: UInt8) { self.value = value }

  /// Reads the contents of a chunk `eXIf`; upright if they are broken or lack the tag.
  init(_ exif: UnsafeRawBufferPointer) { self = ExifReader(bytes: exif).orientation ?? .upright }

  /// Makes the orientation of a tag's value; nil unless it is defined.
  fileprivate init?(tag: Int) {
    guard let value = UInt8(exactly: tag), 1...8 ~= value else { return nil }
    self.init(value: value)
  }

  /// Indicates if stored rows are shown as columns.
  private var swapsSides: Bool { value > 4 }

  /// Returns the size at which an image of a stored size is shown.
  func shown(width: Int, height: Int) -> (width: Int, height: Int) {
    swapsSides ? (height, width) : (width, height)
  }

  /// Copies an image's pixels, in the order in which they are shown, to memory of the same size.
  func copy(
    _ stored: UnsafePointer<UInt32>, to shown: UnsafeMutablePointer<UInt32>, width: Int, height: Int
  ) {
    let size = self.shown(width: width, height: height)
    let (flipsX, flipsY) = ([2, 3, 7, 8].contains(value), [3, 4, 6, 7].contains(value))
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (across, down) = swapsSides ? (y, x) : (x, y)
        let column = flipsX ? width - 1 - across : across
        let row = flipsY ? height - 1 - down : down
        shown[y * size.width + x] = stored[row * width + column]
      }
    }
  }
}

/// Reader of the first directory of Exif data, which has the form of a TIFF file.
private struct ExifReader {
  let bytes: UnsafeRawBufferPointer
  private static let tag = 0x0112
  /// Type of a 16-bit number.
  private static let short = 3

  /// Orientation that the data states; nil if it is broken or states none.
  var orientation: PNGOrientation? {
    guard bytes.count >= 8, let isBig = [0x4949: false, 0x4D4D: true][number(0, 2, isBig: true)],
      number(2, 2, isBig: isBig) == 42
    else { return nil }
    let start = number(4, 4, isBig: isBig)
    let end = start + 2 + 12 * number(start, 2, isBig: isBig)
    guard end <= bytes.count else { return nil }
    for entry in stride(from: start + 2, to: end, by: 12) where number(entry, 2, isBig: isBig) == Self.tag {
      let (type, count) = (number(entry + 2, 2, isBig: isBig), number(entry + 4, 4, isBig: isBig))
      guard type == Self.short, count == 1 else { return nil }
      return PNGOrientation(tag: number(entry + 8, 2, isBig: isBig))
    }
    return nil
  }

  /// Returns a number of so many bytes; 0 beyond the end.
  private func number(_ at: Int, _ count: Int, isBig: Bool) -> Int {
    guard at + count <= bytes.count else { return 0 }
    let digits = bytes[at..<(at + count)]
    return (isBig ? Array(digits) : digits.reversed()).reduce(0) { $0 << 8 | Int($1) }
  }
}
