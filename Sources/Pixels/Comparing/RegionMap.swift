/// Grouping of differing pixels: those whose 8×8 cells touch, including at corners, form one region.
struct RegionMap {
  /// Side of a cell, of which there are eight in a mask's word.
  private static let cell = 8
  /// Regions by size, the largest first; of equal ones the upper, then the left one.
  private(set) var regions: [DifferenceRegion] = []
  private let columns: Int
  /// Region of each cell, counted from 1; 0 for none.
  private var labels: [Int32]

  init(_ mask: PixelMask) {
    columns = mask.wordsPerRow * 8
    labels = []
    guard !mask.isUntouched else { return }
    labels = Self.occupied(mask, columns: columns)
    let count = spread()
    measure(mask, count: count)
  }

  /// Marks cells that contain a pixel with -1.
  private static func occupied(_ mask: PixelMask, columns: Int) -> [Int32] {
    var cells = [Int32](repeating: 0, count: columns * ((mask.height + cell - 1) / cell))
    for (index, word) in mask.words.enumerated() where word != 0 {
      let (y, column) = index.quotientAndRemainder(dividingBy: mask.wordsPerRow)
      for part in 0..<8 where word >> UInt64(part * 8) & 0xFF != 0 {
        cells[y / cell * columns + column * 8 + part] = -1
      }
    }
    return cells
  }

  /// Gives each connected group of cells a number; returns the number of groups.
  private mutating func spread() -> Int {
    var count: Int32 = 0
    var waiting: [Int] = []
    for start in labels.indices where labels[start] == -1 {
      count += 1
      labels[start] = count
      waiting.append(start)
      while let cell = waiting.popLast() { visitNeighbours(of: cell, label: count, waiting: &waiting) }
    }
    return Int(count)
  }

  private mutating func visitNeighbours(of cell: Int, label: Int32, waiting: inout [Int]) {
    let (row, column) = cell.quotientAndRemainder(dividingBy: columns)
    for y in max(row - 1, 0)...min(row + 1, labels.count / columns - 1) {
      for x in max(column - 1, 0)...min(column + 1, columns - 1) where labels[y * columns + x] == -1 {
        labels[y * columns + x] = label
        waiting.append(y * columns + x)
      }
    }
  }

  /// Determines each region's size and box, and renumbers the regions by size.
  private mutating func measure(_ mask: PixelMask, count: Int) {
    var boxes = [(minX: Int, minY: Int, maxX: Int, maxY: Int, count: Int)](
      repeating: (.max, .max, 0, 0, 0), count: count)
    for (index, word) in mask.words.enumerated() where word != 0 {
      let (y, column) = index.quotientAndRemainder(dividingBy: mask.wordsPerRow)
      for part in 0..<8 {
        let bits = UInt8(truncatingIfNeeded: word >> UInt64(part * 8))
        guard bits != 0 else { continue }
        let x = column * 64 + part * 8
        let label = Int(labels[y / Self.cell * columns + x / 8]) - 1
        boxes[label].minX = min(boxes[label].minX, x + bits.trailingZeroBitCount)
        boxes[label].maxX = max(boxes[label].maxX, x + 8 - bits.leadingZeroBitCount)
        boxes[label].minY = min(boxes[label].minY, y)
        boxes[label].maxY = max(boxes[label].maxY, y + 1)
        boxes[label].count += bits.nonzeroBitCount
      }
    }
    let order = boxes.indices.sorted {
      let (p, q) = (boxes[$0], boxes[$1])
      return (-p.count, p.minY, p.minX) < (-q.count, q.minY, q.minX)
    }
    regions = order.map { index in
      let box = boxes[index]
      let rect = PixelRect(x: box.minX, y: box.minY, width: box.maxX - box.minX, height: box.maxY - box.minY)
      return DifferenceRegion(box: rect, differing: box.count)
    }
    var places = [Int32](repeating: 0, count: count + 1)
    for (place, index) in order.enumerated() { places[index + 1] = Int32(place) + 1 }
    for cell in labels.indices where labels[cell] > 0 { labels[cell] = places[Int(labels[cell])] }
  }

  /// Returns the index in `regions` of the region to which a differing pixel belongs.
  func region(of x: Int, _ y: Int) -> Int { Int(labels[y / Self.cell * columns + x / Self.cell]) - 1 }
}

/// Search for regions whose differences are explained by one movement of whole pixels.
struct ShiftSearch {
  let comparer: BandComparer
  /// Maximum movement that may be searched for, as each candidate requires a check of every differing pixel.
  static let greatestReach = 16

  /// All movements except none, the shortest first.
  private let candidates: [PixelShift]

  /// Prepares a search for movements of at most `reach` pixels in each direction.
  init(_ comparer: BandComparer, reach: Int) {
    self.comparer = comparer
    let reach = min(reach, Self.greatestReach)
    let all = (-reach...reach).flatMap { y in (-reach...reach).map { x in PixelShift(x: x, y: y) } }
    let moves = all.filter { $0 != PixelShift(x: 0, y: 0) }
    candidates = moves.sorted { ($0.x * $0.x + $0.y * $0.y, $0.y, $0.x) < ($1.x * $1.x + $1.y * $1.y, $1.y, $1.x) }
  }

  /// Returns the shortest movement that explains all pixels of a region of `mask`; nil if there is none.
  func shift(ofRegion index: Int, in map: RegionMap, _ mask: PixelMask) -> PixelShift? {
    candidates.first { shift in
      mask.allSatisfy(in: map.regions[index].box) { x, y in
        map.region(of: x, y) != index || x < comparer.width && y < comparer.height && isExplained(x, y, by: shift)
      }
    }
  }

  /// Indicates if the old pixel is now at its new position, and if the new pixel was at its old one.
  private func isExplained(_ x: Int, _ y: Int, by shift: PixelShift) -> Bool {
    let index = y * comparer.width + x
    let (first, second) = (comparer.first, comparer.second)
    return isSame(first, x, y, second, x + shift.x, y + shift.y, index)
      && isSame(second, x, y, first, x - shift.x, y - shift.y, index)
  }

  /// Compares two pixels; true if either lies outside the common area, as pixels that moved in or out can't be judged.
  private func isSame(
    _ plane: RasterPlane, _ x: Int, _ y: Int, _ other: RasterPlane, _ otherX: Int, _ otherY: Int, _ index: Int
  ) -> Bool {
    guard otherX >= 0, otherY >= 0, otherX < comparer.width, otherY < comparer.height else { return true }
    return comparer.isSame(plane.pixel(x, y), other.pixel(otherX, otherY), index: index)
  }
}
