internal import Core

/// Positions of the feed's cells on its page, in dip from the page's top, as they were drawn.
package struct FeedGeometry: Hashable, Sendable, Codable {
  /// One cell.
  package struct Cell: Hashable, Sendable, Codable {
    package var id: String
    package var y: Double
    package var height: Double
    /// Frame of an ad's view in the cell; nil for other cells and for collapsed ones.
    package var room: Room?

    package init(id: String, y: Double, height: Double, room: Room? = nil) {
      self.id = id
      self.y = y
      self.height = height
      self.room = room
    }
  }

  /// Frame for an ad's view.
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

  /// Height of the whole page.
  package var height: Double
  /// Cells from the top.
  package var cells: [Cell]

  package init(height: Double = 0, cells: [Cell] = []) {
    self.height = height
    self.cells = cells
  }

  /// Returns the cell of this identifier; nil if it isn't on the page.
  package func cell(_ id: String) -> Cell? { cells.first { $0.id == id } }

  /// Returns the cells that lie partly in a window of this height, extended by `distance` upwards and downwards.
  package func cells(from offset: Double, height: Double, distance: Double = 0) -> [Cell] {
    let (top, bottom) = (offset - distance, offset + height + distance)
    return cells.filter { $0.height > 0 && $0.y < bottom && $0.y + $0.height > top }
  }

  /// Returns the cells whose ad lies partly in a window of this height; the label above an ad doesn't count.
  package func cellsWithAd(from offset: Double, height: Double) -> [Cell] {
    cells.filter { cell in
      cell.room.map { $0.height > 0 && $0.y < offset + height && $0.y + $0.height > offset } ?? false
    }
  }

  /// Returns the offset nearest to the wanted one that a window of this height can have.
  package func offset(nearest wanted: Double, height window: Double) -> Double {
    min(max(0, wanted), max(0, height - window))
  }

  /// Returns the offset at which this layout shows the content that `before` showed at `offset`.
  ///
  /// The cell at the window's top stays in place, even if cells above it grew or shrank; if nothing is left of it, the
  /// next cell does.
  package func offset(keeping offset: Double, of before: FeedGeometry) -> Double {
    for cell in before.cells where cell.y + cell.height > offset {
      guard let now = self.cell(cell.id), now.height > 0 else { continue }
      // A cell that begins below the window's top keeps its distance from it.
      return max(0, now.y + (offset - cell.y))
    }
    return offset
  }
}

/// Offsets that a finger's scroll passes through, so that cells on the way come into view and leave it.
package enum ScrollPath {
  /// Returns the offsets from one to another in steps of at most `step` dip, the last being the goal itself.
  package static func offsets(from start: Double, to end: Double, step: Double) -> [Double] {
    let count = Bounded.int(abs(end - start) / step, in: 0...100_000, rounding: .up)
    guard count > 0 else { return [] }
    return (1...count).map { index in
      index == count ? end : start + (end > start ? step : -step) * Double(index)
    }
  }
}
