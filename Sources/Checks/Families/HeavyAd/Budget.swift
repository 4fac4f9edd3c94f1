internal import Jobs

extension Check {
  static let heavyNetwork = Check(
    "heavy-ad-network", family: .heavyAd, severity: .error, title: "More than 4 MiB unasked",
    why: "Chrome unloads an ad that took more than 4 MiB from the network before anybody touched it.",
    remedy: "Load films and large pictures after the first tap, smaller, or not at all.", source: .heavyAd
  ) { evidence in
    guard let budget = evidence.measurements?.heavyAd else { return nil }
    guard budget.network.headroom < 0 else { return [] }
    return [budget.network.remark("it loads \(Unit.bytes.text(budget.network.used)) before anybody touches it", .bytes)]
  }

  static let heavyProcessor = Check(
    "heavy-ad-processor", family: .heavyAd, severity: .error, title: "More than 60 s of processor time",
    why: "Chrome unloads an ad that used the processor for more than 60 s in all before anybody touched it.",
    remedy: "Stop timers, loops and animation frames once the ad is at rest.", source: .heavyAd
  ) { evidence in
    guard let budget = evidence.measurements?.heavyAd else { return nil }
    guard budget.processor.headroom < 0 else { return [] }
    return [
      evidence.weighed(budget.processor.remark("it used the processor for \(budget.processor.seconds)", .seconds))
    ]
  }

  static let heavyWindow = Check(
    "heavy-ad-window", family: .heavyAd, severity: .error, title: "More than 15 s of processor time in 30 s",
    why: "Chrome unloads an ad that kept the processor busy for half of any 30 s before anybody touched it.",
    remedy: "Spread the work, do it in fewer frames, and stop when nothing changes.", source: .heavyAd
  ) { evidence in
    guard let budget = evidence.measurements?.heavyAd else { return nil }
    guard budget.busiest.headroom < 0 else { return [] }
    let from = Unit.seconds.text(budget.busiestFrom / 1_000)
    let said = "it used the processor for \(budget.busiest.seconds) of the 30 s from \(from) on"
    return [evidence.weighed(budget.busiest.remark(said, .seconds))]
  }

  static let heavyHeadroom = Check(
    "heavy-ad-headroom", family: .heavyAd, severity: .warning, title: "Close to Chrome's limits",
    why: "Phones are slower than what measured this, and ad servers add weight of their own.",
    remedy: "Keep a fifth of each of Chrome's limits free.", source: .heavyAd
  ) { evidence in
    guard let budget = evidence.measurements?.heavyAd else { return nil }
    var parts: [(String, HeavyAdBudget.Share, Unit)] = [("bytes from the network", budget.network, .bytes)]
    // What paints all the time isn't slow by itself: here it is painted without the graphics chip.
    if !evidence.isMoving {
      parts += [("processor time", budget.processor, .seconds), ("busiest 30 s", budget.busiest, .seconds)]
    }
    return parts.filter { (0..<20).contains($0.1.headroom) }.map { name, share, unit in
      var remark = share.remark("of Chrome's limit for \(name) only \(Unit.percent.text(share.headroom)) is left", unit)
      remark.subject = name
      return remark
    }
  }
}

extension HeavyAdBudget.Share {
  fileprivate var seconds: String { Unit.seconds.text(used) }

  fileprivate func remark(_ message: String, _ unit: Unit) -> Remark {
    Remark(
      "\(message); Chrome allows \(unit.text(limit))",
      measure: Finding.Measure(value: used, limit: limit, unit: unit.rawValue))
  }
}

extension Evidence {
  /// Chrome paints on another thread, with the graphics chip: of an ad that moves, part of the time is that.
  fileprivate func weighed(_ remark: Remark) -> Remark {
    guard isMoving else { return remark }
    var remark = remark
    remark.message += ", not counting what painting its motion takes"
    remark.severity = .warning
    return remark
  }
}
