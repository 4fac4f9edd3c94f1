import Pixels
import Testing

@Suite("Motion and flashes in pictures")
struct MotionTests {
  private func image(_ gray: UInt32, right: UInt32? = nil) -> Bitmap {
    var bitmap = Bitmap(width: 40, height: 20, fill: Color(rgb: gray))
    if let right { bitmap.fill(PixelRect(x: 20, y: 0, width: 20, height: 20), Color(rgb: right)) }
    return bitmap
  }

  private func analysis(_ pictures: [(t: Double, bitmap: Bitmap)], least: Double = 0.25) -> MotionAnalysis {
    var analysis = MotionAnalysis(step: 2, leastFlash: least)
    for (t, bitmap) in pictures { _ = analysis.add(bitmap, t: t) }
    return analysis
  }

  @Test("the part that changed is told, and noise isn't a change")
  func share() {
    let found = analysis([
      (0, image(0x808080)), (200, image(0x808080, right: 0x404040)), (400, image(0x818181, right: 0x404040)),
    ])
    #expect(found.steps.map(\.t) == [200] && found.steps.map(\.share) == [0.5])
    #expect(found.pictures == 3)
    #expect(!found.isBlank)
  }

  @Test("what shows one colour all the time is blank, whichever it is")
  func blank() {
    #expect(analysis([(0, image(0x808080)), (200, image(0xFFFFFF))]).isBlank)
    #expect(!analysis([(0, image(0x808080)), (200, image(0xFFFFFF, right: 0))]).isBlank)
    #expect(!analysis([(0, image(0x808080)), (200, image(0xFFFFFF, right: 0))]).endsBlank)
    #expect(analysis([(0, image(0xFFFFFF, right: 0)), (200, image(0x808080))]).endsBlank)
  }

  @Test("a flash is there and back: the worst second is found, with the part that flashed")
  func counts() throws {
    // Dark and light in turns, every 100 ms for 2 s, on the right half.
    let pictures = (0...20).map {
      (t: Double($0) * 100, bitmap: image(0x202020, right: $0 % 2 == 0 ? 0x202020 : 0xFFFFFF))
    }
    let found = analysis(pictures).flashes
    #expect(found.count == 10)
    let worst = try #require(found.worst)
    #expect(worst.count == 5)
    #expect(worst.share == 0.5)
    #expect(worst.from == 100)
  }

  @Test("three flashes a second are three")
  func three() {
    let pictures = (0...6).map { (t: Double($0) * 160, bitmap: image($0 % 2 == 0 ? 0 : 0xFFFFFF)) }
    #expect(analysis(pictures).flashes.worst?.count == 3)
  }

  @Test("a fade counts once it has gone a tenth of the way, in however many steps")
  func fades() {
    let up = (0..<20).map { image(UInt32($0 * 12) * 0x010101) }
    let down = up.reversed()
    let pictures = (up + down + up).enumerated().map { (t: Double($0.offset) * 20, bitmap: $0.element) }
    #expect(analysis(pictures).flashes.count == 1)
  }

  @Test(
    "what is too small, too faint or light on light is no flash",
    arguments: [(0x202020, 0x303030, 0.25), (0xF0F0F0, 0xFFFFFF, 0.25), (0, 0xFFFFFF, 0.6)]
      as [(UInt32, UInt32, Double)])
  func harmless(one: UInt32, other: UInt32, least: Double) {
    let pictures = (0...10).map { (t: Double($0) * 100, bitmap: image(0x101010, right: $0 % 2 == 0 ? one : other)) }
    #expect(analysis(pictures, least: least).flashes.worst == nil)
  }
}

@Suite("The difference of two bitmaps")
struct DifferenceTests {
  private let white = Bitmap(width: 20, height: 10, fill: Color(premultiplied: 0xFFFF_FFFF))

  private func changed(_ places: [(x: Int, y: Int)]) -> Bitmap {
    var bitmap = white
    for (x, y) in places { bitmap.pixels[y * bitmap.width + x] = 0xFF00_0000 }
    return bitmap
  }

  @Test("is nothing between alike ones")
  func alike() { #expect(white.difference(to: white) == nil) }

  @Test(
    "is the smallest rectangle around what changed, either way round",
    arguments: [
      ([(3, 4)], PixelRect(x: 3, y: 4, width: 1, height: 1)),
      ([(0, 0), (19, 9)], PixelRect(x: 0, y: 0, width: 20, height: 10)),
      ([(7, 2), (5, 6), (6, 3)], PixelRect(x: 5, y: 2, width: 3, height: 5)),
    ])
  func rectangle(places: [(x: Int, y: Int)], expected: PixelRect) {
    #expect(white.difference(to: changed(places)) == expected)
    #expect(changed(places).difference(to: white) == expected)
  }

  @Test("of different sizes is everything")
  func sizes() {
    #expect(white.difference(to: Bitmap(width: 2, height: 2, fill: Color(premultiplied: 0))) == white.bounds)
  }
}

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
