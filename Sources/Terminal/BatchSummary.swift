internal import Application
internal import Core
internal import FoundationEssentials
internal import RenderModel

/// Last lines of a batch: counts by outcome, and the paths of the screenshots.
struct BatchSummary {
  private let result: BatchResult
  private let plan: BatchPlan

  init(_ result: BatchResult, plan: BatchPlan) {
    self.result = result
    self.plan = plan
  }

  var text: String {
    let lines = [troubles, screenshots.map { "screenshots: \($0)" }, filmstrips.map { "filmstrips: \($0)" }]
    return facts + lines.compactMap { $0.map { $0 + "\n" } }.joined()
  }

  /// Counts by outcome, with assumptions and warnings.
  var facts: String {
    let records = result.records
    return counts + AssumedSize(records).text + AssumedPlace(records).text + RecordWarnings(records).text
  }

  /// First line, with the counts and the total time.
  var counts: String {
    let total = result.records.count
    let counts = RenderRecord.Outcome.allCases.compactMap { outcome -> String? in
      let count = result.count(outcome)
      return count == 0 ? nil : "\(count) \(outcome.rawValue)"
    }
    let time = ResultRow.time(milliseconds: result.wall.milliseconds)
    guard total > 0 else {
      return plan.shard == nil ? "no creatives\n" : "no creatives: this share contains none of \(plan.found)\n"
    }
    return "\(total) \(total == 1 ? "creative" : "creatives"): \(counts.joined(separator: ", ")) in \(time)\n"
  }

  private var screenshots: String? { place { $0.screenshots.isEmpty ? nil : "screenshots" } }

  private var filmstrips: String? { place { $0.filmstrip?.sheet } }

  /// Returns the path of a file that results have, or a pattern for several results; nil if no result has it.
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

  /// Line on exceptions, failed requests and cut-off requests of completed creatives; nil for none.
  ///
  /// It serves users who look at the screenshots only.
  private var troubles: String? {
    var (exceptions, requests, cutOff, creatives) = (0, 0, 0, 0)
    for (item, record) in zip(plan.items, result.records) where record.outcome == .completed {
      guard case .render(let job) = item.work else { continue }
      let troubles = LoggedTroubles(ResultFolder(job.output).log)
      exceptions += troubles.exceptions
      requests += troubles.requests
      cutOff += troubles.cutOff
      creatives += troubles.exceptions + troubles.requests + troubles.cutOff > 0 ? 1 : 0
    }
    guard creatives > 0 else { return nil }
    let counts = [
      (exceptions, "exception", "exceptions"), (requests, "failed request", "failed requests"),
      (cutOff, "request cut off from the network", "requests cut off from the network"),
    ].filter { $0.0 > 0 }.map { count, one, many in
      "\(count) \(count == 1 ? one : many)"
    }
    let place = creatives == 1 && result.records.count == 1 ? "" : " in \(creatives) of them"
    return "\(counts.joined(separator: ", "))\(place): galley check lists them"
  }
}

extension Duration {
  var milliseconds: Double { self / .milliseconds(1) }
}

/// Sizes that were assumed for creatives without a given size.
struct AssumedSize {
  private let assumed: [(source: SizeSource, creative: String, size: Size)]

  init(_ records: [RenderRecord]) {
    assumed = records.compactMap { record in
      guard let place = record.placement, place.assumed == true else { return nil }
      return (place.assumedFrom ?? .fallback, record.creative.path, Size(width: place.width, height: place.height))
    }
  }

  /// One line for each source of assumed sizes, with the option that sets another; empty if all sizes are known.
  var text: String {
    SizeSource.allCases.map { source in
      let mine = assumed.filter { $0.source == source }
      guard let first = mine.first else { return "" }
      let names = Set(mine.map(\.creative))
      let more = names.count > 1 ? " and others (\(names.count) creatives)" : ""
      let remedy = source == .fallback ? "--size WxH, --placement interstitial or ad.size" : "--size WxH changes it"
      return "\(first.size) was assumed for \(first.creative)\(more), \(source.reason): \(remedy)".printable + "\n"
    }.joined()
  }
}

/// Devices and placements that were assumed for creatives without given ones.
struct AssumedPlace {
  private let assumed: [(assumption: Assumption, creative: String)]

  init(_ records: [RenderRecord]) {
    assumed = records.flatMap { record in
      (record.assumptions ?? []).filter { $0.what != .size }.map { ($0, record.creative.path) }
    }
  }

  /// One line for each assumption, with its creatives and the option that overrides it; empty for none.
  var text: String {
    var known: Set<Assumption> = []
    return assumed.filter { known.insert($0.assumption).inserted }.map { assumption, creative in
      let count = Set(assumed.filter { $0.assumption == assumption }.map(\.creative)).count
      let more = count > 1 ? " and others (\(count) creatives)" : ""
      let remedy = "--\(assumption.what.rawValue) changes it"
      let what = "\(assumption.what.rawValue) \(assumption.value)"
      return "\(what) was assumed for \(creative)\(more), as \(assumption.because): \(remedy)".printable + "\n"
    }.joined()
  }
}

/// Warnings in records, each once, without those that the machine causes for all renders alike.
struct RecordWarnings {
  private let order: [String]
  /// Creatives that have a warning, by the warning.
  private let creatives: [String: [String]]

  /// Maximum number of different warnings that are printed.
  private static let most = 5

  init(_ records: [RenderRecord]) {
    var (order, creatives) = ([String](), [String: [String]]())
    for record in records {
      for text in record.warnings where !MachineWarning.all.contains(text) {
        if creatives[text] == nil { order.append(text) }
        creatives[text, default: []].append(record.creative.path)
      }
    }
    (self.order, self.creatives) = (order, creatives)
  }

  /// One line for each warning; empty for none.
  var text: String {
    let lines = order.prefix(Self.most).map { text in
      let names = creatives[text, default: []]
      let whose = names.count == 1 ? names[0] : "\(names.count) creatives"
      return "warning: \(whose): \(text)".printable + "\n"
    }
    let more = order.count > Self.most ? "and \(order.count - Self.most) more warnings, in result.json\n" : ""
    return lines.joined() + more
  }
}
