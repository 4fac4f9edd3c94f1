internal import Glibc

/// Comparer of the rows of two images with the same number of channels; pixels outside `width` and `height` are
/// skipped.
struct BandComparer {
  let first: RasterPlane
  let second: RasterPlane
  let width: Int
  let height: Int
  let options: ComparisonOptions
  /// Largest squared distance of two pixels that count as the same.
  private let limit: Double
  private let channels: Int
  private static let block = 16

  init(_ first: RasterPlane, _ second: RasterPlane, options: ComparisonOptions) {
    precondition(first.channels == second.channels, "the same layout")
    self.first = first
    self.second = second
    self.options = options
    width = min(first.width, second.width)
    height = min(first.height, second.height)
    channels = first.channels
    let scale = options.metric == .yiq ? YIQ.greatest : 1
    limit = scale * options.threshold * options.threshold
  }

  /// Compares these rows; for an equal row, one pass over its bytes is enough.
  func compare(rows: Range<Int>) -> Band {
    var band = Band(rows: rows, width: width)
    for y in rows where memcmp(first.row(y), second.row(y), width &* channels) != 0 {
      if options.ignored.isEmpty {
        compare(row: y, columns: 0..<width, into: &band)
      } else {
        for columns in IgnoredRegions.gaps(in: y, width: width, regions: options.ignored) {
          compare(row: y, columns: columns, into: &band)
        }
      }
    }
    return band
  }

  /// Compares part of a row, skipping blocks of equal bytes.
  private func compare(row y: Int, columns: Range<Int>, into band: inout Band) {
    let (p, q) = (first.row(y), second.row(y))
    var x = columns.lowerBound
    while x < columns.upperBound {
      let end = min(x &+ Self.block, columns.upperBound)
      let offset = x &* channels
      if end &- x == Self.block, Self.isEqual(p + offset, q + offset, channels: channels) {
        x = end
        continue
      }
      for column in x..<end { compare(column, y, into: &band) }
      x = end
    }
  }

  @inline(__always)
  private static func isEqual(_ p: UnsafeRawPointer, _ q: UnsafeRawPointer, channels: Int) -> Bool {
    let last = p.loadUnaligned(fromByteOffset: 32, as: SIMD2<UInt64>.self)
    let lastOther = q.loadUnaligned(fromByteOffset: 32, as: SIMD2<UInt64>.self)
    var bits = p.loadUnaligned(as: SIMD4<UInt64>.self) ^ q.loadUnaligned(as: SIMD4<UInt64>.self)
    bits.lowHalf |= last ^ lastOther
    if channels == 4 {
      bits.highHalf |=
        p.loadUnaligned(fromByteOffset: 48, as: SIMD2<UInt64>.self)
        ^ q.loadUnaligned(fromByteOffset: 48, as: SIMD2<UInt64>.self)
    }
    return bits[0] | bits[1] | bits[2] | bits[3] == 0
  }

  @inline(__always)
  private func compare(_ x: Int, _ y: Int, into band: inout Band) {
    let (p, q) = (first.pixel(x, y), second.pixel(x, y))
    guard p != q else { return }
    let squared = squaredDistance(p, q, index: y &* width &+ x)
    guard squared > limit else { return }
    if !options.countsAntialiasing, isAntialiased(x, y) {
      band.antialiased.insert(x, y &- band.rows.lowerBound)
      return
    }
    band.differing.insert(x, y &- band.rows.lowerBound)
    let distance = distance(squared)
    band.largest = max(band.largest, distance)
    band.sum += distance
  }

  /// Returns the distance of the images at a position, 0 to 1; it is 1 where only one image has a pixel.
  func distance(_ x: Int, _ y: Int) -> Double {
    guard x < width, y < height else { return 1 }
    return distance(squaredDistance(first.pixel(x, y), second.pixel(x, y), index: y &* width &+ x))
  }

