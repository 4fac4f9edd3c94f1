import Glibc
import Testing

@testable import Pixels

@Suite struct ImageComparisonTests {
  private let page = RasterSample(100, 60)
  private let black: UInt32 = 0xFF00_0000

  private func compare(
    _ first: RasterSample, _ second: RasterSample, _ options: ComparisonOptions = ComparisonOptions()
  ) async -> ImageDifference {
    await ImageComparison.compare(first.raster, second.raster, options: options)
  }

  @Test func equalPicturesDontDiffer() async {
    let difference = await compare(page, page)
    #expect(difference.differingCount == 0)
    #expect(difference.regions == [])
    #expect(difference.box == nil)
    #expect(difference.largest == 0)
  }

  @Test func everyPixelOfARectangleIsCounted() async {
    let difference = await compare(page, page.with(black, x: 20, y: 10, width: 30, height: 7))
    #expect(difference.differingCount == 210)
    #expect(difference.ratio == 210.0 / 6000)
    #expect(difference.box == PixelRect(x: 20, y: 10, width: 30, height: 7))
    #expect(difference.antialiasedCount == 0)
  }

  @Test func blackAgainstWhiteIsTheGreatestDistanceInOKLab() async {
    let changed = page.with(black, x: 0, y: 0, width: 100, height: 60)
    let difference = await compare(page, changed, ComparisonOptions(metric: .oklab))
    #expect(difference.differingCount == 6000)
    #expect(abs(difference.largest - 1) < 1e-6)
    #expect(abs(difference.mean - 1) < 1e-6)
  }

  @Test func blackAgainstWhiteIsNearlyTheGreatestDistanceInYIQ() async {
    let difference = await compare(page, page.with(black, x: 0, y: 0, width: 100, height: 60))
    #expect(abs(difference.largest - 0.966) < 0.001)
  }

  // 26 levels of grey are 341.6 by the formula, 27 are 368.4; the limit at 0.1 is 352.15.
  @Test(arguments: [(26, 0), (27, 12)])
  func thresholdLiesBetweenTwoGreys(_ levels: UInt32, _ count: Int) async {
    let grey: UInt32 = 0xFF00_0000 | (255 - levels) * 0x01_0101
    #expect(await compare(page, page.with(grey, x: 5, y: 5, width: 4, height: 3)).differingCount == count)
  }

  @Test func thresholdOfZeroSeesASingleLevel() async {
    let changed = page.with(0xFFFF_FFFE, x: 5, y: 5, width: 4, height: 3)
    #expect(await compare(page, changed, ComparisonOptions(threshold: 0)).differingCount == 12)
  }

  @Test func edgePixelsOfAnotherShadeAreAntialiasing() async {
    // Grey steps between a black and a white half, one column further right in the second picture.
    let half = RasterSample(20, 20).with(black, x: 0, y: 0, width: 10, height: 20)
    let light = half.with(0xFFC0_C0C0, x: 10, y: 5, width: 1, height: 10)
    let dark = half.with(0xFF40_4040, x: 10, y: 5, width: 1, height: 10)
    let plain = await compare(light, dark)
    #expect(plain.differingCount + plain.antialiasedCount == 10)
    #expect(plain.antialiasedCount == 10)
    let strict = await compare(light, dark, ComparisonOptions(countsAntialiasing: true))
    #expect(strict.differingCount == 10)
    #expect(strict.antialiasedCount == 0)
  }

  @Test func ignoredRegionsDontCount() async {
    let changed = page.with(black, x: 20, y: 10, width: 30, height: 7)
    let ignored = [PixelRect(x: 25, y: 0, width: 5, height: 12), PixelRect(x: 28, y: 11, width: 500, height: 500)]
    let difference = await compare(page, changed, ComparisonOptions(ignored: ignored))
    // Row 10 keeps 25 columns, rows 11 keeps 5, rows 12 to 16 keep 8 each.
    #expect(difference.differingCount == 25 + 5 + 5 * 8)
  }

