/// Whether another render is needed before a creative can be judged, and what can be said of it.
///
/// A part is believed as soon as a render agrees with the baseline, or two renders with each other; so a change is one
/// that was seen twice, and what passed once can't be the baseline's fault.
package struct Settlement: Sendable {
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

  package mutating func take(_ sighting: Sighting) {
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
  private func agrees(_ name: String, _ verdict: BaselineVerdict?, _ part: Part, _ sighting: Sighting) -> Bool {
    if verdict == nil || verdict == .missing { return part.seen.contains { $0 == verdict } }
    return sighting.agreeing.contains { $0.contains(name) }
  }

  /// Whether every part can be judged without rendering again.
  package var isSettled: Bool {
    count > 0
      && parts.allSatisfy { name, part in part.matched != nil || part.agreed != nil || tolerated.contains(name) }
  }

  /// What is said of each part, sorted by name; parts that renders agree not to have are left out.
  package var judgements: [Judgement] {
    parts.sorted { $0.key < $1.key }.compactMap { name, part in
      let matches = part.seen.count { $0 == .unchanged }
      if let render = part.matched {
        return Judgement(name: name, verdict: .unchanged, render: render, isSteady: matches == part.seen.count)
      }
      if let render = part.agreed {
        guard let verdict = part.seen[render] else { return nil }
        return Judgement(name: name, verdict: verdict, render: verdict == .missing ? nil : render)
      }
      let render = part.seen.lastIndex { $0 != nil && $0 != .missing }
      return Judgement(
        name: name, verdict: .flaky, render: render, isSteady: false, isTolerated: tolerated.contains(name))
    }
  }
}
