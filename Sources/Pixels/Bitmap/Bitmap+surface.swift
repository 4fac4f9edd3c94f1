extension Bitmap {
  /// Returns true if a line of one colour surrounds the bitmap and differs from its inside; a dip is `scale` pixels.
  package func hasBorder(scale: Int) -> Bool {
    let depth = 4 * max(1, scale)
    guard width > 4 * depth, height > 4 * depth else { return false }
    return Side.allCases.allSatisfy { side in
      let outer = line(side, depth: 0)
      return Self.isOfOneColor(outer) && Self.standsOut(outer, from: line(side, depth: depth))
    }
  }

  /// Shares of the outermost pixels that are nearly white and nearly black, 0 to 1.
  package var edgeShares: (white: Double, black: Double) {
    let edge = Side.allCases.flatMap { line($0, depth: 0) }
    guard !edge.isEmpty else { return (0, 0) }
    let white = edge.count { pixel in Self.channels(pixel).allSatisfy { $0 >= 245 } }
    let black = edge.count { pixel in Self.channels(pixel).allSatisfy { $0 <= 10 } }
    return (Double(white) / Double(edge.count), Double(black) / Double(edge.count))
  }

  private enum Side: CaseIterable {
    case top, bottom, left, right
  }

  /// Returns the pixels along a side, `depth` pixels from the edge, without as many at both ends.
  private func line(_ side: Side, depth: Int) -> [UInt32] {
    guard width > 2 * depth, height > 2 * depth else { return [] }
    return switch side {
    case .top: (depth..<width - depth).map { pixels[depth * width + $0] }
    case .bottom: (depth..<width - depth).map { pixels[(height - 1 - depth) * width + $0] }
    case .left: (depth..<height - depth).map { pixels[$0 * width + depth] }
    case .right: (depth..<height - depth).map { pixels[$0 * width + width - 1 - depth] }
    }
  }

  /// Indicates if at least 97 % of the pixels have nearly the colour of the middle one.
  private static func isOfOneColor(_ line: [UInt32]) -> Bool {
    guard !line.isEmpty else { return false }
    let middle = line[line.count / 2]
    return Double(line.count { distance($0, middle) <= 24 }) >= 0.97 * Double(line.count)
  }

  /// Indicates if at least 60 % of the inner line differs from the colour of the outer one.
  private static func standsOut(_ outer: [UInt32], from inner: [UInt32]) -> Bool {
    guard !outer.isEmpty, !inner.isEmpty else { return false }
    let color = outer[outer.count / 2]
    return Double(inner.count { distance($0, color) >= 32 }) >= 0.6 * Double(inner.count)
  }

  private static func channels(_ pixel: UInt32) -> [UInt32] { [pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255] }

  /// Returns the largest difference of a colour channel.
  private static func distance(_ one: UInt32, _ other: UInt32) -> Int {
    zip(channels(one), channels(other)).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }
}

extension Bitmap {
  /// Contrast between its most frequent luminance and the one that differs most from it, from 1 to 21; nil if empty.
  ///
  /// Luminances of less than 3 % of the pixels don't count.
  package var contrast: Double? {
    guard !pixels.isEmpty else { return nil }
    // Luminances in steps finer than a contrast of 3 needs, even between dark ones.
    var shades: [Int: Int] = [:]
    for pixel in pixels { shades[Int((Luminance.of(pixel) * 200).rounded()), default: 0] += 1 }
    guard let ground = shades.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else { return nil }
    let least = Double(pixels.count) * 0.03
    return shades.filter { Double($0.value) >= least }.keys
      .map { Luminance.contrast(Double($0) / 200, Double(ground) / 200) }.max() ?? 1
  }
}
