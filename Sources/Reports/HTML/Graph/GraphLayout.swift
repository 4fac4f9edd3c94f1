/// Where the boxes of a state graph stand: a column for each number of ways it takes to get there.
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
  /// Between columns, wide enough for what is written on the ways.
  static let gap = 150
  /// Between rows, deep enough for the ways back.
  static let space = 96
  static let margin = 12

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

  /// Whether ways within the last column bulge out to the right of it.
  private var hasTurns: Bool {
    let last = boxes.map(\.column).max() ?? 0
    return links.contains { columns(of: $0).map { $0.from == last && $0.to == last } ?? false }
  }

  /// Whether ways lead back, below the boxes.
  private var hasReturns: Bool { links.contains { columns(of: $0).map { $0.to < $0.from } ?? false } }

  private func columns(of link: GraphModel.Link) -> (from: Int, to: Int)? {
    guard let from = box(link.from), let to = link.to.flatMap(box) else { return nil }
    return (from.column, to.column)
  }
}
