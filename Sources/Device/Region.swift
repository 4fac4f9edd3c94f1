package import Core

/// Any part of the screen, stored as rectangles that don't overlap.
package struct Region: Hashable, Sendable {
  /// Non-empty rectangles without overlap, largest first; equally large ones from the top, then from the left.
  package let rects: [Rect]

  /// The union of rectangles that may overlap; larger ones stay whole and smaller ones lose the parts already covered.
  package init(union rects: [Rect]) {
    var disjoint: [Rect] = []
    for rect in rects.filter({ !$0.isEmpty }).sorted(by: Self.precedes) {
      disjoint += disjoint.reduce([rect]) { pieces, taken in pieces.flatMap { $0.subtracting(taken) } }
    }
    self.rects = disjoint.sorted(by: Self.precedes)
  }

  /// Area in square dip.
  package var area: Double { rects.reduce(0) { $0 + $1.area } }
  package var isEmpty: Bool { rects.isEmpty }

  /// The region with a rectangle removed.
  package func subtracting(_ rect: Rect) -> Region {
    Region(union: rects.flatMap { $0.subtracting(rect) })
  }

  /// Indicates if any part of `rect` belongs to the region.
  package func intersects(_ rect: Rect) -> Bool {
    rects.contains { $0.intersection(rect) != nil }
  }

  /// The order that MRAID requires of occlusion rectangles, extended to a total order so that results are reproducible.
  private static func precedes(_ a: Rect, _ b: Rect) -> Bool {
    (-a.area, a.y, a.x, a.height) < (-b.area, b.y, b.x, b.height)
  }
}

extension Rect {
  /// The parts outside `other`, at most four: full-width strips above and below, the sides between them.
  package func subtracting(_ other: Rect) -> [Rect] {
    guard let hole = intersection(other) else { return [self] }
    return [
      Rect(x: x, y: y, width: width, height: hole.y - y),
      Rect(x: x, y: hole.y, width: hole.x - x, height: hole.height),
      Rect(x: hole.maxX, y: hole.y, width: maxX - hole.maxX, height: hole.height),
      Rect(x: x, y: hole.maxY, width: width, height: maxY - hole.maxY),
    ].filter { !$0.isEmpty }
  }
}
