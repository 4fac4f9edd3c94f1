extension ImageDifference {
  /// Puts bands together; returns the sum of their distances.
  mutating func take(_ bands: [Band]) -> Double {
    var sum = 0.0
    for band in bands {
      differing.insert(band.differing, fromRow: band.rows.lowerBound)
      antialiased.insert(band.antialiased, fromRow: band.rows.lowerBound)
      largest = max(largest, band.largest)
      sum += band.sum
    }
    antialiasedCount = antialiased.count
    differingCount = differing.count
    return sum
  }

  /// Counts what only one image has as black against white, and divides the sum of all distances.
  mutating func countOutside(ignoring ignored: [PixelRect], sum: Double) {
    let compared = differingCount
    for (size, other) in [(first, second), (second, first)] {
      let right = PixelRect(x: other.width, y: 0, width: size.width - other.width, height: size.height)
      let below = PixelRect(
        x: 0, y: other.height, width: min(size.width, other.width), height: size.height - other.height)
      differing.insert(right)
      differing.insert(below)
    }
    if sizesDiffer {
      for region in ignored { differing.remove(region) }
      differingCount = differing.count
    }
    let outside = differingCount - compared
    if outside > 0 { largest = 1 }
    mean = differingCount == 0 ? 0 : (sum + Double(outside)) / Double(differingCount)
  }

  /// Groups what differs.
  @discardableResult mutating func findRegions() -> RegionMap {
    let map = RegionMap(differing)
    regions = map.regions
    return map
  }

  /// Groups what differs, and takes out of the count what only moved.
  mutating func findRegions(_ comparer: BandComparer) {
    let map = findRegions()
    guard comparer.options.shift > 0, !regions.isEmpty else { return }
    let search = ShiftSearch(comparer, reach: comparer.options.shift)
    for index in regions.indices { regions[index].shift = search.shift(ofRegion: index, in: map, differing) }
    let before = differing
    before.forEach { x, y in
      guard regions[map.region(of: x, y)].shift != nil else { return }
      differing.remove(x, y)
      shifted.insert(x, y)
    }
    shiftedCount = shifted.count
    differingCount = differing.count
    if shiftedCount > 0 { measure(comparer) }
  }

  /// Finds the distances anew, of what counts after all.
  private mutating func measure(_ comparer: BandComparer) {
    var (largest, sum) = (0.0, 0.0)
    differing.forEach { x, y in
      let distance = comparer.distance(x, y)
      largest = max(largest, distance)
      sum += distance
    }
    self.largest = largest
    mean = differingCount == 0 ? 0 : sum / Double(differingCount)
  }
}
