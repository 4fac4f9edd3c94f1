internal import Application
internal import Core
internal import FoundationEssentials
internal import RenderModel

/// The last lines: how many ended how, and where the pictures are.
struct BatchSummary {
  private let result: BatchResult
  private let plan: BatchPlan

  init(_ result: BatchResult, plan: BatchPlan) {
    self.result = result
    self.plan = plan
  }

  var text: String {
    let lines = [troubles, screenshots.map { "screenshots: \($0)" }, filmstrips.map { "filmstrips: \($0)" }]
    return counts + (AssumedSize(result.records).line ?? "") + lines.compactMap { $0.map { $0 + "\n" } }.joined()
  }

  /// The first line alone.
  var counts: String {
    let total = result.records.count
    let counts = RenderRecord.Outcome.allCases.compactMap { outcome -> String? in
      let count = result.count(outcome)
      return count == 0 ? nil : "\(count) \(outcome.rawValue)"
    }
    let time = ResultRow.time(milliseconds: result.wall.milliseconds)
    guard total > 0 else {
      return plan.shard == nil ? "no creatives\n" : "no creatives: none of \(plan.found) is in this share\n"
    }
    return "\(total) \(total == 1 ? "creative" : "creatives"): \(counts.joined(separator: ", ")) in \(time)\n"
  }

  private var screenshots: String? { place { $0.screenshots.isEmpty ? nil : "screenshots" } }

  private var filmstrips: String? { place { $0.filmstrip?.sheet } }

  /// Something that results have, or with several a pattern for them; nil when none has it.
  private func place(_ file: (RenderRecord) -> String?) -> String? {
    let places = zip(plan.items, result.records).compactMap { item, record in
      file(record).map { (name: item.name, file: $0) }
    }
    let out = plan.out.hasSuffix("/") ? String(plan.out.dropLast()) : plan.out
    let depths = Set(places.map { $0.name.split(separator: "/").count })
    // Results lie as deep as creatives were found, and one deeper where there are several devices.
    let pattern = depths.count == 1 ? depths.map { Array(repeating: "*", count: $0).joined(separator: "/") }[0] : "**"
    return places.first.map { "\(out)/\(places.count == 1 ? $0.name : pattern)/\($0.file)".printable }
  }

  /// What went wrong in creatives that completed all the same, for whoever only looks at pictures.
  private var troubles: String? {
    var (exceptions, requests, creatives) = (0, 0, 0)
    for (item, record) in zip(plan.items, result.records) where record.outcome == .completed {
      guard case .render(let job) = item.work else { continue }
      let troubles = LoggedTroubles(ResultFolder(job.output).log)
      exceptions += troubles.exceptions
      requests += troubles.requests
      creatives += troubles.exceptions + troubles.requests > 0 ? 1 : 0
    }
    guard creatives > 0 else { return nil }
    let counts = [(exceptions, "exception"), (requests, "failed request")].filter { $0.0 > 0 }.map { count, noun in
      "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
    let place = creatives == 1 && result.records.count == 1 ? "" : " in \(creatives) of them"
    return "\(counts.joined(separator: ", "))\(place): galley check says what and where"
  }
}

extension Duration {
  var milliseconds: Double { self / .milliseconds(1) }
}

/// The size that creatives got of which nobody said one.
struct AssumedSize {
  private let count: Int
  private let size: String

  init(_ records: [RenderRecord]) {
    let assumed = records.compactMap(\.placement).filter { $0.assumed == true }
    count = assumed.count
    size = assumed.first.map { "\($0.width.plain)x\($0.height.plain)" } ?? ""
  }

  /// What to do about it; nil where all sizes are known.
  var line: String? {
    guard count > 0 else { return nil }
    let whose = count == 1 ? "a creative that doesn't say its size" : "\(count) creatives that don't say their size"
    return "\(size) was assumed for \(whose): --size WxH, --placement interstitial or ad.size\n"
  }
}
