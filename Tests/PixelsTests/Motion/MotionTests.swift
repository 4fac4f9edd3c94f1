import Pixels
import Testing

@Suite("Motion and flashes in pictures")
struct MotionTests {
  private func picture(_ gray: UInt32, right: UInt32? = nil) -> Bitmap {
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
      (0, picture(0x808080)), (200, picture(0x808080, right: 0x404040)), (400, picture(0x818181, right: 0x404040)),
    ])
    #expect(found.steps.map(\.t) == [200] && found.steps.map(\.share) == [0.5])
    #expect(found.pictures == 3)
    #expect(!found.isBlank)
  }

  @Test("what shows one colour all the time is blank, whichever it is")
  func blank() {
    #expect(analysis([(0, picture(0x808080)), (200, picture(0xFFFFFF))]).isBlank)
    #expect(!analysis([(0, picture(0x808080)), (200, picture(0xFFFFFF, right: 0))]).isBlank)
    #expect(!analysis([(0, picture(0x808080)), (200, picture(0xFFFFFF, right: 0))]).endsBlank)
    #expect(analysis([(0, picture(0xFFFFFF, right: 0)), (200, picture(0x808080))]).endsBlank)
  }

  @Test("a flash is there and back: the worst second is found, with the part that flashed")
  func counts() throws {
    // Dark and light in turns, every 100 ms for 2 s, on the right half.
    let pictures = (0...20).map {
      (t: Double($0) * 100, bitmap: picture(0x202020, right: $0 % 2 == 0 ? 0x202020 : 0xFFFFFF))
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
    let pictures = (0...6).map { (t: Double($0) * 160, bitmap: picture($0 % 2 == 0 ? 0 : 0xFFFFFF)) }
    #expect(analysis(pictures).flashes.worst?.count == 3)
  }

  @Test("a fade counts once it has gone a tenth of the way, in however many steps")
  func fades() {
    let up = (0..<20).map { picture(UInt32($0 * 12) * 0x010101) }
    let down = up.reversed()
    let pictures = (up + down + up).enumerated().map { (t: Double($0.offset) * 20, bitmap: $0.element) }
    #expect(analysis(pictures).flashes.count == 1)
  }

  @Test(
    "what is too small, too faint or light on light is no flash",
    arguments: [(0x202020, 0x303030, 0.25), (0xF0F0F0, 0xFFFFFF, 0.25), (0, 0xFFFFFF, 0.6)]
      as [(UInt32, UInt32, Double)])
  func harmless(one: UInt32, other: UInt32, least: Double) {
    let pictures = (0...10).map { (t: Double($0) * 100, bitmap: picture(0x101010, right: $0 % 2 == 0 ? one : other)) }
    #expect(analysis(pictures, least: least).flashes.worst == nil)
  }
}
