import Testing

@testable import Pixels

@Suite struct BlitTests {
  /// 2x2 opaque pixels, all different.
  static let tile = Bitmap(width: 2, height: 2, pixels: [0xFF00_0001, 0xFF00_0002, 0xFF00_0003, 0xFF00_0004])

  /// The last digits of the 3x3 bitmap that a blit of `tile` leaves; 0 where nothing was drawn.
  private func drawn(x: Int, y: Int, clip: PixelRect? = nil) -> [UInt32] {
    var target = Bitmap(width: 3, height: 3, fill: .black)
    target.blit(Self.tile, x: x, y: y, clip: clip)
    return target.pixels.map { $0 & 0xFF }
  }

  @Test func insideEverythingIsCopied() {
    #expect(drawn(x: 0, y: 0) == [1, 2, 0, 3, 4, 0, 0, 0, 0])
    #expect(drawn(x: 1, y: 1) == [0, 0, 0, 0, 1, 2, 0, 3, 4])
  }

  @Test func everyEdgeAndCornerClips() {
    #expect(drawn(x: -1, y: 0) == [2, 0, 0, 4, 0, 0, 0, 0, 0])
    #expect(drawn(x: 2, y: 0) == [0, 0, 1, 0, 0, 3, 0, 0, 0])
    #expect(drawn(x: 0, y: -1) == [3, 4, 0, 0, 0, 0, 0, 0, 0])
    #expect(drawn(x: 0, y: 2) == [0, 0, 0, 0, 0, 0, 1, 2, 0])
    #expect(drawn(x: -1, y: -1) == [4, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(drawn(x: 2, y: 2) == [0, 0, 0, 0, 0, 0, 0, 0, 1])
  }

  @Test(arguments: [(-2, 0), (3, 0), (0, -2), (0, 3), (Int.max, 0), (0, Int.min)])
  func outsideNothingIsDrawn(_ x: Int, _ y: Int) {
    #expect(drawn(x: x, y: y) == [0, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func clipLimitsTheDestination() {
    #expect(drawn(x: 0, y: 0, clip: PixelRect(x: 1, y: 0, width: 9, height: 9)) == [0, 2, 0, 0, 4, 0, 0, 0, 0])
    #expect(drawn(x: 1, y: 1, clip: PixelRect(x: 0, y: 0, width: 2, height: 2)) == [0, 0, 0, 0, 1, 0, 0, 0, 0])
    #expect(drawn(x: 0, y: 0, clip: PixelRect(x: 2, y: 2, width: 1, height: 1)) == [0, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func rowsOfEveryKindAreLaidOver() {
    // An opaque row, an invisible one, a translucent one and one of all three.
    let source = Bitmap(
      width: 3, height: 4,
      pixels: [
        0xFF11_2233, 0xFF44_5566, 0xFF77_8899, 0, 0, 0, 0x8080_0000, 0x8080_0000, 0x8080_0000,
        0xFF11_2233, 0, 0x8080_0000,
      ])
    var target = Bitmap(width: 3, height: 4, fill: Color(rgb: 0x00_00FF))
    target.blit(source, x: 0, y: 0)
    #expect(
      target.pixels == [
        0xFF11_2233, 0xFF44_5566, 0xFF77_8899, 0xFF00_00FF, 0xFF00_00FF, 0xFF00_00FF,
        0xFF80_007F, 0xFF80_007F, 0xFF80_007F, 0xFF11_2233, 0xFF00_00FF, 0xFF80_007F,
      ])
  }
}
