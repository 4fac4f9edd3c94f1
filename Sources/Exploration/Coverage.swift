package import MRAID
internal import RenderModel

/// Share of a creative's possible calls and changes of state that an exploration reached.
package struct Coverage: Hashable, Sendable {
  package let calls: CoveragePart
  package let transitions: CoveragePart

  /// Percentage of all rows that were reached, rounded down; 100 if there are no rows.
  package var percent: Int {
    let all = calls.rows.count + transitions.rows.count
    return all == 0 ? 100 : (calls.reached + transitions.reached) * 100 / all
  }

  /// Counts possible rows and reached ones: methods that the files name (`vocabulary`), and everything reached.
  init(_ count: CoverageCount, vocabulary: MRAIDUsage, placement: Placement.Kind) {
    let methods = vocabulary.named.union(count.calls.keys)
    calls = CoveragePart(rows: methods.sorted().map { CoveragePart.Row(name: $0, count: count.calls[$0] ?? 0) })
    let changes = Set(Self.changes(methods, placement)).union(count.transitions.keys)
    transitions = CoveragePart(
      rows: changes.map { CoveragePart.Row(name: "\($0)", count: count.transitions[$0] ?? 0) }.sorted {
        $0.name < $1.name
      })
  }

  /// Returns the changes of state that methods allow by the standard.
  ///
  /// Every ad becomes `default`. A banner that names `expand` can be expanded and closed again, by itself or the host;
  /// the same with `resize`, and with both it can go from resized to expanded. An interstitial can be closed.
  static func changes(_ methods: Set<String>, _ placement: Placement.Kind) -> [StateChange] {
    var changes = [StateChange(from: .loading, to: .default)]
    guard placement == .banner else { return changes + [StateChange(from: .default, to: .hidden)] }
    if methods.contains("expand") {
      changes += [StateChange(from: .default, to: .expanded), StateChange(from: .expanded, to: .default)]
    }
    if methods.contains("resize") {
      changes += [StateChange(from: .default, to: .resized), StateChange(from: .resized, to: .default)]
    }
    if methods.contains("expand"), methods.contains("resize") {
      changes.append(StateChange(from: .resized, to: .expanded))
    }
    return changes
  }
}

/// Possible calls or changes of state, each with the number of times it was reached.
package struct CoveragePart: Hashable, Sendable {
  /// A call or a change of state.
  package struct Row: Hashable, Sendable, Encodable {
    package let name: String
    package let count: Int
  }

  package let rows: [Row]
  /// Number of rows that were reached at least once.
  package var reached: Int { rows.count { $0.count > 0 } }
}

extension CoveragePart: Encodable {
  private enum CodingKeys: CodingKey { case reached, reachable, rows }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(reached, forKey: .reached)
    try container.encode(rows.count, forKey: .reachable)
    try container.encode(rows, forKey: .rows)
  }
}

/// Number of times that each call and change of state was reached; repeated ways to a state aren't counted again.
struct CoverageCount: Sendable {
  private(set) var calls: [String: Int] = [:]
  private(set) var transitions: [StateChange: Int] = [:]

  mutating func add(_ result: TrialResult) {
    for event in result.news where event.source == .creative && !event.isNamed(.vpaid) {
      calls[event.name, default: 0] += 1
    }
    for transition in result.newTransitions {
      transitions[StateChange(from: transition.from, to: transition.to), default: 0] += 1
    }
  }
}

/// Change from one MRAID state to another.
package struct StateChange: Hashable, Sendable {
  private var from: MRAIDState
  private var to: MRAIDState

  package init(from: MRAIDState, to: MRAIDState) {
    self.from = from
    self.to = to
  }
}

extension StateChange: CustomStringConvertible {
  package var description: String { "\(from.rawValue) → \(to.rawValue)" }
}
