import Testing

@testable import Pixels

@Suite struct SourceOverTests {
  @Test func scalingRoundsToTheNearestForEveryValue() {
    for alpha in UInt32(0)...255 {
      for value in UInt32(0)...255 {
        let expected = (value * alpha * 2 + 255) / 510
        let scaled = SourceOver.scale(value * 0x0101_0101, by: alpha)
        guard scaled == expected * 0x0101_0101 else {
          Issue.record("\(value) * \(alpha) / 255 gave \(String(scaled, radix: 16))")
          return
        }
      }
    }
  }

  @Test func halfRedOverBlueIsPurple() {
    let red = Color(red: 255, green: 0, blue: 0, alpha: 128).premultiplied
    #expect(SourceOver.blend(red, over: 0xFF00_00FF) == 0xFF80_007F)
  }

  @Test func opaqueReplacesAndClearChangesNothing() {
    #expect(SourceOver.blend(0xFF12_3456, over: 0x8040_2010) == 0xFF12_3456)
    #expect(SourceOver.blend(0, over: 0x8040_2010) == 0x8040_2010)
  }

  @Test func translucentOverTranslucentAddsUpItsAlpha() {
    // 0x80 + 0x80 * (255 - 0x80) / 255 = 128 + 63.75
    #expect(SourceOver.blend(0x8080_0000, over: 0x8000_0080) == 0xC080_0040)
  }
}
