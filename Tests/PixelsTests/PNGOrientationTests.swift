import Testing

@testable import Pixels

@Suite("A PNG file's Exif orientation")
struct PNGOrientationTests {
  /// Exif data with nothing but an orientation, in either byte order.
  private static func exif(_ orientation: UInt8, isBig: Bool = true) -> [UInt8] {
    isBig
      ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
      : [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
  }

  /// Makes a file of 3×2 grey pixels, 1 to 6, or the same in RGBA.
  private static func file(_ exif: [UInt8], isLate: Bool = false, isRGBA: Bool = false, times: UInt8 = 1) -> [UInt8] {
    let rows: [[UInt8]] = [[1, 2, 3], [4, 5, 6]].map { row in row.map { $0 * times } }
    let lines = rows.flatMap { row in [0] + (isRGBA ? row.flatMap { [$0, $0, $0, 255] } : row) }
    return PNGFixture(
      width: 3, height: 2, colorType: isRGBA ? 6 : 0, exif: exif, isExifLate: isLate, scanlines: lines
    ).bytes
  }

  /// Sides and pixels as they are shown, by the table of the Exif standard.
  static let shown: [(UInt8, Int, [UInt32])] = [
    (1, 3, [1, 2, 3, 4, 5, 6]), (2, 3, [3, 2, 1, 6, 5, 4]), (3, 3, [6, 5, 4, 3, 2, 1]), (4, 3, [4, 5, 6, 1, 2, 3]),
    (5, 2, [1, 4, 2, 5, 3, 6]), (6, 2, [4, 1, 5, 2, 6, 3]), (7, 2, [6, 3, 5, 2, 4, 1]), (8, 2, [3, 6, 2, 5, 1, 4]),
  ]

  @Test("is obeyed by both decoders, in both byte orders", arguments: shown)
  func isObeyed(orientation: UInt8, width: Int, pixels: [UInt32]) throws {
    for exif in [Self.exif(orientation), Self.exif(orientation, isBig: false)] {
      for isRGBA in [false, true] {
        let file = Self.file(exif, isRGBA: isRGBA)
        let bitmap = try PNGDecoder.decode(file)
        #expect(bitmap.width == width && bitmap.height == 6 / width)
        #expect(bitmap.pixels.map { $0 & 255 } == pixels)
        let raster = try PNGDecoder.raster(file)
        #expect(raster.width == width && raster.height == 6 / width)
        let reds = (0..<6).map { index in
          let row = index / width
          return UInt32(raster.bytes[(row + 1) * raster.lead + index * raster.channels])
        }
        #expect(reds == pixels)
      }
    }
  }

  @Test("doesn't count after the image's data, as in browsers, nor if it is none")
  func isIgnored() throws {
    var unknown = Self.exif(9)
    for file in [Self.file(Self.exif(6), isLate: true), Self.file(unknown)] {
      #expect(try PNGDecoder.decode(file).width == 3)
      #expect(try PNGDecoder.raster(file).width == 3)
    }
    unknown[9] = 200
    #expect(try PNGDecoder.decode(Self.file(unknown)).width == 3)
  }

  @Test("makes files of the same data differ, and turned files the same")
  func comparison() async throws {
    let upright = Self.file([], isRGBA: true, times: 40)
    let turned = try await PNGComparison.compare(upright, Self.file(Self.exif(3), isRGBA: true, times: 40))
    #expect(turned.differingCount > 0)
    let same = try await PNGComparison.compare(Self.file(Self.exif(6)), Self.file(Self.exif(6, isBig: false)))
    #expect(same.differingCount == 0)
    let equal = try #require(PNGComparison.commonSize(Self.file(Self.exif(6)), Self.file(Self.exif(6))))
    #expect(equal == PixelSize(width: 2, height: 3))
  }
}
