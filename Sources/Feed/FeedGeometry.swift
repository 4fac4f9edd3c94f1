internal import Core

/// Where the feed's cells stand on its page, in dip from the page's top, as they were drawn.
package struct FeedGeometry: Hashable, Sendable, Codable {
  /// One cell.
  package struct Cell: Hashable, Sendable, Codable {
    package var id: String
    package var y: Double
    package var height: Double
    /// Where an ad's view goes in it; nil for other cells and for collapsed ones.
    package var room: Room?

    package init(id: String, y: Double, height: Double, room: Room? = nil) {
      self.id = id
      self.y = y
      self.height = height
      self.room = room
    }
  }

  /// The room for an ad's view.
  package struct Room: Hashable, Sendable, Codable {
    package var x: Double
    package var y: Double
    private var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// The whole page's.
  package var height: Double
  /// From the top.
  package var cells: [Cell]

  package init(height: Double = 0, cells: [Cell] = []) {
    self.height = height
    self.cells = cells
  }

  /// The cell of this id, if it is on the page.
  package func cell(_ id: String) -> Cell? { cells.first { $0.id == id } }

  /// Cells of which something lies in a window of this height, widened by `distance` up and down.
  package func cells(from offset: Double, height: Double, distance: Double = 0) -> [Cell] {
    let (top, bottom) = (offset - distance, offset + height + distance)
    return cells.filter { $0.height > 0 && $0.y < bottom && $0.y + $0.height > top }
  }

  /// Cells of whose ad something lies in a window of this height: a label above it may show longer than the ad does.
  package func cellsWithAd(from offset: Double, height: Double) -> [Cell] {
    cells.filter { cell in
      cell.room.map { $0.height > 0 && $0.y < offset + height && $0.y + $0.height > offset } ?? false
    }
  }

  /// The offset nearest to what is wanted that a window of this height can have.
  package func offset(nearest wanted: Double, height window: Double) -> Double {
    min(max(0, wanted), max(0, height - window))
  }

  /// The offset at which this layout shows what `before` showed at `offset`, whatever grew or shrank above it.
  ///
  /// The cell at the window's top stays where it is, unless nothing is left of it: then the next one does.
  package func offset(keeping offset: Double, of before: FeedGeometry) -> Double {
    for cell in before.cells where cell.y + cell.height > offset {
      guard let now = self.cell(cell.id), now.height > 0 else { continue }
      // A cell that begins below the window's top keeps its distance from it.
      return max(0, now.y + (offset - cell.y))
    }
    return offset
  }
}

/// The offsets that a finger's scroll passes through, so that what comes and goes on the way is seen.
package enum ScrollPath {
  /// From one offset to another in steps of at most `step` dip, the last being the goal itself.
  package static func offsets(from start: Double, to end: Double, step: Double) -> [Double] {
    let count = Bounded.int(abs(end - start) / step, in: 0...100_000, rounding: .up)
    guard count > 0 else { return [] }
    return (1...count).map { index in
      index == count ? end : start + (end > start ? step : -step) * Double(index)
    }
  }
}
