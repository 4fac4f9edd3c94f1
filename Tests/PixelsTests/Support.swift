@testable import Pixels

/// Builds PNG files of any header and contents, broken ones included, with stored instead of compressed data.
struct PNGFixture {
  var width: Int
  var height: Int
  var depth: UInt8 = 8
  /// 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA.
  var colorType: UInt8
  var isInterlaced = false
  var palette: [UInt8] = []
  var transparency: [UInt8] = []
  /// Contents of the chunk `eXIf`; empty for none.
  var exif: [UInt8] = []
  /// Indicates if that chunk comes after the image's data.
  var isExifLate = false
  /// Rows with their filter bytes.
  var scanlines: [UInt8]

  var bytes: [UInt8] {
    let header = big(width) + big(height) + [depth, colorType, 0, 0, isInterlaced ? 1 : 0]
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
    if !palette.isEmpty { file += chunk("PLTE", palette) }
    if !transparency.isEmpty { file += chunk("tRNS", transparency) }
    let exif = exif.isEmpty ? [] : chunk("eXIf", exif)
    return file + (isExifLate ? [] : exif) + chunk("IDAT", stored) + (isExifLate ? exif : []) + chunk("IEND", [])
  }

  /// A zlib stream of one stored block.
  private var stored: [UInt8] {
    let size = UInt16(scanlines.count)
    let little = [UInt8(size & 255), UInt8(size >> 8)]
    return [0x78, 0x01, 0x01] + little + little.map { ~$0 } + scanlines + big(adler)
  }

  private var adler: Int {
    var (a, b) = (1, 0)
    for byte in scanlines { (a, b) = ((a + Int(byte)) % 65521, (b + a + Int(byte)) % 65521) }
    return b << 16 | a
  }

  private func chunk(_ type: String, _ contents: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + contents
    return big(contents.count) + checked + big(Int(Self.crc(checked)))
  }

  private func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

  static func crc(_ bytes: [UInt8]) -> UInt32 {
    let polynomial: UInt32 = 0xEDB8_8320
    return ~bytes.reduce(UInt32.max) { (sum: UInt32, byte: UInt8) -> UInt32 in
      var value = sum ^ UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ polynomial : value >> 1 }
      return value
    }
  }
}

/// Small pictures made of rectangles.
struct RasterSample {
  let width: Int
  let height: Int
  var channels = 3
  private var bytes: [UInt8]

  /// A picture of one colour, 0xAARRGGBB with straight alpha.
  init(_ width: Int, _ height: Int, fill: UInt32 = 0xFFFF_FFFF, channels: Int = 3) {
    (self.width, self.height, self.channels) = (width, height, channels)
    bytes = []
    for _ in 0..<(width * height) { bytes += Self.bytes(fill, channels) }
  }

  /// Returns the picture with a filled rectangle added.
  func with(_ color: UInt32, x: Int, y: Int, width: Int, height: Int) -> RasterSample {
    var copy = self
    for row in y..<(y + height) {
      for column in x..<(x + width) { copy.set(column, row, color) }
    }
    return copy
  }

  mutating func set(_ x: Int, _ y: Int, _ color: UInt32) {
    let at = (y * width + x) * channels
    bytes.replaceSubrange(at..<(at + channels), with: Self.bytes(color, channels))
  }

  var raster: Raster { Raster(width: width, height: height, channels: channels, packed: bytes) }

  private static func bytes(_ color: UInt32, _ channels: Int) -> [UInt8] {
    [16, 8, 0, 24].prefix(channels).map { UInt8(truncatingIfNeeded: color >> $0) }
  }
}

/// Makes PNG files of every layout, and breaks them.
struct RandomFiles {
  var numbers: SeededNumbers

  init(seed: UInt64) {
    numbers = SeededNumbers(seed: seed)
  }

