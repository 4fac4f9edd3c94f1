import Testing

@testable import Pixels

@Suite struct PNGDecoderTests {
  private func pixels(_ fixture: PNGFixture) throws -> [UInt32] { try PNGDecoder.decode(fixture.bytes).pixels }

  @Test func greyOfOneBitIsRead() throws {
    let fixture = PNGFixture(width: 3, height: 1, depth: 1, colorType: 0, scanlines: [0, 0b1010_0000])
    #expect(try pixels(fixture) == [0xFFFF_FFFF, 0xFF00_0000, 0xFFFF_FFFF])
  }

  @Test func greyOfSixteenBitsKeepsTheHighByte() throws {
    let fixture = PNGFixture(width: 2, height: 1, depth: 16, colorType: 0, scanlines: [0, 0x12, 0, 0xFF, 0xFF])
    #expect(try pixels(fixture) == [0xFF12_1212, 0xFFFF_FFFF])
  }

  @Test func greyWithAlphaIsPremultiplied() throws {
    let fixture = PNGFixture(width: 2, height: 1, colorType: 4, scanlines: [0, 255, 128, 77, 0])
    #expect(try pixels(fixture) == [0x8080_8080, 0])
  }

  @Test func paletteWithTransparencyIsRead() throws {
    let fixture = PNGFixture(
      width: 3, height: 1, depth: 2, colorType: 3, palette: [255, 0, 0, 0, 255, 0, 0, 0, 255], transparency: [255, 0],
      scanlines: [0, 0b0001_1000])
    #expect(try pixels(fixture) == [0xFFFF_0000, 0, 0xFF00_00FF])
  }

  @Test func transparentColourOfRGBIsHonoured() throws {
    let fixture = PNGFixture(
      width: 2, height: 1, colorType: 2, transparency: [0, 1, 0, 2, 0, 3], scanlines: [0, 1, 2, 3, 4, 5, 6])
    #expect(try pixels(fixture) == [0, 0xFF04_0506])
  }

  @Test func interlacedPassesArePutTogether() throws {
    // 3x2 grey: pass 1 has (0,0), pass 4 (2,0), pass 6 (1,0), pass 7 the second row.
    let fixture = PNGFixture(
      width: 3, height: 2, colorType: 0, isInterlaced: true, scanlines: [0, 1, 0, 3, 0, 2, 0, 4, 5, 6])
    #expect(try pixels(fixture).map { $0 & 0xFF } == [1, 2, 3, 4, 5, 6])
  }

  @Test(arguments: [(1, [10, 5, 5]), (2, [10, 20, 30]), (3, [10, 5, 5]), (4, [10, 5, 5])] as [(UInt8, [UInt8])])
  func everyFilterIsUndone(_ filter: UInt8, _ row: [UInt8]) throws {
    let fixture = PNGFixture(width: 3, height: 2, colorType: 0, scanlines: [0, 1, 2, 3, filter] + row)
    let expected: [UInt8: [UInt32]] = [1: [10, 15, 20], 2: [11, 22, 33], 3: [10, 11, 12], 4: [11, 16, 21]]
    #expect(try pixels(fixture).suffix(3).map { $0 & 0xFF } == expected[filter])
  }

  @Test func everyTruncationIsAnError() throws {
    var bitmap = Bitmap(width: 40, height: 40, fill: .white)
    bitmap.fillCircle(center: PixelPoint(x: 20, y: 20), radius: 15, color: .scrim)
    let bytes = try PNGEncoder.encode(bitmap)
    // What's cut off the IEND chunk takes nothing from the picture.
    for length in 0..<(bytes.count - 16) {
      let error = #expect(throws: PNGError.self) { try PNGDecoder.decode(Array(bytes[..<length])) }
      guard error?.code == "png-malformed" else {
        Issue.record("\(length) of \(bytes.count) bytes: \(String(describing: error))")
        return
      }
    }
  }

  @Test func everyFlippedByteIsAnErrorOrHarmless() throws {
    let bitmap = Bitmap(width: 9, height: 9, fill: Color(rgb: 0x11_2233))
    let bytes = try PNGEncoder.encode(bitmap)
    for index in bytes.indices {
      var broken = bytes
      broken[index] ^= 0x5A
      do throws(PNGError) {
        let decoded = try PNGDecoder.decode(broken)
        #expect(decoded == bitmap)
      } catch {
        #expect(error.code == "png-malformed" || error.code == "png-too-large")
      }
    }
  }

  @Test func somethingElseIsMalformed() {
    for bytes in [[], [0], Array("<html><body>not a picture</body></html>".utf8)] as [[UInt8]] {
      let error = #expect(throws: PNGError.self) { try PNGDecoder.decode(bytes) }
      #expect(error?.code == "png-malformed")
    }
  }

  @Test(arguments: [(10_001, 10_000), (0x7FFF_FFFF, 0x7FFF_FFFF), (1, 100_000_001)])
  func moreThanHundredMegapixelsAreRefused(_ width: Int, _ height: Int) {
    let fixture = PNGFixture(width: width, height: height, colorType: 2, scanlines: [0, 1, 2, 3])
    let error = #expect(throws: PNGError.self) { try PNGDecoder.decode(fixture.bytes) }
    #expect(error?.code == "png-too-large")
  }

  @Test func claimingPixelsThatAreNotThereIsMalformed() {
    let fixture = PNGFixture(width: 10_000, height: 10_000, colorType: 6, scanlines: [0, 1, 2, 3, 4])
    let error = #expect(throws: PNGError.self) { try PNGDecoder.decode(fixture.bytes) }
    #expect(error?.code == "png-malformed")
  }

  @Test func zeroSizesAreMalformed() {
    let fixture = PNGFixture(width: 0, height: 4, colorType: 2, scanlines: [0])
    let error = #expect(throws: PNGError.self) { try PNGDecoder.decode(fixture.bytes) }
    #expect(error?.code == "png-malformed")
  }
}

@Suite struct RasterDecodingTests {
  /// Compares both decoders' pixels of one file, from its first row to its last; returns true if they are equal.
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
