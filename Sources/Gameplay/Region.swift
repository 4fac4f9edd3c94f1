import Core

/// Connected cells of a scene.
struct Region: Hashable, Sendable {
  /// Bounds in cells; the ends are the last cells.
  private(set) var left: Int
  private(set) var top: Int
  private(set) var right: Int
  private(set) var bottom: Int
  private(set) var count = 0
  private var columnSum = 0
  private var rowSum = 0

  private init(at place: Scene.Place) {
    (left, right) = (place.column, place.column)
    (top, bottom) = (place.row, place.row)
  }

  var width: Int { right - left + 1 }
  var height: Int { bottom - top + 1 }
  /// Share of the bounds that belongs to the region, from 0 to 1.
  var fill: Double { Double(count) / Double(width * height) }
  /// Middle of the cells, counted in cells from the picture's corner.
  var column: Double { Double(columnSum) / Double(max(1, count)) + 0.5 }
  var row: Double { Double(rowSum) / Double(max(1, count)) + 0.5 }

  private mutating func add(_ place: Scene.Place) {
    (left, right) = (min(left, place.column), max(right, place.column))
    (top, bottom) = (min(top, place.row), max(bottom, place.row))
    (count, columnSum, rowSum) = (count + 1, columnSum + place.column, rowSum + place.row)
  }

  /// Returns the regions of equal keys in a scene, in the order of their first cells; cells without a key belong to none.
  static func all<Key: Equatable>(in scene: Scene, key: (Int) -> Key?) -> [Region] {
    let keys = (0..<scene.count).map(key)
    var seen = [Bool](repeating: false, count: scene.count)
    var regions: [Region] = []
    for first in 0..<scene.count where !seen[first] && keys[first] != nil {
      var region = Region(at: scene.place(of: first))
      var waiting = [first]
      seen[first] = true
      while let index = waiting.popLast() {
        region.add(scene.place(of: index))
        for next in scene.surroundings(of: [index]).sorted() where !seen[next] && keys[next] == keys[first] {
          seen[next] = true
          waiting.append(next)
        }
      }
      regions.append(region)
    }
    return regions
  }
}