  @Test func whatOnlyOneHasCounts() async {
    let wide = RasterSample(110, 50)
    let difference = await compare(page, wide)
    #expect(difference.sizesDiffer)
    #expect(difference.size == PixelSize(width: 110, height: 60))
    #expect(difference.differingCount == 10 * 50 + 100 * 10)
    #expect(difference.largest == 1)
    #expect(difference.mean == 1)
    #expect(await compare(page, wide, ComparisonOptions(ignored: [difference.size.rect])).differingCount == 0)
  }

  @Test func nothingComparesWithAnything() async {
    let nothing = RasterSample(0, 0)
    #expect(await compare(nothing, nothing).differingCount == 0)
    #expect(await compare(nothing, page).differingCount == 6000)
    #expect(await compare(RasterSample(0, 60), RasterSample(100, 0)).differingCount == 0)
  }

  @Test func opaqueRGBAEqualsRGB() async {
    let other = RasterSample(100, 60, channels: 4)
    #expect(await compare(page, other).differingCount == 0)
    #expect(await compare(page, other.with(black, x: 3, y: 3, width: 2, height: 2)).differingCount == 4)
  }

  @Test func invisiblePixelsAreTheSameWhateverTheirColour() async {
    let clear = RasterSample(8, 8, fill: 0x00FF_0000, channels: 4)
    let other = RasterSample(8, 8, fill: 0x0000_00FF, channels: 4)
    #expect(await compare(clear, other).differingCount == 0)
    #expect(await compare(clear, RasterSample(8, 8)).differingCount == 64)
  }

  @Test func manyBandsGiveOneAnswer() async {
    let tall = RasterSample(9, 1000)
    var changed = tall
    for y in stride(from: 0, to: 1000, by: 3) { changed.set(y % 9, y, black) }
    let difference = await compare(tall, changed, ComparisonOptions(countsAntialiasing: true))
    #expect(difference.differingCount == 334)
    #expect(difference.differing.count == 334)
    #expect(difference.differing.contains(0, 999))
    #expect(!difference.differing.contains(1, 999))
  }
}

extension PixelSize {
  fileprivate var rect: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }
}

