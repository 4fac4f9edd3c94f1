internal import Glibc

/// Counter of flashes in a sequence of images: pairs of opposing changes of luminance, as in WCAG 2.3.1.
///
/// Each place keeps the luminance at which it last turned. A change counts if it is at least a tenth from there and its
/// darker end is below 0.8; an image turns brighter or darker if at least `least` of all places do. Saturated red isn't
/// checked.
package struct FlashCounter: Sendable {
  /// Image in which enough places turned.
  private struct Turn: Sendable {
    var t: Double
    var share: Double
  }
  private enum Direction: Int8, Sendable {
    case none, up, down
  }
  private struct Place: Sendable {
    var low: Float
    var high: Float
    var direction = Direction.none
  }

  /// Share of the image that must change for it to count, 0 to 1.
  private let least: Double
  private var places: [Place] = []
  private var turns: [Turn] = []
  private var last = Direction.none

  package init(least: Double) { self.least = least }

  /// Adds the next image, at `t` milliseconds; returns true if enough places turned brighter or darker.
  package mutating func add(_ lattice: LumaGrid, t: Double) -> Bool {
    guard lattice.pixels.count == places.count else {
      places = lattice.pixels.map { pixel in
        let luminance = Float(Luminance.of(pixel))
        return Place(low: luminance, high: luminance)
      }
      last = .none
      return false
    }
    let (up, down) = turned(lattice)
    guard !places.isEmpty, max(up, down) > 0 else { return false }
    let share = Double(max(up, down)) / Double(places.count)
    guard share >= least else { return false }
    let direction: Direction = up >= down ? .up : .down
    if direction != last { turns.append(Turn(t: t, share: share)) }
    last = direction
    return true
  }

  /// Returns the numbers of places that turned brighter and darker.
  private mutating func turned(_ lattice: LumaGrid) -> (up: Int, down: Int) {
    var (up, down) = (0, 0)
    lattice.pixels.withUnsafeBufferPointer { pixels in
      places.withUnsafeMutableBufferPointer { places in
        for index in 0..<places.count {
          switch Self.turn(&places[index], to: Float(Luminance.of(pixels[index]))) {
          case .up: up += 1
          case .down: down += 1
          case .none: break
          }
        }
      }
    }
    return (up, down)
  }

  private static func turn(_ place: inout Place, to luminance: Float) -> Direction {
    place.low = min(place.low, luminance)
    place.high = max(place.high, luminance)
    let rises = place.direction != .up && luminance - place.low >= 0.1 && place.low < 0.8
    let falls = place.direction != .down && place.high - luminance >= 0.1 && luminance < 0.8
    guard rises || falls else { return .none }
    place = Place(low: luminance, high: luminance, direction: rises ? .up : .down)
    return place.direction
  }

  /// Total number of flashes.
  package var count: Int { turns.count / 2 }

  /// Second with the most flashes: their number, its start, and the smallest share of the image that turned; nil
  /// without any.
  package var worst: (count: Int, from: Double, share: Double)? {
    var best: (count: Int, from: Double, share: Double)?
    var end = 0
    for start in turns.indices {
      while end < turns.count, turns[end].t - turns[start].t <= 1_000 { end += 1 }
      let count = (end - start) / 2
      guard count > (best?.count ?? 0) else { continue }
      best = (count, turns[start].t, turns[start..<end].map(\.share).min() ?? 0)
    }
    return best
  }
}

/// Relative luminance by WCAG's definition, from 0 (black) to 1 (white).
package enum Luminance {
  /// Value of each channel level after the gamma of sRGB is undone.
  private static let linear: [Double] = (0...255).map { value in
    let share = Double(value) / 255
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
  }

  /// Returns the luminance of an opaque pixel, 0xAARRGGBB.
  package static func of(_ pixel: UInt32) -> Double {
    linear.withUnsafeBufferPointer { linear in
      0.2126 * linear[Int(pixel >> 16 & 255)] + 0.7152 * linear[Int(pixel >> 8 & 255)] + 0.0722
        * linear[Int(pixel & 255)]
    }
  }

  /// Returns the contrast of two luminances, from 1 to 21.
  package static func contrast(_ one: Double, _ other: Double) -> Double {
    (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }
}
