import Testing

@testable import Pixels

@Suite struct DiffImageTests {
  private let first = RasterSample(20, 10, fill: 0xFF00_0000).raster

  @Test func highlightFadesWhatIsTheSameAndPaintsWhatIsNot() async {
    let second = RasterSample(20, 10, fill: 0xFF00_0000).with(0xFFFF_FFFF, x: 4, y: 3, width: 5, height: 4).raster
    let difference = await ImageComparison.compare(first, second)
    let image = DiffImage.highlight(first, difference)
    // Black at a tenth on white is 229.5, cut off.
    #expect(image[0, 0] == Color(rgb: 0xE5_E5E5))
    #expect(image[4, 3] == Color(rgb: 0xFF_0000))
    #expect(image.pixels.count { $0 == 0xFFFF_0000 } == 20)
  }

  @Test func highlightIsAsLargeAsBoth() async {
    let second = RasterSample(10, 20, fill: 0xFF00_0000).raster
    let image = DiffImage.highlight(first, await ImageComparison.compare(first, second))
    #expect(image.bounds == PixelRect(x: 0, y: 0, width: 20, height: 20))
    #expect(image[15, 15] == .white)
    #expect(image[5, 15] == Color(rgb: 0xFF_0000))
    #expect(image[15, 5] == Color(rgb: 0xFF_0000))
  }

  @Test func picturesStandSideBySide() throws {
    let red = Bitmap(width: 4, height: 2, fill: Color(rgb: 0xFF_0000))
    let image = try DiffImage.beside(red, Bitmap(width: 4, height: 3, fill: .white), red)
    #expect(image.bounds == PixelRect(x: 0, y: 0, width: 44, height: 3))
    #expect(image[3, 1] == Color(rgb: 0xFF_0000))
    #expect(image[3, 2] == Color(rgb: 0x80_8080))
    #expect(image[20, 2] == .white)
    #expect(image[40, 0] == Color(rgb: 0xFF_0000))
  }

  @Test func blinkingIsAnAnimationWhoseFirstFrameEveryReaderSees() throws {
    let (small, large) = (Bitmap(width: 4, height: 2, fill: .black), Bitmap(width: 3, height: 5, fill: .white))
    let frames = try DiffImage.blink(small, large)
    #expect(
      frames.map(\.bounds) == [PixelRect(x: 0, y: 0, width: 4, height: 5), PixelRect(x: 0, y: 0, width: 4, height: 5)])
    let file = try PNGAnimation.encode(frames, delay: 500)
    #expect(try PNGDecoder.decode(file) == frames[0])
    for chunk in ["acTL", "fcTL", "fdAT"] {
      #expect(file.indices.contains { file[$0...].starts(with: chunk.utf8) }, "\(chunk)")
    }
  }

  @Test func whatWouldBeTooLargeIsRefusedBeforeMemoryIsTaken() {
    let (tall, wide) = (Bitmap(width: 1, height: 60_000, fill: .white), Bitmap(width: 60_000, height: 1, fill: .white))
    #expect(throws: PNGError.self) { try DiffImage.blink(tall, wide) }
    #expect(throws: PNGError.self) { try DiffImage.beside(tall, tall, wide) }
  }
}

@Suite struct DifferenceRegionTests {
  private let page = RasterSample(200, 120)
  private let black: UInt32 = 0xFF00_0000

