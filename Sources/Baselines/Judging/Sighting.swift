package import Comparison

/// What one render showed, beside the baseline and beside the renders before it.
package struct Sighting: Sendable {
  /// The parts it has, each with its verdict; those that only the baseline has are missing.
  let verdicts: [String: BaselineVerdict]
  /// For each render before, the parts that are the same in both.
  let agreeing: [Set<String>]

  /// `pictures` are the names of what the render drew; without a baseline everything is new.
  package init(pictures: [String], baseline: ResultVerdict?, earlier: [ResultVerdict]) {
    var verdicts: [String: BaselineVerdict] = [:]
    for name in pictures + [PartName.events, PartName.states] { verdicts[name] = .new }
    if let baseline {
      for picture in baseline.pictures { verdicts[PartName.picture(picture.name)] = Self.verdict(picture.verdict) }
      verdicts[PartName.events] = baseline.events?.findings.isEmpty == true ? .unchanged : .changed
      verdicts[PartName.states] = baseline.record.isEmpty ? .unchanged : .changed
    }
    self.verdicts = verdicts
    agreeing = earlier.map(Self.agreeing)
  }

  private static func verdict(_ verdict: Verdict) -> BaselineVerdict {
    switch verdict {
    case .same: .unchanged
    case .different, .unreadable: .changed
    case .missing: .missing
    case .new: .new
    }
  }

  private static func agreeing(_ result: ResultVerdict) -> Set<String> {
    var names = Set(result.pictures.filter { $0.verdict == .same }.map { PartName.picture($0.name) })
    if result.events?.findings.isEmpty == true { names.insert(PartName.events) }
    if result.record.isEmpty, result.problems.isEmpty { names.insert(PartName.states) }
    return names
  }
}
