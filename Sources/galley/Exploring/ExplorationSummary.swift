internal import Core
internal import Exploration

/// What was found of one creative, for people: counts, the graph, and a line for each oddity.
struct ExplorationSummary {
  private let found: Exploration
  private let folder: String

  /// `folder` is where the results are, as the caller wrote it.
  init(_ found: Exploration, folder: String) {
    self.found = found
    self.folder = folder
  }

  var text: String {
    let graph = StateGraph(found).text.split(separator: "\n").map { "  \($0)\n" }.joined()
    return head + graph + oddities
      + "  explored: \(folder)/exploration.json, \(Self.count(found.replays.count, "scenario"))".printable + "\n"
  }

  private var head: String {
    let budget = found.cut.map { cut in
      " (all that --explore-\(cut.rawValue) allowed; \(found.states.map(\.untried.count).reduce(0, +)) not tried)"
    }
    let (calls, changes) = (found.coverage.calls, found.coverage.transitions)
    let percent = found.vocabulary == nil ? "" : " \(found.coverage.percent) %:"
    return "  \(Self.count(found.states.count, "state")), \(Self.count(found.actions, "action"))\(budget ?? "")\n"
      + "  coverage\(percent) \(changes.reached) of \(changes.rows.count) transitions, "
      + "\(calls.reached) of \(calls.rows.count) calls\(missing)\n"
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  private var missing: String {
    let names = found.coverage.calls.rows.filter { $0.count == 0 }.map(\.name)
    return names.isEmpty ? "" : "; never \(names.joined(separator: ", "))"
  }

  private var oddities: String {
    found.oddities.map { oddity in
      let place = oddity.state.map { " in \($0) \(found.states[$0 - 1].name)" } ?? ""
      let action = oddity.action.map { ", \($0)" } ?? ""
      let times = oddity.count > 1 ? " ×\(oddity.count)" : ""
      return "  odd: \(oddity.code.rawValue)\(place)\(action): \(oddity.message)\(times)".printable + "\n"
    }.joined()
  }
}