  @Test func farApartChangesAreTwoRegionsAndTheLargestComesFirst() async {
    let changed = page.with(black, x: 3, y: 5, width: 4, height: 4).with(black, x: 150, y: 90, width: 20, height: 10)
    let difference = await ImageComparison.compare(page.raster, changed.raster)
    #expect(
      difference.regions == [
        DifferenceRegion(box: PixelRect(x: 150, y: 90, width: 20, height: 10), differing: 200),
        DifferenceRegion(box: PixelRect(x: 3, y: 5, width: 4, height: 4), differing: 16),
      ])
    #expect(difference.box == PixelRect(x: 3, y: 5, width: 167, height: 95))
  }

  @Test func touchingCellsAreOneRegionRoundCornersToo() async {
    let changed = page.with(black, x: 7, y: 7, width: 1, height: 1).with(black, x: 8, y: 8, width: 60, height: 1)
    let difference = await ImageComparison.compare(
      page.raster, changed.raster, options: ComparisonOptions(countsAntialiasing: true))
    #expect(
      difference.regions == [DifferenceRegion(box: PixelRect(x: 7, y: 7, width: 61, height: 2), differing: 61)])
  }

  @Test func densestWindowFindsTheSmallPartThatChanged() async {
    let changed = page.with(black, x: 101, y: 51, width: 8, height: 8).with(black, x: 0, y: 0, width: 3, height: 3)
    let difference = await ImageComparison.compare(
      page.raster, changed.raster, options: ComparisonOptions(window: 10))
    #expect(difference.densest?.differing == 64)
    #expect(difference.densest?.box == PixelRect(x: 99, y: 49, width: 10, height: 10))
    let whole = await ImageComparison.compare(page.raster, changed.raster, options: ComparisonOptions(window: 500))
    #expect(whole.densest?.differing == 73)
    #expect(whole.densest?.box == PixelRect(x: 0, y: 0, width: 200, height: 120))
  }

  @Test func densestWindowAgreesWithCountingEveryWindow() {
    var random = SeededNumbers(seed: 4)
    var mask = PixelMask(width: 70, height: 40)
    for _ in 0..<200 { mask.insert(Int.random(in: 0..<70, using: &random), Int.random(in: 0..<40, using: &random)) }
    for side in [1, 2, 7, 39, 40, 41, 69, 70, 100] {
      let (width, height) = (min(side, 70), min(side, 40))
      var best = 0
      for y in 0...(40 - height) {
        for x in 0...(70 - width) {
          var count = 0
          for row in y..<(y + height) { for column in x..<(x + width) where mask.contains(column, row) { count += 1 } }
          best = max(best, count)
        }
      }
      #expect(DensestWindow(of: mask, side: side)?.differing == best, "side \(side)")
    }
  }

  @Test func aMovedRegionIsExplainedByItsShift() async {
    let before = page.with(black, x: 20, y: 20, width: 30, height: 9).with(
      0xFFFF_0000, x: 25, y: 22, width: 4, height: 4)
    let after = page.with(black, x: 22, y: 19, width: 30, height: 9).with(
      0xFFFF_0000, x: 27, y: 21, width: 4, height: 4)
    let strict = await ImageComparison.compare(before.raster, after.raster)
    #expect(strict.differingCount > 0)
    let found = await ImageComparison.compare(before.raster, after.raster, options: ComparisonOptions(shift: 2))
    #expect(found.differingCount == 0)
    #expect(found.shiftedCount == strict.differingCount)
    #expect(found.regions.map(\.shift) == [PixelShift(x: 2, y: -1)])
    #expect(found.box == nil)
    #expect((found.largest, found.mean) == (0, 0))
    let near = await ImageComparison.compare(before.raster, after.raster, options: ComparisonOptions(shift: 1))
    #expect(near.differingCount == strict.differingCount)
  }

  @Test func whatMovedAndChangedIsNotExplained() async {
    let before = page.with(black, x: 20, y: 20, width: 30, height: 9)
    let after = page.with(black, x: 21, y: 20, width: 30, height: 9).with(
      0xFFFF_0000, x: 25, y: 22, width: 4, height: 4)
    let found = await ImageComparison.compare(before.raster, after.raster, options: ComparisonOptions(shift: 4))
    // The right edge is a region of its own, which did move; the left one has the new square in it.
    #expect(found.regions.map(\.shift) == [nil, PixelShift(x: 1, y: 0)])
    #expect(found.differingCount == 9 + 16)
    #expect(found.shiftedCount == 9)
  }
}
