import Testing

@testable import Pixels

@Suite("Making a bitmap smaller")
struct ReducingTests {
  @Test("each pixel is the mean of its square, and of what there is of it at the edges")
  func means() {
    let (black, white) = (Color.black.premultiplied, Color.white.premultiplied)
    let bitmap = Bitmap(width: 3, height: 2, pixels: [black, white, white, white, black, black])
    let reduced = bitmap.reduced(by: 2)
    #expect(reduced.width == 2)
    #expect(reduced.height == 1)
    #expect(reduced.pixels == [0xFF80_8080, 0xFF80_8080])
  }

  @Test("what is see-through weighs less")
  func transparency() {
    let red = Color(red: 255, green: 0, blue: 0).premultiplied
    let reduced = Bitmap(width: 2, height: 1, pixels: [red, 0]).reduced(by: 2)
    #expect(reduced.pixels == [0x8080_0000])
  }

  @Test("a factor of one, or an empty bitmap, changes nothing", arguments: [1, 4])
  func nothing(factor: Int) {
    let empty = Bitmap(width: 0, height: 0, pixels: [])
    #expect(empty.reduced(by: factor) == empty)
    let one = Bitmap(width: 1, height: 1, fill: .white)
    #expect(one.reduced(by: factor) == one)
  }
}
