import Testing

@testable import Pixels

@Suite struct RasterDecodingTests {
  /// Both decoders' pixels of one file, from its first row to its last.
  private func agrees(_ file: [UInt8]) throws -> Bool {
    try PNGDecoder.raster(file).bitmap == PNGDecoder.decode(file)
  }

  /// Rows of random bytes behind the filter bytes that `filter` gives.
  private func fixture(
    _ width: Int, _ height: Int, channels: Int, seed: UInt64, filter: (Int) -> UInt8
  ) -> PNGFixture {
    var random = SeededNumbers(seed: seed)
    var rows: [UInt8] = []
    for y in 0..<height {
      rows.append(filter(y))
      for _ in 0..<(width * channels) { rows.append(.random(in: 0...255, using: &random)) }
    }
    return PNGFixture(width: width, height: height, colorType: channels == 3 ? 2 : 6, scanlines: rows)
  }

  @Test(arguments: [0, 1, 2, 3, 4] as [UInt8], [3, 4])
  func everyFilterIsUndoneAsLibspngDoes(_ filter: UInt8, _ channels: Int) throws {
    for width in [1, 2, 3, 7, 8, 31, 32, 33] {
      for height in [1, 2, 3, 6, 9] {
        let file = fixture(width, height, channels: channels, seed: UInt64(width * height)) { _ in filter }
        #expect(try agrees(file.bytes), "\(width)x\(height)")
      }
    }
  }

  @Test(arguments: [3, 4])
  func filtersMayChangeFromRowToRow(_ channels: Int) throws {
    var random = SeededNumbers(seed: 11)
    for seed in 0..<40 as Range<UInt64> {
      let filters = (0..<20).map { _ in UInt8.random(in: 0...4, using: &random) }
      #expect(try agrees(fixture(19, 20, channels: channels, seed: seed) { filters[$0] }.bytes))
    }
  }

  @Test func plainFilesKeepTheirLayoutAndOthersBecomeRGBA() throws {
    let bitmap = Bitmap(width: 5, height: 4, fill: Color(rgb: 0x12_3456))
    #expect(try PNGDecoder.raster(PNGEncoder.encode(bitmap)).channels == 3)
    let clear = Bitmap(width: 5, height: 4, fill: Color(rgb: 0x12_3456, alpha: 9))
    #expect(try PNGDecoder.raster(PNGEncoder.encode(clear)).channels == 4)
    let grey = PNGFixture(width: 3, height: 1, depth: 1, colorType: 0, scanlines: [0, 0b1010_0000])
    #expect(try PNGDecoder.raster(grey.bytes).channels == 4)
  }

  @Test func transparentColourOfRGBIsHonoured() throws {
    let fixture = PNGFixture(
      width: 2, height: 1, colorType: 2, transparency: [0, 1, 0, 2, 0, 3], scanlines: [0, 1, 2, 3, 4, 5, 6])
    #expect(try agrees(fixture.bytes))
  }

  @Test func anUnknownFilterIsMalformed() {
    let fixture = PNGFixture(width: 1, height: 2, colorType: 2, scanlines: [0, 1, 2, 3, 5, 1, 2, 3])
    let error = #expect(throws: PNGError.self) { try PNGDecoder.raster(fixture.bytes) }
    #expect(error?.code == "png-malformed")
  }

  @Test func moreRowsThanTheHeaderSaysAreReadAsLibspngDoes() throws {
    let fixture = PNGFixture(width: 1, height: 1, colorType: 2, scanlines: [0, 1, 2, 3, 0, 4, 5, 6])
    #expect(try agrees(fixture.bytes))
  }

  @Test func aSizeThatItsDataCantHoldIsRefusedBeforeMemoryIsTaken() {
    let fixture = PNGFixture(width: 9_999, height: 9_999, colorType: 6, scanlines: [0, 1, 2, 3, 4])
    let error = #expect(throws: PNGError.self) { try PNGDecoder.raster(fixture.bytes) }
    #expect(error == .malformed("its data is too short for its size"))
  }

  @Test func bitmapsBecomeRastersAndBack() {
    let opaque = Bitmap(width: 3, height: 2, pixels: [1, 2, 3, 4, 5, 0xFF_FFFF].map { 0xFF00_0000 | $0 })
    #expect(Raster(opaque).channels == 3)
    #expect(Raster(opaque).bitmap == opaque)
    let clear = Bitmap(width: 2, height: 1, pixels: [0x8040_2000, 0])
    #expect(Raster(clear).channels == 4)
    #expect(Raster(clear).bitmap == clear)
    #expect(Raster(opaque).withAlpha.bitmap == opaque)
  }
}
