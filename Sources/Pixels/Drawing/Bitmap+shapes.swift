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

  /// The bitmap's pixels within `margin` of the points' bounding box; nil when none or a coordinate isn't finite.
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
