@testable import Pixels

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
  mutating func picture(width: Int, height: Int, channels: Int) -> Raster {
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
