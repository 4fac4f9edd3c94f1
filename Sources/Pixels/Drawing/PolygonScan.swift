/// Finds how much of each pixel of a row a polygon covers: exact along the row, sampled on 16 lines down it.
struct PolygonScan {
  let corners: [PixelPoint]
  private static let lines = 16

  /// Coverage, 0 to 1, of the pixels of `columns` in a row.
  func coverage(row: Int, columns: Range<Int>) -> [Double] {
    var sums = [Double](repeating: 0, count: columns.count)
    for line in 0..<Self.lines {
      let y = Double(row) + (Double(line) + 0.5) / Double(Self.lines)
      let crossings = crossings(at: y)
      for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
        let left = max(crossings[pair], Double(columns.lowerBound))
        let right = min(crossings[pair + 1], Double(columns.upperBound))
        guard left < right else { continue }
        for column in Int(left)..<Int(right.rounded(.up)) {
          let part = min(right, Double(column + 1)) - max(left, Double(column))
          sums[column - columns.lowerBound] += part / Double(Self.lines)
        }
      }
    }
    return sums
  }

  /// Where the outline crosses a horizontal line, from left to right; always an even number of places.
  private func crossings(at y: Double) -> [Double] {
    var places: [Double] = []
    for (index, end) in corners.enumerated() {
      let start = corners[index == 0 ? corners.count - 1 : index - 1]
      guard (start.y <= y) != (end.y <= y) else { continue }
      places.append(start.x + (y - start.y) / (end.y - start.y) * (end.x - start.x))
    }
    return places.sorted()
  }
}