  /// A well-formed file of any colour type, depth and interlacing.
  mutating func file() -> PNGFixture {
    let layouts: [(UInt8, [UInt8])] = [
      (0, [1, 2, 4, 8, 16]), (2, [8, 16]), (3, [1, 2, 4, 8]), (4, [8, 16]), (6, [8, 16]),
    ]
    let (type, depths) = layouts[Int.random(in: 0..<5, using: &numbers)]
    // Plain RGB and RGBA, which our own decoder reads, in half of all files.
    let isPlain = Bool.random(using: &numbers)
    let depth = isPlain ? 8 : depths.randomElement(using: &numbers) ?? 8
    let colorType: UInt8 = isPlain ? (Bool.random(using: &numbers) ? 2 : 6) : type
    var fixture = PNGFixture(
      width: side(), height: side(), depth: depth, colorType: colorType,
      isInterlaced: !isPlain && Bool.random(using: &numbers), scanlines: [])
    if colorType == 3 { fixture.palette = bytes(3 << Int(depth)) }
    if colorType == 3, Bool.random(using: &numbers) { fixture.transparency = bytes(1 << Int(depth)) }
    if colorType == 2, Int.random(in: 0..<4, using: &numbers) == 0 { fixture.transparency = [0, 1, 0, 2, 0, 3] }
    fixture.scanlines = scanlines(fixture)
    return fixture
  }

  /// The file with something wrong in it, most of it behind checksums that are right.
  mutating func broken(_ fixture: PNGFixture) -> [UInt8] {
    var fixture = fixture
    switch Int.random(in: 0..<7, using: &numbers) {
    case 0: fixture.scanlines.removeLast(Int.random(in: 0...fixture.scanlines.count, using: &numbers))
    case 1: fixture.scanlines += bytes(Int.random(in: 1...50, using: &numbers))
    case 2: fixture.width = Int.random(in: 0...0x7FFF_FFFF, using: &numbers)
    case 3: fixture.height = [0, 1, 3_000, 0x7FFF_FFFF, 0xFFFF_FFFF].randomElement(using: &numbers) ?? 0
    case 4: fixture.depth = UInt8.random(in: 0...17, using: &numbers)
    case 5: return Array(fixture.bytes.dropLast(Int.random(in: 1..<fixture.bytes.count, using: &numbers)))
    default:
      var bytes = fixture.bytes
      for _ in 0..<Int.random(in: 1...4, using: &numbers) {
        bytes[Int.random(in: bytes.indices, using: &numbers)] = .random(in: 0...255, using: &numbers)
      }
      return bytes
    }
    return fixture.bytes
  }

  /// A picture of few colours, so that neighbours are often equal.
  mutating func image(width: Int, height: Int, channels: Int) -> Raster {
    let palette = bytes(12) + [0, 255, 255, 255]
    let packed = (0..<(width * height * channels)).map { _ in palette.randomElement(using: &numbers) ?? 0 }
    return Raster(width: width, height: height, channels: channels, packed: packed)
  }

  /// Small sides mostly, none above 70.
  mutating func side() -> Int {
    Int.random(in: 0..<8, using: &numbers) == 0
      ? .random(in: 1...70, using: &numbers) : .random(in: 1...12, using: &numbers)
  }

  private mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
  }

  /// Rows of every pass, each behind a filter byte.
  private mutating func scanlines(_ fixture: PNGFixture) -> [UInt8] {
    let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][fixture.colorType] ?? 1
    let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    var rows: [UInt8] = []
    for (x, y, dx, dy) in fixture.isInterlaced ? passes : [(0, 0, 1, 1)] {
      let (width, height) = ((fixture.width - x + dx - 1) / dx, (fixture.height - y + dy - 1) / dy)
      guard width > 0, height > 0 else { continue }
      for _ in 0..<height {
        rows.append(.random(in: 0...4, using: &numbers))
        rows += bytes((width * channels * Int(fixture.depth) + 7) / 8)
      }
    }
    return rows
  }
}

/// Random numbers that are the same in every run: SplitMix64.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
