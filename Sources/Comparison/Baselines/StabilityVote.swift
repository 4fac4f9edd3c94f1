/// Decides if another render is needed before a creative can be judged, and judges its parts.
///
/// A part is judged as soon as a render agrees with the baseline, or two renders agree with each other. A change has
/// therefore been seen twice, and a part that agreed once isn't a fault of the baseline.
package struct StabilityVote: Sendable {
  private struct Part {
    /// First render that agreed with the baseline.
    var matched: Int?
    /// First render that agreed with an earlier one.
    var agreed: Int?
    /// Verdict of the part in each render; nil for a render without it.
    var seen: [BaselineVerdict?] = []
  }

  private var parts: [String: Part] = [:]
  /// Known flaky parts, which needn't agree.
  private let tolerated: Set<String>
  /// Number of renders so far.
  package private(set) var count = 0

  /// Makes a vote without renders; `tolerated` are the baseline's flaky parts.
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

  /// Returns true if an earlier render agrees about the part, or also lacks it.
  private func agrees(_ name: String, _ verdict: BaselineVerdict?, _ part: Part, _ sighting: PartSample) -> Bool {
    if verdict == nil || verdict == .missing { return part.seen.contains { $0 == verdict } }
    return sighting.agreeing.contains { $0.contains(name) }
  }

  /// Indicates if every part can be judged without rendering again.
  package var isSettled: Bool {
    count > 0
      && parts.allSatisfy { name, part in part.matched != nil || part.agreed != nil || tolerated.contains(name) }
  }

  /// Verdicts on the parts, sorted by name; parts that renders agree not to have are left out.
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

/// Comparison of one render with the baseline and with the renders before it.
package struct PartSample: Sendable {
  /// Verdict on each part of the render; parts that only the baseline has are missing.
  let verdicts: [String: BaselineVerdict]
  /// Names of the parts that agree, for each earlier render.
  let agreeing: [Set<String>]

  /// Makes the sample; `pictures` are the names of the render's pictures, and without a baseline every part is new.
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
    case .different, .filesChanged, .unreadable: .changed
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

/// Verdict on one part of a creative.
package struct PartVerdict: Hashable, Sendable {
  package let name: String
  package let verdict: BaselineVerdict
  /// Index of the render, from 0, that shows the judged state; nil for a missing part.
  package let render: Int?
  /// Indicates if all renders agreed.
  package var isSteady = true
  /// Indicates if the part is flaky and the baseline marks it as such.
  package var isTolerated = false

  package init(
    name: String, verdict: BaselineVerdict, render: Int?, isSteady: Bool = true, isTolerated: Bool = false
  ) {
    (self.name, self.verdict, self.render) = (name, verdict, render)
    (self.isSteady, self.isTolerated) = (isSteady, isTolerated)
  }
}

/// Verdict on a part of a creative against its baseline: a picture, the event log, the states.
package enum BaselineVerdict: String, Sendable, Codable, CaseIterable {
  /// Same as the baseline, within the tolerance.
  case unchanged
  case changed
  /// Not in the baseline.
  case new
  /// In the baseline only.
  case missing
  /// No two renders agreed, nor any with the baseline.
  case flaky
}

/// Verdict on a creative against its baseline.
package enum CreativeVerdict: String, Sendable, Codable, CaseIterable {
  case unchanged
  /// Pictures, log and states are unchanged, but files of the creative differ.
  case filesChanged = "files-changed"
  /// A part is changed, new, missing, or flaky without being marked so in the baseline.
  case changed
  /// Nothing was recorded for the creative.
  case new
  /// Baseline was drawn under another fingerprint, so it wasn't compared.
  case refused
  /// Creative couldn't be rendered, or its baseline couldn't be read.
  case failed

  /// Makes the verdict from those on the parts.
  package init(_ judgements: [PartVerdict]) {
    let pending = judgements.filter { $0.verdict != .unchanged && !($0.verdict == .flaky && $0.isTolerated) }
    self = pending.isEmpty ? .unchanged : pending.allSatisfy { $0.name == PartName.files } ? .filesChanged : .changed
  }
}

/// Names of a baseline's parts other than pictures; a picture's name begins with its number.
package enum PartName {
  package static let events = "events"
  package static let states = "states"
  package static let files = "files"

  /// Returns true for the name of a picture.
  package static func isPicture(_ name: String) -> Bool { ![events, states, files].contains(name) }

  /// Returns the name of a picture for its file name.
  package static func screenshot(_ file: String) -> String { file.hasSuffix(".png") ? String(file.dropLast(4)) : file }
}
