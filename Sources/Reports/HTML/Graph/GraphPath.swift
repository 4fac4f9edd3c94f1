/// The line of a way between two boxes, and where its label stands.
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
