internal import Core

/// The offsets that a finger's scroll passes through, so that what comes and goes on the way is seen.
package enum ScrollPath {
  /// From one offset to another in steps of at most `step` dip, the last being the goal itself.
  package static func offsets(from start: Double, to end: Double, step: Double) -> [Double] {
    let count = Bounded.int(abs(end - start) / step, in: 0...100_000, rounding: .up)
    guard count > 0 else { return [] }
    return (1...count).map { index in
      index == count ? end : start + (end > start ? step : -step) * Double(index)
    }
  }
}
