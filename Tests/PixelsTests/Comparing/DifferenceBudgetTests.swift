import Testing

@testable import Pixels

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
