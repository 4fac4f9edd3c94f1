import Testing

@testable import Pixels

@Suite struct PNGEncoderTests {
  /// Noise that repeats at every run.
  struct Noise: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 33
    }
  }

  /// Valid premultiplied pixels of any alpha, or of full alpha only.
  private func noise(_ width: Int, _ height: Int, opaque: Bool) -> Bitmap {
    var generator = Noise(state: UInt64(width * 7919 + height))
    let pixels = (0..<width * height).map { _ in
      let bits = generator.next()
      return Color(rgb: UInt32(bits & 0xFF_FFFF), alpha: opaque ? 255 : UInt8(bits >> 40 & 0xFF)).premultiplied
    }
    return Bitmap(width: width, height: height, pixels: pixels)
  }

  static let sizes = [(1, 1), (1, 9), (9, 1), (2, 2), (3, 5), (17, 31), (64, 64), (257, 3)]

  @Test(arguments: sizes)
  func noiseWithAlphaComesBackExactly(_ width: Int, _ height: Int) throws {
    let bitmap = noise(width, height, opaque: false)
    #expect(try PNGDecoder.decode(PNGEncoder.encode(bitmap)) == bitmap)
  }

  @Test(arguments: sizes)
  func opaqueNoiseComesBackExactly(_ width: Int, _ height: Int) throws {
    let bitmap = noise(width, height, opaque: true)
    #expect(try PNGDecoder.decode(PNGEncoder.encode(bitmap)) == bitmap)
  }

  @Test func everyPremultipliedValueComesBackExactly() throws {
    let pixels = (UInt32(0)...255).flatMap { alpha in
      (UInt32(0)...255).map { value in alpha << 24 | min(value, alpha) * 0x01_0101 }
    }
    let bitmap = Bitmap(width: 256, height: 256, pixels: pixels)
    #expect(try PNGDecoder.decode(PNGEncoder.encode(bitmap)) == bitmap)
  }

  @Test func screensWithFlatRepeatedAndBusyRowsComeBackExactly() throws {
    for alpha in [UInt8(255), 200] {
      var bitmap = Bitmap(width: 61, height: 90, fill: Color(rgb: 0xF0_F0F0, alpha: alpha))
      bitmap.fillRoundedRect(PixelRect(x: 5, y: 5, width: 50, height: 20), radius: 8, color: .scrim)
      bitmap.blit(noise(40, 30, opaque: true), x: 10, y: 30)
      bitmap.fillCircle(center: PixelPoint(x: 30, y: 75), radius: 9, color: .white)
      #expect(try PNGDecoder.decode(PNGEncoder.encode(bitmap)) == bitmap)
    }
  }

  @Test func opaqueIsRGBAndTranslucentIsRGBA() throws {
    var bitmap = Bitmap(width: 300, height: 2, fill: .white)
    let opaque = try PNGEncoder.encode(bitmap)
    #expect(Array(opaque[..<26]) == Array(PNGFixture(width: 300, height: 2, colorType: 2, scanlines: []).bytes[..<26]))
    bitmap.pixels[0] = 0x8080_8080
    let translucent = try PNGEncoder.encode(bitmap)
    #expect(translucent[25] == 6)
  }

  @Test func chunksAreInOrderAndTheirChecksumsRight() throws {
    let bytes = try PNGEncoder.encode(noise(20, 20, opaque: true))
    var types: [String] = []
    var at = 8
    while at < bytes.count {
      let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let sum = bytes[(at + 8 + length)..<(at + 12 + length)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      #expect(sum == PNGFixture.crc(Array(bytes[(at + 4)..<(at + 8 + length)])))
      types.append(String(decoding: bytes[at + 4..<at + 8], as: UTF8.self))
      at += 12 + length
    }
    #expect(types == ["IHDR", "IDAT", "IEND"])
    #expect(at == bytes.count)
  }

  @Test func sameBitmapGivesSameBytes() throws {
    let bitmap = noise(50, 50, opaque: false)
    #expect(try PNGEncoder.encode(bitmap) == PNGEncoder.encode(bitmap))
  }

  @Test func coloursBrighterThanTheirAlphaAreLimited() throws {
    let impossible = Bitmap(width: 1, height: 1, pixels: [0x40FF_FF10])
    #expect(try PNGDecoder.decode(PNGEncoder.encode(impossible)).pixels == [0x4040_4010])
  }

  @Test func bitmapWithoutPixelsIsRefused() {
    #expect(throws: PNGError.empty) { try PNGEncoder.encode(Bitmap(width: 0, height: 0, pixels: [])) }
    #expect(throws: PNGError.empty) { try PNGEncoder.encode(Bitmap(width: 5, height: 0, pixels: [])) }
  }
}
