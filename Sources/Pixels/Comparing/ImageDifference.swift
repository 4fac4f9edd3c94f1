/// What a comparison of two images found.
package struct ImageDifference: Hashable, Sendable {
  package let first: PixelSize
  package let second: PixelSize
  /// Pixels that count as different; where only one image has a pixel, it does.
  package internal(set) var differing: PixelMask
  /// Pixels that differ as anti-aliasing does, and don't count.
  package internal(set) var antialiased: PixelMask
  /// Pixels of regions that only moved, and don't count.
  package internal(set) var shifted: PixelMask
  package internal(set) var differingCount = 0
  package internal(set) var antialiasedCount = 0
  package internal(set) var shiftedCount = 0
  /// The greatest distance of a pixel that counts, 0 to 1: what the threshold is compared with.
  package internal(set) var largest = 0.0
  /// The mean of those distances.
  package internal(set) var mean = 0.0
  /// Where pixels differ, the largest region first; those that moved are among them.
  package internal(set) var regions: [DifferenceRegion] = []
  /// Where they are densest; nil when nobody asked or nothing differs.
  package internal(set) var densest: DensestWindow?

  /// Two images of which nothing is known but their size: no difference yet.
  init(_ first: PixelSize, _ second: PixelSize) {
    self.first = first
    self.second = second
    let mask = PixelMask(width: max(first.width, second.width), height: max(first.height, second.height))
    (differing, antialiased, shifted) = (mask, mask, mask)
  }

  /// Leaves only the counts and regions, which take little memory.
  package mutating func forgetPixels() {
    let mask = PixelMask(width: differing.width, height: differing.height)
    (differing, antialiased, shifted) = (mask, mask, mask)
  }

  /// The size that holds both images, each in its top-left corner.
  package var size: PixelSize { PixelSize(width: differing.width, height: differing.height) }
  package var sizesDiffer: Bool { first != second }
  /// The share of all pixels that count as different, 0 to 1.
  package var ratio: Double { size.area == 0 ? 0 : Double(differingCount) / Double(size.area) }

  /// The smallest rectangle around all that counts; nil when nothing does.
  package var box: PixelRect? {
    let boxes = regions.filter { $0.shift == nil }.map(\.box)
    guard let left = boxes.map(\.x).min(), let top = boxes.map(\.y).min() else { return nil }
    let (right, bottom) = (boxes.map(\.maxX).max() ?? left, boxes.map(\.maxY).max() ?? top)
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }
}
