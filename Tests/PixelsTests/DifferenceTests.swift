import Pixels
import Testing

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
