import Pixels
import Testing

@Suite("Edges and contrast of a picture")
struct SurfaceTests {
  private func card(border: UInt32?, ground: UInt32 = 0xFFFFFF) -> Bitmap {
    var bitmap = Bitmap(width: 120, height: 100, fill: Color(rgb: border ?? ground))
    bitmap.fill(PixelRect(x: 2, y: 2, width: 116, height: 96), Color(rgb: ground))
    return bitmap
  }

  @Test("a border of another colour all round is one")
  func border() {
    #expect(card(border: 0x888888).hasBorder(scale: 2))
    #expect(!card(border: nil).hasBorder(scale: 2))
    #expect(!card(border: 0xF4F4F4).hasBorder(scale: 2), "hardly to be seen")
  }

  @Test("a border that is open on one side is none")
  func open() {
    var bitmap = card(border: 0x888888)
    bitmap.fill(PixelRect(x: 0, y: 0, width: 2, height: 100), .white)
    #expect(!bitmap.hasBorder(scale: 2))
  }

  @Test("the edge's white and black parts are told")
  func shares() {
    #expect(card(border: nil).edgeShares == (1, 0))
    #expect(card(border: 0).edgeShares == (0, 1))
    var half = Bitmap(width: 100, height: 100, fill: .white)
    half.fill(PixelRect(x: 0, y: 0, width: 50, height: 100), Color(rgb: 0x3366CC))
    #expect(half.edgeShares == (0.5, 0))
  }

  @Test("contrast is that of the ground and what stands out most from it")
  func contrast() throws {
    var sign = Bitmap(width: 50, height: 50, fill: .white)
    #expect(sign.contrast == 1)
    sign.fill(PixelRect(x: 10, y: 10, width: 30, height: 30), .black)
    #expect(abs(try #require(sign.contrast) - 21) < 0.1)
    var faint = Bitmap(width: 50, height: 50, fill: .white)
    faint.fill(PixelRect(x: 10, y: 10, width: 30, height: 30), Color(rgb: 0x949494))
    #expect(abs(try #require(faint.contrast) - 3.03) < 0.1)
    #expect(Bitmap(width: 0, height: 0, pixels: []).contrast == nil)
  }

  @Test("a speck doesn't make a contrast")
  func speck() {
    var bitmap = Bitmap(width: 50, height: 50, fill: .white)
    bitmap.fill(PixelRect(x: 0, y: 0, width: 6, height: 6), .black)
    #expect(bitmap.contrast == 1)
  }

  @Test("the estimate of gzip shrinks text and leaves noise")
  func gzip() throws {
    let text = Array(String(repeating: "<p>An ad for ads</p>\n", count: 200).utf8)
    #expect(try #require(GzipSize.estimate(of: text)) < text.count / 20)
    var state: UInt64 = 7
    let noise = (0..<2_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    #expect(try #require(GzipSize.estimate(of: noise)) >= 2_000)
    #expect(try #require(GzipSize.estimate(of: [])) > 0)
  }
}
