internal import Checks
internal import Jobs
internal import MRAID

/// States and the ways between them, from an exploration or from the render alone.
struct GraphModel: Hashable {
  struct State: Hashable {
    let number: Int
    let name: String
    let picture: String?
  }
  /// All ways from one state to another.
  struct Link: Hashable {
    let from: Int
    /// Nil where trying it failed.
    let to: Int?
    var actions: [String]
  }

  var states: [State]
  var links: [Link] = []

  /// What exploring found, or else what the render went through.
  static func of(_ creative: CreativeReport, _ map: StateMap?) -> GraphModel {
    map.map(GraphModel.init) ?? GraphModel(creative.record)
  }

  /// Ways that lead somewhere else, those between the same states as one.
  init(_ map: StateMap) {
    states = map.states.map { State(number: $0.number, name: $0.name, picture: $0.picture) }
    for way in map.ways where way.to != way.from { add(way.from, way.to, way.action) }
  }

  /// The states of a render that nobody explored, and what led from one to the next; loading is no state to see.
  init(_ record: RenderRecord) {
    let steps = record.transitions.filter { $0.from != .loading && $0.from != $0.to }
    var names: [MRAIDState] = []
    for state in steps.flatMap({ [$0.from, $0.to] }) where !names.contains(state) { names.append(state) }
    states = names.enumerated().map { index, state in
      let shot = record.screenshots.first { $0.state == state }
      return State(number: index + 1, name: state.rawValue, picture: shot?.path)
    }
    for step in steps {
      guard let from = names.firstIndex(of: step.from), let to = names.firstIndex(of: step.to) else { continue }
      add(from + 1, to + 1, step.cause)
    }
  }

  private mutating func add(_ from: Int, _ to: Int?, _ action: String) {
    if let index = links.firstIndex(where: { $0.from == from && $0.to == to }) {
      if !links[index].actions.contains(action) { links[index].actions.append(action) }
    } else {
      links.append(Link(from: from, to: to, actions: [action]))
    }
  }
}
