/// Whether another render is needed before a creative can be judged, and what can be said of it.
///
/// A part is believed as soon as a render agrees with the baseline, or two renders with each other; so a change is one
/// that was seen twice, and what passed once can't be the baseline's fault.
package struct StabilityVote: Sendable {
  private struct Part {
    /// The first render that agreed with the baseline.
    var matched: Int?
    /// The first render that agreed with one before it.
    var agreed: Int?
    /// Its verdict in each render; nil where there was no such part.
    var seen: [BaselineVerdict?] = []
  }

  private var parts: [String: Part] = [:]
  /// Parts that needn't agree: known to be flaky.
  private let tolerated: Set<String>
  /// Renders so far.
  package private(set) var count = 0

  /// Nothing rendered yet; `tolerated` are the baseline's flaky parts.
  package init(tolerated: Set<String> = []) { self.tolerated = tolerated }

  package mutating func addSample(_ sighting: PartSample) {
    for name in Set(parts.keys).union(sighting.verdicts.keys) {
      var part = parts[name] ?? Part(seen: Array(repeating: nil, count: count))
      let verdict = sighting.verdicts[name]
      if verdict == .unchanged { part.matched = part.matched ?? count }
      if agrees(name, verdict, part, sighting) { part.agreed = part.agreed ?? count }
      part.seen.append(verdict)
      parts[name] = part
    }
    count += 1
  }

  /// Whether a part is as in a render before: the same, or as little there.
  private func agrees(_ name: String, _ verdict: BaselineVerdict?, _ part: Part, _ sighting: PartSample) -> Bool {
    if verdict == nil || verdict == .missing { return part.seen.contains { $0 == verdict } }
    return sighting.agreeing.contains { $0.contains(name) }
  }

  /// Whether every part can be judged without rendering again.
  package var isSettled: Bool {
    count > 0
      && parts.allSatisfy { name, part in part.matched != nil || part.agreed != nil || tolerated.contains(name) }
  }

  /// What is said of each part, sorted by name; parts that renders agree not to have are left out.
  package var judgements: [PartVerdict] {
    parts.sorted { $0.key < $1.key }.compactMap { name, part in
      let matches = part.seen.count { $0 == .unchanged }
      if let render = part.matched {
        return PartVerdict(name: name, verdict: .unchanged, render: render, isSteady: matches == part.seen.count)
      }
      if let render = part.agreed {
        guard let verdict = part.seen[render] else { return nil }
        return PartVerdict(name: name, verdict: verdict, render: verdict == .missing ? nil : render)
      }
      let render = part.seen.lastIndex { $0 != nil && $0 != .missing }
      return PartVerdict(
        name: name, verdict: .flaky, render: render, isSteady: false, isTolerated: tolerated.contains(name))
    }
  }
}

/// What one render showed, beside the baseline and beside the renders before it.
package struct PartSample: Sendable {
  /// The parts it has, each with its verdict; those that only the baseline has are missing.
  let verdicts: [String: BaselineVerdict]
  /// For each render before, the parts that are the same in both.
  let agreeing: [Set<String>]

  /// `pictures` are the names of what the render drew; without a baseline everything is new.
  package init(pictures: [String], baseline: ResultVerdict?, earlier: [ResultVerdict]) {
    var verdicts: [String: BaselineVerdict] = [:]
    for name in pictures + [PartName.events, PartName.states] { verdicts[name] = .new }
    if let baseline {
      for screenshot in baseline.pictures {
        verdicts[PartName.screenshot(screenshot.name)] = Self.verdict(screenshot.verdict)
      }
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
    var names = Set(result.pictures.filter { $0.verdict == .same }.map { PartName.screenshot($0.name) })
    if result.events?.findings.isEmpty == true { names.insert(PartName.events) }
    if result.record.isEmpty, result.problems.isEmpty { names.insert(PartName.states) }
    return names
  }
}

/// What is said of one part of a creative.
package struct PartVerdict: Hashable, Sendable {
  package let name: String
  package let verdict: BaselineVerdict
  /// The render, from 0, that shows what is believed; nil for what is missing.
  package let render: Int?
  /// Whether all renders agreed.
  package var isSteady = true
  /// Whether it is flaky and the baseline says so.
  package var isTolerated = false

  package init(
    name: String, verdict: BaselineVerdict, render: Int?, isSteady: Bool = true, isTolerated: Bool = false
  ) {
    (self.name, self.verdict, self.render) = (name, verdict, render)
    (self.isSteady, self.isTolerated) = (isSteady, isTolerated)
  }
}

/// How a part of a creative compares with its baseline: a picture, the event log, the states.
package enum BaselineVerdict: String, Sendable, Codable, CaseIterable {
  /// Within what may differ.
  case unchanged
  case changed
  /// Not in the baseline.
  case new
  /// In the baseline only.
  case missing
  /// No two renders agreed, nor any with the baseline.
  case flaky
}

/// How a creative compares with its baseline.
package enum CreativeVerdict: String, Sendable, Codable, CaseIterable {
  case unchanged
  /// A part is changed, new, missing, or flaky without the baseline saying so.
  case changed
  /// Nothing is recorded.
  case new
  /// What is recorded was drawn by something else, so it wasn't compared.
  case refused
  /// It couldn't be rendered, or its baseline not be read.
  case failed

  /// Of what is said of the parts.
  package init(_ judgements: [PartVerdict]) {
    let isUnchanged = judgements.allSatisfy { $0.verdict == .unchanged || $0.verdict == .flaky && $0.isTolerated }
    self = isUnchanged ? .unchanged : .changed
  }
}

/// Names of what a baseline holds beside pictures; a picture's begins with its number.
package enum PartName {
  package static let events = "events"
  package static let states = "states"

  /// Whether it is a picture's.
  package static func isPicture(_ name: String) -> Bool { name != events && name != states }

  /// A picture's name of its file's.
  package static func screenshot(_ file: String) -> String { file.hasSuffix(".png") ? String(file.dropLast(4)) : file }
}
