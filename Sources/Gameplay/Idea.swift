internal import Core
package import RenderModel

/// Move that a picture suggests, with its reason and promise.
package struct Idea: Hashable, Sendable {
  package let action: Scenario.Action
  package let reason: String
  /// Promise, higher for moves that are more likely to have an effect.
  package let promise: Double

  static func tap(_ point: Point, _ reason: String, _ promise: Double) -> Idea {
    Idea(action: .tap(.point(point)), reason: reason, promise: promise)
  }

  static func drag(_ from: Point, _ to: Point, _ reason: String, _ promise: Double) -> Idea {
    Idea(action: .swipe(from: .point(from), to: .point(to)), reason: reason, promise: promise)
  }
}

/// Finds the moves that successive pictures of a scene suggest.
struct IdeaFinder {
  /// Pictures at equal distances in time, the latest last.
  let looks: [Scene]
  /// Cells that moved by themselves whenever the scene was looked at.
  let everMoved: Set<Int>

  /// Largest share of the picture that an object to touch covers.
  private static let largestObject = 0.2
  /// Maximum number of objects that are tried.
  private static let mostObjects = 10
  /// Lowest contrast and saturation, of 255, of objects.
  private static let (leastContrast, leastSaturation) = (70, 110)

  /// Returns the moves, those of the highest promise first.
  func ideas() -> [Idea] {
    guard let scene = looks.last else { return [] }
    let objects = objects(in: scene)
    let all = hints(in: scene) + taps(objects, in: scene) + drags(objects, in: scene) + swipes(scene) + grid(scene)
    return all.enumerated().sorted { ($1.element.promise, $0.offset) < ($0.element.promise, $1.offset) }.map(\.element)
  }

  /// Moves that motion suggests: something pulses, or a hand shows a path.
  private func hints(in scene: Scene) -> [Idea] {
    let steps = zip(looks.dropFirst(), looks).map { $0.changes(from: $1) }
    let moving = steps.reduce(into: everMoved) { $0.formUnion($1) }
    let regions = Region.all(in: scene) { moving.contains($0) ? true : nil }
    let small = regions.filter { $0.count > 1 && Double($0.count) < Self.largestObject * Double(scene.count) }
    return small.sorted { $0.count > $1.count }.prefix(Self.mostObjects).enumerated().flatMap { rank, region in
      let promise = 9 - Double(rank) * 0.3
      let middle = scene.point(column: region.column, row: region.row)
      // A pointing hand touches with its upper end.
      let finger = scene.point(column: region.column, row: Double(region.top) + Double(region.height) * 0.2)
      var ideas = [Idea.tap(middle, "something moves here", promise)]
      if region.height > 4 { ideas.append(.tap(finger, "something moves here", promise - 1)) }
      if let path = path(of: region, steps: steps, in: scene) {
        ideas.append(.drag(path.from, path.to, "something moves along here", promise + 0.5))
      }
      return ideas
    }
  }

  /// Returns the way of what moves within a region; nil if it stays where it is.
  private func path(of region: Region, steps: [Set<Int>], in scene: Scene) -> (from: Point, to: Point)? {
    guard max(region.width, region.height) > 5 else { return nil }
    let middles = steps.compactMap { changed -> (column: Double, row: Double)? in
      let inside = changed.map(scene.place).filter {
        (region.left...region.right).contains($0.column) && (region.top...region.bottom).contains($0.row)
      }
      guard !inside.isEmpty else { return nil }
      let count = Double(inside.count)
      return (
        Double(inside.reduce(0) { $0 + $1.column }) / count + 0.5,
        Double(inside.reduce(0) { $0 + $1.row }) / count + 0.5
      )
    }
    guard let first = middles.first, let last = middles.last,
      abs(first.column - last.column) + abs(first.row - last.row) > 2
    else { return nil }
    // The way goes on to the ends of the region.
    let isAcross = abs(first.column - last.column) > abs(first.row - last.row)
    let (near, far) = isAcross ? (region.left, region.right) : (region.top, region.bottom)
    let goesUp = isAcross ? first.column < last.column : first.row < last.row
    let (start, end) = goesUp ? (near, far) : (far, near)
    let point = { (at: Int) in
      isAcross
        ? scene.point(column: Double(at) + 0.5, row: region.row)
        : scene.point(column: region.column, row: Double(at) + 0.5)
    }
    return (point(start), point(end))
  }

