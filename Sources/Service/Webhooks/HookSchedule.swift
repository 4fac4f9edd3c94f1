internal import Core

/// When a message that wasn't taken is sent again.
package enum HookSchedule {
  /// Seconds from one attempt to the next: some 20 hours in all.
  static let pauses: [Int64] = [5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 36_000]

  /// When to try again after so many attempts, in milliseconds since 1970; nil to give up.
  ///
  /// `chance` from 0 to 1 adds up to a tenth, so that many that failed together don't come back together.
  package static func next(after attempts: Int, at instant: Int64, chance: Double) -> Int64? {
    guard attempts >= 1, attempts <= pauses.count else { return nil }
    let pause = Double(pauses[attempts - 1]) * (1 + chance / 10)
    return instant + Int64(Bounded.int(pause * 1000, in: 0...1_000_000_000))
  }
}
