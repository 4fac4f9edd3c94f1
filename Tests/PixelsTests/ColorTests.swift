import Testing

@testable import Pixels

@Suite struct ColorTests {
  @Test func straightComponentsAreMultipliedByAlpha() {
    #expect(Color(red: 255, green: 128, blue: 0).premultiplied == 0xFFFF_8000)
    #expect(Color(red: 255, green: 128, blue: 0, alpha: 128).premultiplied == 0x8080_4000)
    #expect(Color(red: 9, green: 9, blue: 9, alpha: 0) == .clear)
  }

  @Test func hexadecimalTextIsRead() {
    #expect(Color("#1c2d3e") == Color(red: 0x1C, green: 0x2D, blue: 0x3E))
    #expect(Color("#FFFFFF80")?.premultiplied == 0x8080_8080)
  }

  @Test(arguments: ["", "#", "123456", "#12345", "#1234567", "#12345g", "#+12345", "##12345", "#123456789"])
  func otherTextIsNoColor(_ text: String) {
    #expect(Color(text) == nil)
  }

  @Test func scrimIsBlackAtSixtyPercent() {
    #expect(Color.scrim.premultiplied == 0x9900_0000)
    #expect(!Color.scrim.isOpaque)
    #expect(Color.white.isOpaque)
  }
}
