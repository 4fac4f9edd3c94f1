internal import Jobs

/// The last lines: how many ended how, and where the pictures are.
struct BatchSummary {
  private let result: BatchResult
  private let plan: BatchPlan

  init(_ result: BatchResult, plan: BatchPlan) {
    self.result = result
    self.plan = plan
  }

  var text: String { counts + (pictures.map { "pictures: \($0)\n" } ?? "") }

  /// The first line alone.
  var counts: String {
    let total = result.records.count
    let counts = RenderRecord.Outcome.allCases.compactMap { outcome -> String? in
      let count = result.count(outcome)
      return count == 0 ? nil : "\(count) \(outcome.rawValue)"
    }
    let time = ResultRow.time(milliseconds: result.wall.milliseconds)
    return "\(total) \(total == 1 ? "creative" : "creatives"): \(counts.joined(separator: ", ")) in \(time)\n"
  }

  /// The folder, or with several a pattern for them; nil when there are none.
  private var pictures: String? {
    let names = zip(plan.items, result.records).filter { !$1.screenshots.isEmpty }.map(\.0.name)
    let out = plan.out.hasSuffix("/") ? String(plan.out.dropLast()) : plan.out
    return names.isEmpty ? nil : "\(out)/\(names.count == 1 ? names[0] : "*")/screenshots".printable
  }
}

extension Duration {
  var milliseconds: Double { self / .milliseconds(1) }
}
