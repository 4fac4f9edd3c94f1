internal import Checks
internal import MRAID
internal import RenderModel

/// States and the transitions between them, from an exploration or from the render alone.
struct GraphModel: Hashable {
  struct State: Hashable {
    let number: Int
    let name: String
    let picture: String?
  }
  /// All transitions from one state to another.
  struct Link: Hashable {
    let from: Int
    /// Number of the state that was reached; nil if the attempt failed.
    let to: Int?
    var actions: [String]
  }

  var states: [State]
  var links: [Link] = []

  /// Returns the graph of the exploration, or else of the states that the render went through.
  static func of(_ creative: CreativeReport, _ map: StateMap?) -> GraphModel {
    map.map(GraphModel.init) ?? GraphModel(creative.record)
  }

  /// Makes the graph of an exploration; transitions between the same states become one link.
  init(_ map: StateMap) {
    states = map.states.map { State(number: $0.number, name: $0.name, picture: $0.screenshot) }
    for way in map.paths where way.to != way.from { add(way.from, way.to, way.action) }
  }

  /// Makes the graph of a render without exploration, with the causes of its transitions; loading is left out.
  init(_ record: RenderRecord) {
    let steps = record.transitions.filter { $0.from != .loading && $0.from != $0.to }
    var names: [MRAIDState] = []
    for state in steps.flatMap({ [$0.from, $0.to] }) where !names.contains(state) { names.append(state) }
    states = names.enumerated().map { index, state in
      let shots = record.screenshots.filter { $0.state == state }
      return State(number: index + 1, name: state.rawValue, picture: shots.fullest?.path)
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

/// Positions of the boxes in a state graph, with a column for each number of transitions needed to reach a state.
struct GraphLayout {
  struct Box: Hashable {
    let state: GraphModel.State
    let column: Int
    let row: Int

    var x: Int { GraphLayout.margin + column * (GraphLayout.width + GraphLayout.gap) }
    var y: Int { GraphLayout.margin + row * (GraphLayout.height + GraphLayout.space) }
    var middle: Int { y + GraphLayout.height / 2 }
  }

  static let (width, height) = (104, 164)
  /// Distance between columns, wide enough for the labels of transitions.
  private static let gap = 150
  /// Distance between rows, high enough for transitions that lead back.
  private static let space = 96
  private static let margin = 12

  let boxes: [Box]
  private let links: [GraphModel.Link]

  init(_ graph: GraphModel) {
    links = graph.links
    var columns = [graph.states.first?.number ?? 1: 0]
    var queue = Array(columns.keys)
    while let number = queue.first {
      queue.removeFirst()
      for link in graph.links where link.from == number {
        guard let to = link.to, columns[to] == nil else { continue }
        columns[to] = (columns[number] ?? 0) + 1
        queue.append(to)
      }
    }
    var rows: [Int: Int] = [:]
    boxes = graph.states.map { state in
      let column = columns[state.number] ?? 0
      defer { rows[column, default: 0] += 1 }
      return Box(state: state, column: column, row: rows[column] ?? 0)
    }
  }

  var size: (width: Int, height: Int) {
    let right = boxes.map { $0.x + Self.width }.max() ?? 0
    let bottom = boxes.map { $0.y + Self.height }.max() ?? 0
    return (right + Self.margin + (hasTurns ? 40 : 0), bottom + Self.margin + (hasReturns ? Self.space : 0))
  }

  func box(_ number: Int) -> Box? { boxes.first { $0.state.number == number } }

  /// Indicates if transitions within the last column need space to the right of it.
  private var hasTurns: Bool {
    let last = boxes.map(\.column).max() ?? 0
    return links.contains { columns(of: $0).map { $0.from == last && $0.to == last } ?? false }
  }

  /// Indicates if transitions lead back, below the boxes.
  private var hasReturns: Bool { links.contains { columns(of: $0).map { $0.to < $0.from } ?? false } }

  private func columns(of link: GraphModel.Link) -> (from: Int, to: Int)? {
    guard let from = box(link.from), let to = link.to.flatMap(box) else { return nil }
    return (from.column, to.column)
  }
}

/// Line of a transition between two boxes, and the position of its label.
struct GraphPath {
  let line: String
  let label: (x: Int, y: Int)

  init(from: GraphLayout.Box, to: GraphLayout.Box) {
    let (width, height) = (GraphLayout.width, GraphLayout.height)
    if to.column > from.column {
      self.init(
        (from.x + width, from.middle - 10), (from.x + width + 60, from.middle - 10), (to.x - 60, to.middle - 10),
        (to.x - 4, to.middle - 10))
    } else if to.column == from.column {
      let x = from.x + width
      self.init((x, from.middle + 10), (x + 60, from.middle + 10), (x + 60, to.middle), (x + 4, to.middle))
    } else {
      // Back ways run below the boxes, the longer the deeper.
      let deep = 16 + 20 * min(from.column - to.column, 4)
      self.init(
        (from.x + width / 2, from.y + height), (from.x + width / 2, from.y + height + deep + 16),
        (to.x + width / 2, to.y + height + deep + 16), (to.x + width / 2, to.y + height + 4))
    }
  }

  private init(_ start: (Int, Int), _ one: (Int, Int), _ two: (Int, Int), _ end: (Int, Int)) {
    line = "M\(start.0) \(start.1) C\(one.0) \(one.1) \(two.0) \(two.1) \(end.0) \(end.1)"
    // The middle of a cubic curve.
    label = ((start.0 + 3 * one.0 + 3 * two.0 + end.0) / 8, (start.1 + 3 * one.1 + 3 * two.1 + end.1) / 8 - 6)
  }
}
