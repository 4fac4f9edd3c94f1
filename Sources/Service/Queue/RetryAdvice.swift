internal import Core

/// When somebody who was turned away may expect room.
package enum RetryAdvice {
  /// Whole seconds until one of the waiting has gone, from 1 to 60.
  ///
  /// `pace` is the seconds a render took of late, nil when none is known.
  package static func seconds(waiting: Int, width: Int, pace: Double?) -> Int {
    guard let pace, width > 0, waiting > 0 else { return 1 }
    return Bounded.int(pace / Double(width), in: 1...60, rounding: .up)
  }
}
