internal import RenderModel

/// Limits for which Chrome unloads ads, as precisely as another engine can measure them.
enum HeavyAdChecks {
  static let all: [Check] = [heavyNetwork, heavyProcessor, heavyWindow, heavyPace, heavyHeadroom]

  static let heavyNetwork = Check(
    "heavy-ad-network", family: .heavyAd, severity: .error, title: "More than 4 MiB before a user gesture",
    why: "Chrome unloads an ad that loads more than 4 MiB from the network before the user touches it.",
    remedy: "Load videos and large images after the first tap, in smaller versions, or not at all.", source: .heavyAd,
    needs: .measured
  ) { context in
    guard let budget = context.measurements?.heavyAd else { return nil }
    guard budget.network.remaining < 0 else { return [] }
    return [budget.network.issue("the ad loads \(Unit.bytes.text(budget.network.used)) before a user gesture", .bytes)]
  }

  static let heavyProcessor = Check(
    "heavy-ad-processor", family: .heavyAd, severity: .error, title: "More than 60 s of processor time",
    why: "Chrome unloads an ad that uses the processor for more than 60 s in total before the user touches it.",
    remedy: "Stop timers, loops and animation frames once the ad is at rest.", source: .heavyAd, needs: .measured
  ) { context in
    guard let budget = context.measurements?.heavyAd else { return nil }
    guard budget.processor.remaining < 0 else { return [] }
    return [
      context.weighed(budget.processor.issue("the ad used the processor for \(budget.processor.seconds)", .seconds))
    ]
  }

  static let heavyWindow = Check(
    "heavy-ad-window", family: .heavyAd, severity: .error, title: "More than 15 s of processor time in 30 s",
    why: "Chrome unloads an ad that keeps the processor busy for half of any 30 s before the user touches it.",
    remedy: "Spread the work over time, use fewer frames, and stop when nothing changes.", source: .heavyAd,
    needs: .measured
  ) { context in
    guard let budget = context.measurements?.heavyAd else { return nil }
    guard budget.peakWindow.remaining < 0 else { return [] }
    let from = Unit.seconds.text(budget.peakWindowStart / 1_000)
    let said = "the ad used the processor for \(budget.peakWindow.seconds) of the 30 s from \(from) on"
    return [context.weighed(budget.peakWindow.issue(said, .seconds))]
  }

  static let heavyHeadroom = Check(
    "heavy-ad-headroom", family: .heavyAd, severity: .warning, title: "Close to Chrome's limits",
    why: "Phones are slower than the machine that measured this, and ad servers add weight of their own.",
    remedy: "Keep a fifth of each of Chrome's limits free.", source: .heavyAd, needs: .measured
  ) { context in
    guard let budget = context.measurements?.heavyAd else { return nil }
    var parts: [(String, HeavyAdBudget.Share, Unit)] = [("bytes from the network", budget.network, .bytes)]
    // What paints all the time isn't slow by itself: here it is painted without the graphics chip.
    if !context.isMoving {
      parts += [("processor time", budget.processor, .seconds), ("busiest 30 s", budget.peakWindow, .seconds)]
    }
    return parts.filter { (0..<20).contains($0.1.remaining) }.map { name, share, unit in
      var issue = share.issue("only \(Unit.percent.text(share.remaining)) of Chrome's limit for \(name) is left", unit)
      issue.subject = name
      return issue
    }
  }

  static let heavyPace = Check(
    "heavy-ad-pace", family: .heavyAd, severity: .warning, title: "High processor use while nothing changes",
    why: "The ad keeps the processor busy while nothing on it changes; at that rate Chrome unloads it.",
    remedy: "Stop timers, loops and animation frames that run while nothing changes.",
    source: .heavyAd, needs: .watched
  ) { context in
    guard let measurements = context.measurements, let pace = measurements.restingPace else { return nil }
    let limit = HeavyAdBudget.Chrome.windowSeconds / (HeavyAdBudget.Chrome.window / 1_000)
    guard pace > limit else { return [] }
    let percent = (pace * 100).rounded()
    return [
      CheckIssue(
        "the ad uses \(Unit.percent.text(percent)) of a processor while nothing on it changes",
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
  /// Reduces the severity for a moving ad, as Chrome paints on another thread, with the graphics chip.
  fileprivate func weighed(_ issue: CheckIssue) -> CheckIssue {
    guard isMoving else { return issue }
    var issue = issue
    issue.message += ", not counting the time to paint motion"
    issue.severity = .warning
    return issue
  }
}

extension Measurements {
  /// Minimum number of milliseconds of rest by which a pace can be measured.
  private static let leastRest = 1_500.0

  /// Share of a processor that the ad used after its last change; nil if observed for less than 1.5 s since then.
  var restingPace: Double? {
    guard let motion else { return nil }
    let begin = max(motion.from, motion.lastChange ?? 0)
    let rest = heavyAd.samples.filter { $0.t >= begin && $0.t <= motion.until }
    guard let first = rest.first, let last = rest.last, last.t - first.t >= Self.leastRest else { return nil }
    return (last.seconds - first.seconds) / ((last.t - first.t) / 1_000)
  }
}

extension CheckContext {
  /// Indicates if the ad changed in at least a quarter of the frames that were watched.
  fileprivate var isMoving: Bool {
    guard let motion = measurements?.motion, motion.frames > 1 else { return false }
    return Double(motion.steps.count) >= 0.25 * Double(motion.frames - 1)
  }
}
