/// Regions in which nothing counts.
enum IgnoredRegions {
  /// The columns of a row that lie in no region, from left to right.
  static func gaps(in row: Int, width: Int, regions: [PixelRect]) -> [Range<Int>] {
    let crossing = regions.filter { !$0.isEmpty && $0.y <= row && row < $0.maxY }
    var gaps: [Range<Int>] = []
    var at = 0
    for region in crossing.sorted(by: { $0.x < $1.x }) {
      let end = min(region.x, width)
      if end > at { gaps.append(at..<end) }
      at = max(at, region.maxX)
    }
    if at < width { gaps.append(at..<width) }
    return gaps
  }
}
