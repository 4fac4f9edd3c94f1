internal import Pixels
internal import RenderModel
internal import WebKitRuntime

/// Watches the ad alone, some pictures a second, and more of them while it may flash.
@WebKitActor struct MotionWatch {
  let page: AdPage
  let clock: RenderClock
  /// Pixels a dip.
  let scale: Int

  private static let interval = Duration.milliseconds(200)
  /// Between pictures while something flashes: three flashes a second are six changes.
  private static let closely = Duration.milliseconds(50)
  /// How long it is watched closely after something turned brighter or darker.
  private static let burst = Duration.milliseconds(1_500)
  /// A quarter of ten degrees of sight (WCAG 2.3.1: 341 × 256 at 1024 × 768), in dip².
  private static let leastArea = 21_824.0
  /// The same of an ad that is smaller than that.
  private static let leastShare = 0.25

  /// Returns at the end of `time`, or as soon as `holds` doesn't; nil when no picture could be taken.
  func watch(for time: Duration, while holds: @WebKitActor () -> Bool) async -> MotionMeasure? {
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

/// Looks at pictures off the web thread.
private actor MotionAnalyst {
  private(set) var analysis: MotionAnalysis

  init(_ analysis: MotionAnalysis) { self.analysis = analysis }

  func add(_ screenshot: Bitmap, t: Double) -> Bool { analysis.add(screenshot, t: t) }
}

extension MotionMeasure {
  /// Of an ad that covers so many dip².
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

  /// Upwards, so that what moved at all isn't told as none.
  private static func thousandths(_ value: Double) -> Double { (value * 1_000).rounded(.up) / 1_000 }
}