/// Counts beside those of a loop that skips nothing; `GALLEY_FUZZ_ROUNDS` and `GALLEY_FUZZ_SEED` as for the others.
@Suite struct NaiveComparisonTests {
  private static func setting(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
  private static let rounds = (setting("GALLEY_FUZZ_ROUNDS") ?? 300) / 10
  private static let seed = UInt64(setting("GALLEY_FUZZ_SEED") ?? 1)

  /// Every pixel looked at, in no order that matters.
  private func count(_ first: Raster, _ second: Raster, _ options: ComparisonOptions) -> Int {
    let (width, height) = (max(first.width, second.width), max(first.height, second.height))
    let common = (width: min(first.width, second.width), height: min(first.height, second.height))
    let (p, q) = (first.withAlpha, second.withAlpha)
    return p.withPlane { p in
      q.withPlane { q in
        var count = 0
        for y in 0..<height {
          for x in 0..<width {
            let isIgnored = options.ignored.contains { $0.x <= x && x < $0.maxX && $0.y <= y && y < $0.maxY }
            if isIgnored { continue }
            let (isInFirst, isInSecond) = (x < first.width && y < first.height, x < second.width && y < second.height)
            guard isInFirst, isInSecond else {
              count += isInFirst || isInSecond ? 1 : 0
              continue
            }
            let limit = YIQ.greatest * options.threshold * options.threshold
            let (a, b) = (p.pixel(x, y), q.pixel(x, y))
            if a != b, YIQ.squaredDistance(a, b, index: y * common.width + x) > limit { count += 1 }
          }
        }
        return count
      }
    }
  }

  /// Returns a side between 0 and more than the bands in which rows are compared, and the blocks of columns.
  private func side(_ files: inout RandomFiles) -> Int {
    [0, 1, 15, 16, 17, 63, 64, 65, 255, 256, 257, 300, 520].randomElement(using: &files.numbers) ?? 1
  }

  @Test func countsEveryPixelThatDiffersAndNoOther() async {
    var files = RandomFiles(seed: Self.seed &+ 3)
    for round in 0..<Self.rounds {
      let (width, height) = (side(&files), side(&files))
      let isSized = Int.random(in: 0..<4, using: &files.numbers) > 0
      let first = files.image(width: width, height: height, channels: Bool.random(using: &files.numbers) ? 3 : 4)
      let second =
        isSized
        ? changed(first, &files)
        : files.image(width: side(&files), height: side(&files), channels: Bool.random(using: &files.numbers) ? 3 : 4)
      let ignored = PixelRect(x: files.side() - 5, y: files.side() - 5, width: files.side() * 9, height: files.side())
      let options = ComparisonOptions(
        threshold: .random(in: 0...1, using: &files.numbers), countsAntialiasing: true,
        ignored: Bool.random(using: &files.numbers) ? [ignored] : [])
      let found = await ImageComparison.compare(first, second, options: options)
      #expect(found.differingCount == count(first, second, options), "round \(round): \(width)x\(height)")
    }
  }

  /// The picture with a few bytes changed: most blocks and rows stay equal.
  private func changed(_ raster: Raster, _ files: inout RandomFiles) -> Raster {
    var bytes = raster.bytes
    let count = bytes.count - Raster.slack
    for _ in 0..<Int.random(in: 0...30, using: &files.numbers) where count > 0 {
      bytes[Int.random(in: 0..<count, using: &files.numbers)] = .random(in: 0...255, using: &files.numbers)
    }
    return Raster(
      width: raster.width, height: raster.height, channels: raster.channels, lead: raster.lead, bytes: bytes)
  }
}

@Suite struct DifferenceBudgetTests {
  /// 40 of 6,000 pixels, all in one place.
  private func difference(window: Int? = nil) async -> ImageDifference {
    let page = RasterSample(100, 60)
    let changed = page.with(0xFF00_0000, x: 10, y: 10, width: 8, height: 5)
    return await ImageComparison.compare(page.raster, changed.raster, options: ComparisonOptions(window: window))
  }

  @Test func withoutLimitsNothingMayDiffer() async {
    let page = RasterSample(10, 10)
    #expect(await !DifferenceBudget().allows(difference()))
    #expect(DifferenceBudget().allows(await ImageComparison.compare(page.raster, page.raster)))
  }

  // The densest 4×4 window is full.
  @Test(arguments: [
    (DifferenceBudget(count: 40), true), (DifferenceBudget(count: 39), false), (DifferenceBudget(ratio: 0.01), true),
    (DifferenceBudget(ratio: 0.006), false), (DifferenceBudget(density: 16), true),
    (DifferenceBudget(density: 15), false), (DifferenceBudget(count: 100, ratio: 0.1, density: 15), false),
    (DifferenceBudget(count: 0, ratio: 1), false),
  ])
  func everyLimitHasToHold(_ budget: DifferenceBudget, _ isAllowed: Bool) async {
    #expect(await budget.allows(difference(window: 4)) == isAllowed)
  }

  @Test func anotherSizeIsADifferenceUnlessALimitIsGiven() async {
    let (page, wide) = (RasterSample(10, 10), RasterSample(11, 10))
    let ignored = ComparisonOptions(ignored: [PixelRect(x: 10, y: 0, width: 1, height: 10)])
    let found = await ImageComparison.compare(page.raster, wide.raster, options: ignored)
    #expect(found.differingCount == 0)
    #expect(!DifferenceBudget().allows(found))
    #expect(DifferenceBudget(count: 0).allows(found))
  }
}
