internal import Jobs

extension Check {
  static let heavyPace = Check(
    "heavy-ad-pace", family: .heavyAd, severity: .warning, title: "Works hard while nothing moves",
    why: "The ad keeps the processor busy though its picture stands still; at that pace Chrome unloads it.",
    remedy: "Look for timers, loops and animation frames that go on when there is nothing to show.",
    source: .heavyAd
  ) { evidence in
    guard let measurements = evidence.measurements, let pace = measurements.restingPace else { return nil }
    let limit = HeavyAdBudget.Chrome.windowSeconds / (HeavyAdBudget.Chrome.window / 1_000)
    guard pace > limit else { return [] }
    let percent = (pace * 100).rounded()
    return [
      Remark(
        "it uses \(Unit.percent.text(percent)) of a processor while its picture stands still",
        measure: Finding.Measure(value: percent, limit: limit * 100, unit: Unit.percent.rawValue))
    ]
  }
}

extension Measurements {
  /// Milliseconds of rest that tell a pace from a hiccup.
  private static let leastRest = 1_500.0

  /// Which part of a processor the ad used while it was watched after its last change; nil when that was too short.
  var restingPace: Double? {
    guard let motion else { return nil }
    let begin = max(motion.from, motion.lastChange ?? 0)
    let rest = heavyAd.samples.filter { $0.t >= begin && $0.t <= motion.until }
    guard let first = rest.first, let last = rest.last, last.t - first.t >= Self.leastRest else { return nil }
    return (last.seconds - first.seconds) / ((last.t - first.t) / 1_000)
  }
}

extension Evidence {
  /// Whether the ad changed through most of the time that it was watched.
  var isMoving: Bool {
    guard let motion = measurements?.motion, motion.pictures > 1 else { return false }
    return Double(motion.steps.count) >= 0.25 * Double(motion.pictures - 1)
  }
}
