extension Bitmap {
  /// Returns a resampled copy in which each pixel is the mean of its area in the original, including partly covered
  /// pixels.
  package func resampled(width columns: Int, height rows: Int) -> Bitmap {
    requireIntact()
    guard columns != width || rows != height, columns > 0, rows > 0, width > 0, height > 0 else { return self }
    let (across, down) = (Self.spans(from: width, to: columns), Self.spans(from: height, to: rows))
    // Each source row is narrowed once, then added to the rows that have a part of it.
    var sums = [Float](repeating: 0, count: columns * 4)
    var line = [Float](repeating: 0, count: columns * 4)
    var narrowed = -1
    var made: [UInt32] = []
    made.reserveCapacity(columns * rows)
    for span in down {
      for index in sums.indices { sums[index] = 0 }
      for part in span {
        if narrowed != part.place {
          narrow(row: part.place, by: across, into: &line)
          narrowed = part.place
        }
        for index in sums.indices { sums[index] += line[index] * part.weight }
      }
      for column in 0..<columns {
        made.append(
          (0..<4).reduce(0) { $0 | UInt32(min(max(sums[column * 4 + $1] + 0.5, 0), 255)) << UInt32(8 * $1) })
      }
    }
    return Bitmap(width: columns, height: rows, pixels: made)
  }

  private func narrow(row: Int, by spans: [[(place: Int, weight: Float)]], into line: inout [Float]) {
    for (column, span) in spans.enumerated() {
      var sum = SIMD4<Float>(repeating: 0)
      for part in span {
        let pixel = pixels[row * width + part.place]
        let channels = SIMD4<UInt32>(pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255, pixel >> 24)
        sum += SIMD4<Float>(channels) * part.weight
      }
      for channel in 0..<4 { line[column * 4 + channel] = sum[channel] }
    }
  }

  /// Returns, for each of `count` places along a side, the pixels that it covers and their weights.
  private static func spans(from length: Int, to count: Int) -> [[(place: Int, weight: Float)]] {
    let share = Double(length) / Double(count)
    return (0..<count).map { index in
      let (start, end) = (Double(index) * share, Double(index + 1) * share)
      let last = min(length - 1, max(Int(start), Int(end.rounded(.up)) - 1))
      return (Int(start)...last).map { place in
        let covered = min(end, Double(place + 1)) - max(start, Double(place))
        return (place, Float(max(0, covered) / share))
      }
    }
  }
}
