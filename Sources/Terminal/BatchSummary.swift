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
    return facts + lines.compactMap { $0.map { $0 + "\n" } }.joined()
  }

  /// How many ended how, and what was assumed and warned of.
  var facts: String { counts + AssumedSize(result.records).text + RecordWarnings(result.records).text }

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

/// The sizes that creatives got of which nobody said one.
struct AssumedSize {
  private let assumed: [(source: SizeSource, creative: String, size: Size)]

  init(_ records: [RenderRecord]) {
    assumed = records.compactMap { record in
      guard let place = record.placement, place.assumed == true else { return nil }
      return (place.assumedFrom ?? .fallback, record.creative.path, Size(width: place.width, height: place.height))
    }
  }

  /// A line for each way in which sizes were found, which says how to give another; empty where all sizes are known.
  var text: String {
    SizeSource.allCases.map { source in
      let mine = assumed.filter { $0.source == source }
      guard let first = mine.first else { return "" }
      let names = Set(mine.map(\.creative))
      let more = names.count > 1 ? " and others (\(names.count) creatives)" : ""
      let remedy = source == .fallback ? "--size WxH, --placement interstitial or ad.size" : "--size WxH says another"
      return "\(first.size) was assumed for \(first.creative)\(more), \(source.reason): \(remedy)".printable + "\n"
    }.joined()
  }
}

extension SizeSource {
  /// Why a size was assumed.
  package var reason: String {
    switch self {
    case .name: "as its name says"
    case .body: "as its body is styled"
    case .element: "as its first element is"
    case .fallback: "as nothing says its size"
    }
  }
}

/// What results are warned of beside what the machine does to all alike, each once.
struct RecordWarnings {
  private let order: [String]
  /// Who is warned, by the warning.
  private let creatives: [String: [String]]

  /// Different warnings that are told.
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

  /// A line each; empty for none.
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