  @inline(__always)
  private func distance(_ squared: Double) -> Double {
    (options.metric == .yiq ? squared / YIQ.greatest : squared).squareRoot()
  }

  /// Returns true if two pixels count as the same colour.
  func isSame(_ p: UInt32, _ q: UInt32, index: Int) -> Bool {
    p == q || squaredDistance(p, q, index: index) <= limit
  }

  @inline(__always)
  private func squaredDistance(_ p: UInt32, _ q: UInt32, index: Int) -> Double {
    options.metric == .yiq
      ? YIQ.squaredDistance(p, q, index: index) : OKLab.squaredDistance(p, q, index: index)
  }

  private func isAntialiased(_ x: Int, _ y: Int) -> Bool {
    Antialiasing(plane: first, other: second, width: width, height: height).isLikely(x, y)
      || Antialiasing(plane: second, other: first, width: width, height: height).isLikely(x, y)
  }
}

/// Differences in some rows of two images.
struct Band: Sendable {
  let rows: Range<Int>
  /// Pixels that count as different; the mask's first row is the band's.
  var differing: PixelMask
  /// Pixels that look like anti-aliasing.
  var antialiased: PixelMask
  /// Largest distance of a differing pixel, 0 to 1, and the sum of all such distances.
  var largest = 0.0
  var sum = 0.0

  init(rows: Range<Int>, width: Int) {
    self.rows = rows
    differing = PixelMask(width: width, height: rows.count)
    antialiased = differing
  }
}

/// Detector of anti-aliasing: "Anti-aliased Pixel and Intensity Slope Detector", Vyšniauskas 2009, with pixelmatch's
/// decisions.
struct Antialiasing {
  let plane: RasterPlane
  let other: RasterPlane
  let width: Int
  let height: Int

  /// Returns true if a pixel of `plane` lies between a darker and a brighter one, at least one of which is flat in both
  /// images.
  func isLikely(_ x: Int, _ y: Int) -> Bool {
    let center = plane.pixel(x, y)
    let index = y &* width &+ x
    var equal = isAtEdge(x, y) ? 1 : 0
    var darkest = (delta: 0.0, x: 0, y: 0)
    var brightest = darkest
    for nx in max(x - 1, 0)...min(x + 1, width - 1) {
      for ny in max(y - 1, 0)...min(y + 1, height - 1) where nx != x || ny != y {
        let pixel = plane.pixel(nx, ny)
        let delta = pixel == center ? 0 : YIQ.brightness(center, over: pixel, index: index)
        if delta == 0 {
          equal += 1
          if equal > 2 { return false }
        } else if delta < darkest.delta {
          darkest = (delta, nx, ny)
        } else if delta > brightest.delta {
          brightest = (delta, nx, ny)
        }
      }
    }
    guard darkest.delta != 0, brightest.delta != 0 else { return false }
    return isFlatInBoth(darkest.x, darkest.y) || isFlatInBoth(brightest.x, brightest.y)
  }

  private func isFlatInBoth(_ x: Int, _ y: Int) -> Bool { isFlat(plane, x, y) && isFlat(other, x, y) }

  /// Returns true if at least three neighbours have the pixel's colour; an edge of the image counts as one of them.
  private func isFlat(_ plane: RasterPlane, _ x: Int, _ y: Int) -> Bool {
    let center = plane.pixel(x, y)
    var equal = isAtEdge(x, y) ? 1 : 0
    for nx in max(x - 1, 0)...min(x + 1, width - 1) {
      for ny in max(y - 1, 0)...min(y + 1, height - 1) where nx != x || ny != y {
        if plane.pixel(nx, ny) == center { equal += 1 }
        if equal > 2 { return true }
      }
    }
    return false
  }

  private func isAtEdge(_ x: Int, _ y: Int) -> Bool { x == 0 || y == 0 || x == width - 1 || y == height - 1 }
}

/// Regions excluded from a comparison.
enum IgnoredRegions {
  /// Returns the columns of a row that lie in no region, from left to right.
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
