internal import Core

/// The colours of a GIF, at most 255, and one that stands for what stays: all those of a film where they are so few,
/// else the means of as many boxes of like ones.
struct GIFPalette {
  /// Stands for what stays as it was.
  static let clear: UInt8 = 255

  /// Each 0xRRGGBB.
  private(set) var colors: [UInt32]
  /// By colour, where all have a place.
  private var exact: [UInt32: UInt8] = [:]
  /// By the upper five bits of each channel.
  private var nearest: [UInt8] = []

  /// Looks through a whole film.
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

  /// Whether a colour has one number wherever it is.
  var isExact: Bool { nearest.isEmpty }

  /// The colour's number at a place, by which colours between two are mixed of both.
  func index(of color: UInt32, x: Int, y: Int) -> UInt8 {
    if isExact { return exact[color] ?? 0 }
    let plain = nearest[Self.bin(color)]
    // A colour that is there, or nearly, stays a plain area.
    guard Self.distance(color, colors[Int(plain)]) > Self.tolerance else { return plain }
    let shift = Self.pattern[(y & 3) * 4 + (x & 3)]
    return nearest[Self.bin(Self.moved(color, by: shift))]
  }

  /// Ordered dithering (Bayer, 4 by 4), of twice a bin's width.
  private static let pattern = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map { $0 - 8 }
  /// The squared distance that nobody sees.
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

/// Pixels of nearly one colour.
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

  /// Its mean, a channel each.
  var mean: [Int] { count == 0 ? [0, 0, 0] : [sums.red, sums.green, sums.blue].map { ($0 + count / 2) / count } }
}

/// Bins that share a colour of the palette (median cut).
private struct ColorBox {
  private var bins: [ColorBin]
  private var axis = 0
  /// How much is lost where all have one colour: pixels times the longest side.
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

  /// Two boxes of about as many pixels.
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

  /// At most so many colours that stand for all.
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
