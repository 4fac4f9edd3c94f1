package import Core
package import Pixels

/// Picture of a game, reduced to a grid of square cells with their mean colours and contrasts.
package struct Scene: Hashable, Sendable {
  /// Mean colour of a cell, and the contrast inside it; each 0 to 255.
  package struct Cell: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
    package var contrast: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8, contrast: UInt8) {
      (self.red, self.green, self.blue, self.contrast) = (red, green, blue, contrast)
    }
  }

  /// Place of a cell in the grid.
  package struct Place: Hashable, Sendable {
    package var column: Int
    package var row: Int
  }

  /// Edge of a cell in dip.
  package static let cellSize = 12.0
  /// Maximum number of columns and of rows.
  private static let mostCells = 200
  /// Number of samples along each edge of a cell.
  private static let samples = 6

  /// Frame of the picture in dip of the screen.
  package let frame: Rect
  package let columns: Int
  package let rows: Int
  /// Cells row by row from the top-left.
  package let cells: [Cell]

  /// Reduces a picture that is shown in `frame`; nil if the picture or the frame is smaller than a cell.
  package init?(_ picture: Bitmap, frame: Rect) {
    let columns = Self.count(frame.width), rows = Self.count(frame.height)
    guard columns > 0, rows > 0, picture.width >= columns, picture.height >= rows else { return nil }
    (self.frame, self.columns, self.rows) = (frame, columns, rows)
    cells = picture.pixels.withUnsafeBufferPointer { pixels in
      var cells: [Cell] = []
      cells.reserveCapacity(columns * rows)
      for row in 0..<rows {
        for column in 0..<columns {
          let area = PixelRect(
            x: column * picture.width / columns, y: row * picture.height / rows,
            width: max(1, picture.width / columns), height: max(1, picture.height / rows))
          cells.append(Self.cell(pixels, width: picture.width, area))
        }
      }
      return cells
    }
  }

  /// Creates a scene of known cells, of which there must be `columns * rows`.
  package init(frame: Rect, columns: Int, rows: Int, cells: [Cell]) {
    precondition(columns > 0 && rows > 0 && cells.count == columns * rows, "a cell for every place")
    (self.frame, self.columns, self.rows, self.cells) = (frame, columns, rows, cells)
  }

  private static func count(_ length: Double) -> Int {
    Bounded.int(length / cellSize, in: 0...mostCells, rounding: .down)
  }

  private static func cell(_ pixels: UnsafeBufferPointer<UInt32>, width: Int, _ area: PixelRect) -> Cell {
    var sums = (red: 0, green: 0, blue: 0)
    var (darkest, lightest, count) = (255, 0, 0)
    for row in stride(from: 0, to: area.height, by: max(1, area.height / samples)) {
      for column in stride(from: 0, to: area.width, by: max(1, area.width / samples)) {
        let pixel = pixels[(area.y + row) * width + area.x + column]
        let (red, green, blue) = (Int(pixel >> 16 & 255), Int(pixel >> 8 & 255), Int(pixel & 255))
        sums = (sums.red + red, sums.green + green, sums.blue + blue)
        let luma = (red * 3 + green * 6 + blue) / 10
        (darkest, lightest, count) = (min(darkest, luma), max(lightest, luma), count + 1)
      }
    }
    let mean = { (sum: Int) in UInt8(clamping: sum / max(1, count)) }
    return Cell(
      red: mean(sums.red), green: mean(sums.green), blue: mean(sums.blue),
      contrast: UInt8(clamping: lightest - darkest))
  }

  /// Number of cells.
  package var count: Int { cells.count }

  /// Returns the column and row of a cell.
  package func place(of index: Int) -> Place { Place(column: index % columns, row: index / columns) }

  /// Returns the point of the screen, in dip, at a position counted in cells from the picture's corner.
  package func point(column: Double, row: Double) -> Point {
    let x = frame.x + column * frame.width / Double(columns), y = frame.y + row * frame.height / Double(rows)
    return Point(x: x, y: y).tenths
  }

  /// Returns the cells that differ visibly from those of another scene; all of them if the grids differ.
  package func changes(from other: Scene) -> Set<Int> {
    guard columns == other.columns, rows == other.rows else { return Set(cells.indices) }
    return Set(cells.indices.filter { cells[$0].differs(from: other.cells[$0]) })
  }
}

extension Scene {
  /// Returns cells with all that touch them.
  func surroundings(of cells: Set<Int>) -> Set<Int> {
    cells.reduce(into: cells) { all, index in
      let place = place(of: index)
      for row in max(0, place.row - 1)...min(rows - 1, place.row + 1) {
        for column in max(0, place.column - 1)...min(columns - 1, place.column + 1) {
          all.insert(row * columns + column)
        }
      }
    }
  }
}

extension Scene.Cell {
  /// Smallest difference of a channel or of the contrast that counts as a change.
  private static let visible = 10

  /// Indicates if a person would see the difference.
  func differs(from other: Scene.Cell) -> Bool {
    abs(Int(red) - Int(other.red)) >= Self.visible || abs(Int(green) - Int(other.green)) >= Self.visible
      || abs(Int(blue) - Int(other.blue)) >= Self.visible
      || abs(Int(contrast) - Int(other.contrast)) >= 4 * Self.visible
  }

  /// Difference of the strongest and the weakest channel, 0 (grey) to 255.
  var saturation: Int { Int(max(red, green, blue)) - Int(min(red, green, blue)) }

  /// Part of the colour wheel, 0 to 5; meaningless for greys.
  var hue: Int {
    let (r, g, b) = (Int(red), Int(green), Int(blue))
    if r >= g, r >= b { return g >= b ? 0 : 5 }
    if g >= b { return r >= b ? 1 : 2 }
    return g >= r ? 3 : 4
  }
}