  /// Returns what stands out by its colour or its edges, the most likely to be touched first.
  private func objects(in scene: Scene) -> [Region] {
    let coloured = Region.all(in: scene) { index in
      scene.cells[index].saturation >= Self.leastSaturation ? scene.cells[index].hue : nil
    }
    let edged = Region.all(in: scene) { scene.cells[$0].contrast >= Self.leastContrast ? true : nil }
    let most = Bounded.int(Self.largestObject * Double(scene.count), in: 3...scene.count + 3)
    let all = (coloured + edged).filter { (3...most).contains($0.count) && $0.fill > 0.3 }
    let ranked = all.enumerated().sorted { one, other in
      (rank(other.element, scene), one.offset) < (rank(one.element, scene), other.offset)
    }
    return ranked.reduce(into: [Region]()) { kept, next in
      let isKnown = kept.contains {
        abs($0.column - next.element.column) < 2 && abs($0.row - next.element.row) < 2
      }
      if kept.count < Self.mostObjects, !isKnown { kept.append(next.element) }
    }
  }

  /// Likelihood that an object is there to be touched: wide, filled, in the middle and in the lower part, as a button.
  private func rank(_ region: Region, _ scene: Scene) -> Double {
    let size = min(Double(region.count) / 30, 1)
    let middle = 1 - abs(region.column / Double(scene.columns) - 0.5)
    let low = region.row / Double(scene.rows)
    return size + region.fill + middle + low * 0.5
  }

  private func taps(_ objects: [Region], in scene: Scene) -> [Idea] {
    objects.enumerated().map { rank, region in
      .tap(scene.point(column: region.column, row: region.row), "something stands out here", 6 - Double(rank) * 0.3)
    }
  }

  /// Drags from each of the first objects to its neighbours.
  private func drags(_ objects: [Region], in scene: Scene) -> [Idea] {
    let few = objects.prefix(6)
    return few.enumerated().flatMap { rank, from -> [Idea] in
      let others = few.filter { $0 != from }.sorted { from.distance(to: $0) < from.distance(to: $1) }
      return others.prefix(2).enumerated().map { nearness, to -> Idea in
        let promise = 3 - Double(rank) * 0.2 - Double(nearness) * 0.3
        let start = scene.point(column: from.column, row: from.row)
        let end = scene.point(column: to.column, row: to.row)
        return .drag(start, end, "from one thing to the next", promise)
      }
    }
  }

  private func swipes(_ scene: Scene) -> [Idea] {
    [SwipeDirection.up, .right, .left, .down].enumerated().map { rank, direction in
      let path = direction.path(over: scene.frame)
      return .drag(path.from.tenths, path.to.tenths, "a swipe \(direction.rawValue)", 3.5 - Double(rank) * 0.4)
    }
  }

  /// Taps all over the picture, where a button usually is first, and a long press.
  private func grid(_ scene: Scene) -> [Idea] {
    let shares: [(Double, Double)] = [
      (0.5, 0.5), (0.5, 0.82), (0.5, 0.92), (0.5, 0.7), (0.25, 0.6), (0.75, 0.6), (0.5, 0.3), (0.25, 0.82),
      (0.75, 0.82), (0.25, 0.4), (0.75, 0.4), (0.25, 0.2), (0.75, 0.2), (0.5, 0.1), (0.9, 0.06), (0.1, 0.94),
    ]
    let taps = shares.enumerated().map { rank, share -> Idea in
      let point = scene.point(column: share.0 * Double(scene.columns), row: share.1 * Double(scene.rows))
      let promise = rank < 2 ? 5.0 : 2.5
      return .tap(point, "nothing else is known of this place", promise - Double(rank) * 0.1)
    }
    let middle = scene.point(column: Double(scene.columns) / 2, row: Double(scene.rows) / 2)
    let press = Idea(action: .press(.point(middle), seconds: 1), reason: "a long press", promise: 2.2)
    return taps + [press]
  }
}

extension Point {
  /// Point with one decimal.
  var tenths: Point { Point(x: (x * 10).rounded() / 10, y: (y * 10).rounded() / 10) }
}

extension Region {
  /// Returns the distance between the middles in cells, along the grid.
  func distance(to other: Region) -> Double { abs(column - other.column) + abs(row - other.row) }
}
