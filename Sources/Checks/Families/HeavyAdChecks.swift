internal import RenderModel

/// What Chrome unloads ads for, as near as another engine can measure it.
enum HeavyAdChecks {
  static let all: [Check] = [heavyNetwork, heavyProcessor, heavyWindow, heavyPace, heavyHeadroom]

  static let heavyNetwork = Check(
    "heavy-ad-network", family: .heavyAd, severity: .error, title: "More than 4 MiB unasked",
    why: "Chrome unloads an ad that took more than 4 MiB from the network before anybody touched it.",
    remedy: "Load films and large pictures after the first tap, smaller, or not at all.", source: .heavyAd
  ) { context in
    guard let budget = context.measurements?.heavyAd else { return nil }
    guard budget.network.remaining < 0 else { return [] }
    return [budget.network.issue("it loads \(Unit.bytes.text(budget.network.used)) before anybody touches it", .bytes)]
  }

  static let heavyProcessor = Check(
    "heavy-ad-processor", family: .heavyAd, severity: .error, title: "More than 60 s of processor time",
    why: "Chrome unloads an ad that used the processor for more than 60 s in all before anybody touched it.",
    remedy: "Stop timers, loops and animation frames once the ad is at rest.", source: .heavyAd
  ) { context in
    guard let budget = context.measurements?.heavyAd else { return nil }
    guard budget.processor.remaining < 0 else { return [] }
    return [
      context.weighed(budget.processor.issue("it used the processor for \(budget.processor.seconds)", .seconds))
    ]
  }

  static let heavyWindow = Check(
    "heavy-ad-window", family: .heavyAd, severity: .error, title: "More than 15 s of processor time in 30 s",
    why: "Chrome unloads an ad that kept the processor busy for half of any 30 s before anybody touched it.",
    remedy: "Spread the work, do it in fewer frames, and stop when nothing changes.", source: .heavyAd
  ) { context in
    guard let budget = context.measurements?.heavyAd else { return nil }
    guard budget.peakWindow.remaining < 0 else { return [] }
    let from = Unit.seconds.text(budget.peakWindowStart / 1_000)
    let said = "it used the processor for \(budget.peakWindow.seconds) of the 30 s from \(from) on"
    return [context.weighed(budget.peakWindow.issue(said, .seconds))]
  }

  static let heavyHeadroom = Check(
    "heavy-ad-headroom", family: .heavyAd, severity: .warning, title: "Close to Chrome's limits",
    why: "Phones are slower than what measured this, and ad servers add weight of their own.",
    remedy: "Keep a fifth of each of Chrome's limits free.", source: .heavyAd
  ) { context in
    guard let budget = context.measurements?.heavyAd else { return nil }
    var parts: [(String, HeavyAdBudget.Share, Unit)] = [("bytes from the network", budget.network, .bytes)]
    // What paints all the time isn't slow by itself: here it is painted without the graphics chip.
    if !context.isMoving {
      parts += [("processor time", budget.processor, .seconds), ("busiest 30 s", budget.peakWindow, .seconds)]
    }
    return parts.filter { (0..<20).contains($0.1.remaining) }.map { name, share, unit in
      var issue = share.issue("of Chrome's limit for \(name) only \(Unit.percent.text(share.remaining)) is left", unit)
      issue.subject = name
      return issue
    }
  }

  static let heavyPace = Check(
    "heavy-ad-pace", family: .heavyAd, severity: .warning, title: "Works hard while nothing moves",
    why: "The ad keeps the processor busy though its picture stands still; at that pace Chrome unloads it.",
    remedy: "Look for timers, loops and animation frames that go on when there is nothing to show.",
    source: .heavyAd
  ) { context in
    guard let measurements = context.measurements, let pace = measurements.restingPace else { return nil }
    let limit = HeavyAdBudget.Chrome.windowSeconds / (HeavyAdBudget.Chrome.window / 1_000)
    guard pace > limit else { return [] }
    let percent = (pace * 100).rounded()
    return [
      CheckIssue(
        "it uses \(Unit.percent.text(percent)) of a processor while its picture stands still",
        measure: Finding.Measure(value: percent, limit: limit * 100, unit: Unit.percent.rawValue))
    ]
  }
}

extension HeavyAdBudget.Share {
  fileprivate var seconds: String { Unit.seconds.text(used) }

  fileprivate func issue(_ message: String, _ unit: Unit) -> CheckIssue {
    CheckIssue(
      "\(message); Chrome allows \(unit.text(limit))",
      measure: Finding.Measure(value: used, limit: limit, unit: unit.rawValue))
  }
}

extension CheckContext {
  /// Chrome paints on another thread, with the graphics chip: of an ad that moves, part of the time is that.
  fileprivate func weighed(_ issue: CheckIssue) -> CheckIssue {
    guard isMoving else { return issue }
    var issue = issue
    issue.message += ", not counting what painting its motion takes"
    issue.severity = .warning
    return issue
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

extension CheckContext {
  /// Whether the ad changed through most of the time that it was watched.
  fileprivate var isMoving: Bool {
    guard let motion = measurements?.motion, motion.frames > 1 else { return false }
    return Double(motion.steps.count) >= 0.25 * Double(motion.frames - 1)
  }
}
