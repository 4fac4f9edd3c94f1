internal import Engine
internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Watches the ad alone, with a few images per second, and more while it may flash.
@EngineActor struct MotionWatch {
  let page: AdPage
  let clock: RenderClock
  /// Pixels per dip.
  let scale: Int

  private static let interval = Duration.milliseconds(200)
  /// Interval between images while something flashes: three flashes per second are six changes.
  private static let closely = Duration.milliseconds(50)
  /// Duration of the close watch after an area became brighter or darker.
  private static let burst = Duration.milliseconds(1_500)
  /// A quarter of 10 degrees of the visual field (WCAG 2.3.1: 341 × 256 at 1024 × 768), in dip².
  private static let leastArea = 21_824.0
  /// Minimum share of the area, for an ad that is smaller than that.
  private static let leastShare = 0.25

  /// Returns at the end of `time`, or as soon as `holds` is false; nil if no image could be taken.
  func watch(for time: Duration, while holds: @EngineActor () -> Bool) async -> MotionMeasure? {
    let area = Double(page.view.width * page.view.height)
    let least = area > 0 ? min(Self.leastShare, Self.leastArea / area) : 1
    let analyst = MotionAnalyst(MotionAnalysis(step: 2 * scale, leastFlash: least))
    let begin = clock.now
    var (end, closelyUntil) = (begin, Duration.zero)
    while holds(), let screenshot = try? await page.screenshot(clock) {
      end = clock.now
      // Looking at it takes the machine's time, not the ad's.
      if await clock.hold({ await analyst.add(screenshot, t: milliseconds(end)) }) { closelyUntil = end + Self.burst }
      guard holds(), end - begin < time else { break }
      let next = end + (end < closelyUntil ? Self.closely : Self.interval)
      await clock.sleep(for: min(next, begin + time) - clock.now)
    }
    let analysis = await analyst.analysis
    guard analysis.pictures > 0 else { return nil }
    return MotionMeasure(analysis, from: milliseconds(begin), until: milliseconds(end), area: area)
  }

  private func milliseconds(_ timestamp: Duration) -> Double { (timestamp / .milliseconds(1)).rounded() }
}

/// Analyses images off the web thread.
private actor MotionAnalyst {
  private(set) var analysis: MotionAnalysis

  init(_ analysis: MotionAnalysis) { self.analysis = analysis }

  func add(_ screenshot: Bitmap, t: Double) -> Bool { analysis.add(screenshot, t: t) }
}

extension MotionMeasure {
  /// Creates the measurement of an ad with an area of `area` dip².
  init(_ analysis: MotionAnalysis, from: Double, until: Double, area: Double) {
    let worst = analysis.flashes.worst
    let share = Self.thousandths(worst?.share ?? 0)
    self.init(
      from: from, until: until, frames: analysis.pictures,
      steps: analysis.steps.map { Step(t: $0.t, share: Self.thousandths($0.share)) }, isBlank: analysis.isBlank,
      endsBlank: analysis.endsBlank,
      flashes: FlashMeasure(
        count: analysis.flashes.count, mostInOneSecond: worst?.count ?? 0, worstFrom: worst?.from,
        area: (share * area).rounded(), share: share))
  }

  /// Rounds up to thousandths, so that small movement isn't reported as none.
  private static func thousandths(_ value: Double) -> Double { (value * 1_000).rounded(.up) / 1_000 }
}
