import Testing

@testable import Hosting

@Suite("Images that may move")
struct MovingImageTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  @Test(
    "what has one picture by its type never moves",
    arguments: ["image/jpeg", "image/jpg", "text/css", "font/woff2", "video/mp4"])
  func still(type: String) { #expect(!MovingImage.mayBe(mimeType: type, body: nil)) }

  @Test(
    "what may have several, or says nothing of itself, may",
    arguments: ["image/gif", "image/webp", "image/svg+xml", ""])
  func moving(type: String) { #expect(MovingImage.mayBe(mimeType: type, body: nil)) }

  @Test("a PNG moves when it says so, and may when nobody has seen it")
  func png() {
    #expect(!MovingImage.mayBe(mimeType: "image/png", body: Self.png + Array("IHDR IDAT".utf8)))
    #expect(MovingImage.mayBe(mimeType: "image/png", body: Self.png + Array("IHDR acTL IDAT".utf8)))
    #expect(MovingImage.mayBe(mimeType: "image/png", body: nil))
  }

  @Test("a GIF too short for two pictures stands still, as those do that count somebody")
  func pixels() {
    #expect(!MovingImage.mayBe(mimeType: "image/gif", body: nil, bytes: 43))
    #expect(MovingImage.mayBe(mimeType: "image/gif", body: nil, bytes: 50))
    #expect(!MovingImage.mayBe(mimeType: "image/gif", body: [UInt8](repeating: 0, count: 35), bytes: -1))
  }
}
