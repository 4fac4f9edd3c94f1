/// Result of a comparison of two images.
package struct ImageDifference: Hashable, Sendable {
  package let first: PixelSize
  package let second: PixelSize
  /// Pixels that count as different, including those that only one image has.
  package internal(set) var differing: PixelMask
  /// Pixels that differ as anti-aliasing does, and don't count.
  package internal(set) var antialiased: PixelMask
  /// Pixels of regions that only moved, and don't count.
  package internal(set) var shifted: PixelMask
  package internal(set) var differingCount = 0
  package internal(set) var antialiasedCount = 0
  package internal(set) var shiftedCount = 0
  /// Largest distance of a pixel that counts, 0 to 1, on the scale of the threshold.
  package internal(set) var largest = 0.0
  /// Mean distance of the pixels that count.
  package internal(set) var mean = 0.0
  /// Regions of differing pixels, the largest first; includes those that only moved.
  package internal(set) var regions: [DifferenceRegion] = []
  /// Window with the most differing pixels; nil if it wasn't requested or nothing differs.
  package internal(set) var densest: DensestWindow?

  /// Creates a difference of two images of these sizes, without any differing pixels.
  init(_ first: PixelSize, _ second: PixelSize) {
    self.first = first
    self.second = second
    let mask = PixelMask(width: max(first.width, second.width), height: max(first.height, second.height))
    (differing, antialiased, shifted) = (mask, mask, mask)
  }

  /// Removes the masks and keeps the counts and regions, which take little memory.
  package mutating func forgetPixels() {
    let mask = PixelMask(width: differing.width, height: differing.height)
    (differing, antialiased, shifted) = (mask, mask, mask)
  }

  /// Size that holds both images, each in its top-left corner.
  package var size: PixelSize { PixelSize(width: differing.width, height: differing.height) }
  package var sizesDiffer: Bool { first != second }
  /// Share of all pixels that count as different, 0 to 1.
  package var ratio: Double { size.area == 0 ? 0 : Double(differingCount) / Double(size.area) }

  /// Smallest rectangle around all pixels that count; nil if there are none.
  package var box: PixelRect? {
    let boxes = regions.filter { $0.shift == nil }.map(\.box)
    guard let left = boxes.map(\.x).min(), let top = boxes.map(\.y).min() else { return nil }
    let (right, bottom) = (boxes.map(\.maxX).max() ?? left, boxes.map(\.maxY).max() ?? top)
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }
}

extension ImageDifference {
  /// Merges bands; returns the sum of their distances.
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

  /// Counts pixels that only one image has, with the distance of black and white, and computes the mean distance.
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

  /// Groups the differing pixels into regions.
  @discardableResult mutating func findRegions() -> RegionMap {
    let map = RegionMap(differing)
    regions = map.regions
    return map
  }

  /// Groups the differing pixels into regions, and excludes regions that only moved from the count.
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

  /// Computes the distances anew for the pixels that still count.
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

/// Group of differing pixels that lie near one another.
package struct DifferenceRegion: Hashable, Sendable {
  /// Smallest rectangle around them.
  package var box: PixelRect
  package var differing: Int
  /// Movement of the region from the first image to the second, if that alone explains the difference; nil otherwise.
  package var shift: PixelShift?
}

/// Movement by whole pixels: to the right and down if positive.
package struct PixelShift: Hashable, Sendable {
  package var x: Int
  package var y: Int

  package init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// Limits of an allowed difference; limits that are nil allow any value, but without any limit nothing may differ.
package struct DifferenceBudget: Hashable, Sendable {
  /// Maximum number of differing pixels.
  private var count: Int?
  /// Maximum share of all pixels, 0 to 1.
  private var ratio: Double?
  /// Maximum number of differing pixels in the densest window of the comparison's size.
  private var density: Int?

  package init(count: Int? = nil, ratio: Double? = nil, density: Int? = nil) {
    self.count = count
    self.ratio = ratio
    self.density = density
  }

  /// Returns true if a difference stays within every limit; without limits, false for different sizes too.
  package func allows(_ difference: ImageDifference) -> Bool {
    if count == nil, ratio == nil, density == nil { return difference.differingCount == 0 && !difference.sizesDiffer }
    return difference.differingCount <= count ?? .max && difference.ratio <= ratio ?? 1
      && difference.densest?.differing ?? 0 <= density ?? .max
  }
}

/// Square of an image with the most differing pixels.
///
/// A share of the whole image would hide a small part that changed a lot.
package struct DensestWindow: Hashable, Sendable {
  /// Frame of the square; smaller than the requested window if the image is.
  package let box: PixelRect
  package let differing: Int

  /// Finds the densest position of a window with sides of `side` pixels, the first of equal ones; nil if no pixel
  /// differs.
  init?(of mask: PixelMask, side: Int) {
    guard !mask.isUntouched, side > 0 else { return nil }
    let (width, height) = (min(side, mask.width), min(side, mask.height))
    // How many pixels of each column differ in the rows of the window.
    var columns = [Int32](repeating: 0, count: mask.width)
    var best = (count: 0, x: 0, y: 0)
    var isChanged = false
    for y in 0..<mask.height {
      if Self.add(mask, row: y, 1, to: &columns) { isChanged = true }
      if y >= height, Self.add(mask, row: y - height, -1, to: &columns) { isChanged = true }
      guard isChanged, y + 1 >= height else { continue }
      isChanged = false
      var count = columns[..<width].reduce(0) { $0 + Int($1) }
      if count > best.count { best = (count, 0, y + 1 - height) }
      for x in width..<max(width, mask.width) {
        count += Int(columns[x]) - Int(columns[x - width])
        if count > best.count { best = (count, x + 1 - width, y + 1 - height) }
      }
    }
    guard best.count > 0 else { return nil }
    box = PixelRect(x: best.x, y: best.y, width: width, height: height)
    differing = best.count
  }

  /// Adds a row's pixels to the columns' counts, or subtracts them; false if it has none.
  private static func add(_ mask: PixelMask, row: Int, _ amount: Int32, to columns: inout [Int32]) -> Bool {
    var isChanged = false
    for column in 0..<mask.wordsPerRow {
      var word = mask.words[row * mask.wordsPerRow + column]
      while word != 0 {
        isChanged = true
        columns[column * 64 + word.trailingZeroBitCount] += amount
        word &= word - 1
      }
    }
    return isChanged
  }
}
