internal import Core

/// Palette of a GIF: at most 255 colours, and an index for unchanged pixels.
///
/// It has all colours of a recording if they are few enough, otherwise the means of as many boxes of similar ones.
struct GIFPalette {
  /// Index of pixels that remain unchanged.
  static let clear: UInt8 = 255

  /// Colours of the palette, each 0xRRGGBB.
  private(set) var colors: [UInt32]
  /// Index by colour, if every colour has one.
  private var exact: [UInt32: UInt8] = [:]
  /// Index by the upper five bits of each channel, for other recordings.
  private var nearest: [UInt8] = []

  /// Builds the palette from a whole recording.
  init(_ reel: FilmReelReader) throws(Fault) {
    var distinct: Set<UInt32> = []
    var bins = [ColorBin](repeating: ColorBin(), count: 1 << 15)
    while let shot = try reel.next() {
      let area = shot.changed
      for y in area.y..<area.maxY {
        for pixel in shot.picture.pixels[y * reel.width + area.x..<y * reel.width + area.maxX] {
          let color = pixel & 0xFF_FFFF
          bins[Self.bin(color)].add(color)
          if distinct.count < 256 { distinct.insert(color) }
        }
      }
    }
    if distinct.count <= 255 {
      colors = distinct.sorted()
      for (index, color) in colors.enumerated() { exact[color] = UInt8(index) }
    } else {
      colors = ColorBox.means(of: bins.filter { $0.count > 0 }, most: 255)
      nearest = (0..<1 << 15).map { Self.nearest(to: Self.center($0), among: colors) }
    }
  }

  /// Indicates if a colour has the same index at every position.
  var isExact: Bool { nearest.isEmpty }

  /// Returns a colour's index at a position; colours between two of the palette are dithered.
  func index(of color: UInt32, x: Int, y: Int) -> UInt8 {
    if isExact { return exact[color] ?? 0 }
    let plain = nearest[Self.bin(color)]
    // A colour that is there, or nearly, stays a plain area.
    guard Self.distance(color, colors[Int(plain)]) > Self.tolerance else { return plain }
    let shift = Self.pattern[(y & 3) * 4 + (x & 3)]
    return nearest[Self.bin(Self.moved(color, by: shift))]
  }

  /// Pattern of ordered dithering (Bayer, 4 by 4), over twice the width of a bin.
  private static let pattern = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map { $0 - 8 }
  /// Squared distance that isn't visible.
  private static let tolerance = 48

  private static func bin(_ color: UInt32) -> Int {
    Int(color >> 19 & 31) << 10 | Int(color >> 11 & 31) << 5 | Int(color >> 3 & 31)
  }

  private static func center(_ bin: Int) -> UInt32 {
    [10, 5, 0].reduce(0) { $0 << 8 | UInt32((bin >> $1) & 31) << 3 | 4 }
  }

  private static func moved(_ color: UInt32, by shift: Int) -> UInt32 {
    [16, 8, 0].reduce(UInt32(0)) { $0 | UInt32(min(255, max(0, Int(color >> $1 & 255) + shift))) << $1 }
  }

  private static func nearest(to color: UInt32, among colors: [UInt32]) -> UInt8 {
    var (best, least) = (0, Int.max)
    for (index, other) in colors.enumerated() {
      let distance = distance(color, other)
      if distance < least { (best, least) = (index, distance) }
    }
    return UInt8(best)
  }

  private static func distance(_ a: UInt32, _ b: UInt32) -> Int {
    let red = Int(a >> 16 & 255) - Int(b >> 16 & 255)
    let green = Int(a >> 8 & 255) - Int(b >> 8 & 255)
    let blue = Int(a & 255) - Int(b & 255)
    return red * red + green * green + blue * blue
  }
}

/// Sum of the pixels of nearly one colour.
private struct ColorBin {
  private(set) var count = 0
  private var sums = (red: 0, green: 0, blue: 0)

  mutating func add(_ color: UInt32) {
    count += 1
    sums.red += Int(color >> 16 & 255)
    sums.green += Int(color >> 8 & 255)
    sums.blue += Int(color & 255)
  }

  mutating func add(_ other: ColorBin) {
    count += other.count
    sums = (sums.red + other.sums.red, sums.green + other.sums.green, sums.blue + other.sums.blue)
  }

  /// Mean of each channel.
  var mean: [Int] { count == 0 ? [0, 0, 0] : [sums.red, sums.green, sums.blue].map { ($0 + count / 2) / count } }
}

/// Bins that share a colour of the palette (median cut).
private struct ColorBox {
  private var bins: [ColorBin]
  private var axis = 0
  /// Measure of the loss if all bins get one colour: the squared longest side times the root of the number of pixels.
  private var weight = 0

  private init(_ bins: [ColorBin]) {
    self.bins = bins
    for channel in 0..<3 {
      let values = bins.map { $0.mean[channel] }
      let length = (values.max() ?? 0) - (values.min() ?? 0)
      // Many pixels of nearly one colour don't outweigh a few that stand out.
      let total = bins.reduce(0) { $0 + $1.count }
      let found = length * length * Bounded.int(Double(total).squareRoot(), in: 0...1_000_000)
      if found > weight { (axis, weight) = (channel, found) }
    }
  }

  private var mean: UInt32 {
    var all = ColorBin()
    for bin in bins { all.add(bin) }
    return all.mean.reduce(0) { $0 << 8 | UInt32(min(255, $1)) }
  }

  /// Returns two boxes with about the same number of pixels.
  private func halves() -> [ColorBox] {
    let sorted = bins.enumerated().sorted { ($0.element.mean[axis], $0.offset) < ($1.element.mean[axis], $1.offset) }
      .map(\.element)
    let half = sorted.reduce(0) { $0 + $1.count } / 2
    var (seen, cut) = (0, 0)
    while cut < sorted.count - 1, seen + sorted[cut].count <= half || cut == 0 {
      seen += sorted[cut].count
      cut += 1
    }
    return [ColorBox(Array(sorted[..<cut])), ColorBox(Array(sorted[cut...]))]
  }

  /// Returns at most this number of colours that represent all bins.
  static func means(of bins: [ColorBin], most: Int) -> [UInt32] {
    var boxes = [ColorBox(bins)]
    while boxes.count < most {
      guard let widest = boxes.indices.max(by: { boxes[$0].weight < boxes[$1].weight }), boxes[widest].weight > 0
      else { break }
      boxes.replaceSubrange(widest...widest, with: boxes[widest].halves())
    }
    return boxes.map(\.mean)
  }
}
