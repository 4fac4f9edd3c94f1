internal import Glibc

extension Bitmap {
  /// Lays a colour over the part of `rect` inside the bitmap; an opaque colour replaces what was there.
  package mutating func fill(_ rect: PixelRect, _ color: Color) {
    guard color.premultiplied != 0, let area = bounds.intersection(rect) else { return }
    withRows(of: area) { row, _ in
      if color.isOpaque {
        row.update(repeating: color.premultiplied, count: area.width)
      } else {
        SourceOver.blend(color, over: row, count: area.width)
      }
    }
  }

  /// Lays a colour over a rectangle whose corners are quarter circles of `radius` pixels, with smooth edges.
  package mutating func fillRoundedRect(_ rect: PixelRect, radius: Double, color: Color) {
    guard !rect.isEmpty else { return }
    let radius = min(radius, Double(min(rect.width, rect.height)) / 2)
    guard radius > 0 else { return fill(rect, color) }

    let side = Int(radius.rounded(.up))
    let (lower, right) = (max(rect.y + side, rect.maxY - side), max(rect.x + side, rect.maxX - side))
    fill(PixelRect(x: rect.x, y: rect.y + side, width: rect.width, height: lower - rect.y - side), color)
    for (top, bottom) in [(rect.y, rect.y + side), (lower, rect.maxY)] {
      let height = bottom - top
      fill(PixelRect(x: rect.x + side, y: top, width: right - rect.x - side, height: height), color)
      for (left, end) in [(rect.x, rect.x + side), (right, rect.maxX)] {
        let corner = PixelRect(x: left, y: top, width: end - left, height: height)
        shade(corner, color) { Self.coverage(of: $0, inRounded: rect, radius: radius) }
      }
    }
  }

  /// Returns the part of the pixel around `point` that a rounded rectangle covers.
  ///
  /// It may lie outside 0 to 1, to which `shade` limits it.
  private static func coverage(of point: PixelPoint, inRounded rect: PixelRect, radius: Double) -> Double {
    let (halfWidth, halfHeight) = (Double(rect.width) / 2, Double(rect.height) / 2)
    let dx = abs(point.x - Double(rect.x) - halfWidth) - (halfWidth - radius)
    let dy = abs(point.y - Double(rect.y) - halfHeight) - (halfHeight - radius)
    let outside = PixelPoint(x: max(dx, 0), y: max(dy, 0)).length
    return 0.5 + radius - outside - min(max(dx, dy), 0)
  }
}

extension Bitmap {
  /// Lays a colour over a disc, with a smooth edge.
  package mutating func fillCircle(center: PixelPoint, radius: Double, color: Color) {
    guard radius > 0, let area = area(around: [center], margin: radius) else { return }
    shade(area, color) { point in
      0.5 + radius - PixelPoint(x: point.x - center.x, y: point.y - center.y).length
    }
  }

  /// Lays a colour over a line of `width` pixels with round ends and smooth edges; a thin one is drawn fainter.
  package mutating func strokeLine(from start: PixelPoint, to end: PixelPoint, width: Double, color: Color) {
    guard width > 0, let area = area(around: [start, end], margin: width / 2) else { return }
    let half = width / 2
    shade(area, color) { point in
      let distance = point.distance(toSegment: start, end)
      return min(distance + 0.5, half) - max(distance - 0.5, -half)
    }
  }

  /// Lays a colour over a polygon by the even-odd rule, with smooth edges; fewer than three corners draw nothing.
  package mutating func fillPolygon(_ corners: [PixelPoint], color: Color) {
    guard corners.count > 2, let area = area(around: corners, margin: 0) else { return }
    let scan = PolygonScan(corners: corners)
    for y in area.y..<area.maxY {
      let coverage = scan.coverage(row: y, columns: area.x..<area.maxX)
      shade(PixelRect(x: area.x, y: y, width: area.width, height: 1), color) { coverage[Int($0.x) - area.x] }
    }
  }

  /// Returns the bitmap's pixels within `margin` of the points' bounding box; nil if there are none or a coordinate
  /// isn't finite.
  private func area(around points: [PixelPoint], margin: Double) -> PixelRect? {
    guard margin.isFinite, points.allSatisfy(\.isFinite) else { return nil }
    func limit(_ value: Double, _ end: Int) -> Int { Int(min(max(value, 0), Double(end))) }
    let (xs, ys) = (points.map(\.x), points.map(\.y))
    guard let minX = xs.min(), let maxX = xs.max(), let minY = ys.min(), let maxY = ys.max() else { return nil }
    // A pixel more on each side, since smooth edges reach half a pixel beyond the shape.
    let left = limit((minX - margin).rounded(.down) - 1, width)
    let top = limit((minY - margin).rounded(.down) - 1, height)
    let right = limit((maxX + margin).rounded(.up) + 1, width)
    let bottom = limit((maxY + margin).rounded(.up) + 1, height)
    return bounds.intersection(PixelRect(x: left, y: top, width: right - left, height: bottom - top))
  }
}

/// Computes the part of each pixel in a row that a polygon covers: exact along the row, sampled on 16 lines down it.
struct PolygonScan {
  let corners: [PixelPoint]
  private static let lines = 16

  /// Returns the coverage, 0 to 1, of the pixels of `columns` in a row.
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

  /// Returns the positions at which the outline crosses a horizontal line, from left to right; always an even number.
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

extension Bitmap {
  /// Passes `body` the rows of an area that must lie inside the bitmap, from its first column on.
  mutating func withRows(of area: PixelRect, _ body: (UnsafeMutablePointer<UInt32>, _ y: Int) -> Void) {
    requireIntact()
    let width = width
    pixels.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for y in area.y..<area.maxY { body(base + (y * width + area.x), y) }
    }
  }

  /// Lays a colour over an area with the strength that `coverage` returns for each pixel's centre, limited to 0 to 1.
  @inline(__always)
  mutating func shade(_ area: PixelRect, _ color: Color, coverage: (PixelPoint) -> Double) {
    guard let area = bounds.intersection(area) else { return }
    withRows(of: area) { row, y in
      for column in 0..<area.width {
        let share = coverage(PixelPoint(x: Double(area.x + column) + 0.5, y: Double(y) + 0.5))
        guard share > 0 else { continue }
        let source = SourceOver.scale(color.premultiplied, by: UInt32(min(share, 1) * 255 + 0.5))
        row[column] = SourceOver.blend(source, over: row[column])
      }
    }
  }
}

extension Bitmap {
  /// Lays another bitmap over this one with its top-left corner at (x, y), touching only pixels inside `clip`.
  package mutating func blit(_ source: Bitmap, x: Int, y: Int, clip: PixelRect? = nil) {
    let frame = source.bounds.offset(x: x, y: y)
    guard let visible = bounds.intersection(frame), let area = visible.intersection(clip ?? visible) else { return }
    source.requireIntact()
    source.pixels.withUnsafeBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      withRows(of: area) { target, row in
        let line = base + ((row - y) * source.width + area.x - x)
        let alphas = SourceOver.alphas(of: UnsafeBufferPointer(start: line, count: area.width))
        if alphas.common == 255 {
          memcpy(target, line, area.width * 4)
        } else if !alphas.isBlank {
          SourceOver.blend(line, over: target, count: area.width)
        }
      }
    }
  }
}
