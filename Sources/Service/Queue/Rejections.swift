/// How many requests were turned away of late.
package struct Rejections: Sendable {
  /// What counts as late, in milliseconds.
  package static let window: Int64 = 60_000
  private var instants: [Int64] = []

  package init() {}

  /// Counts one more.
  package mutating func note(at instant: Int64) {
    forget(before: instant - Self.window)
    instants.append(instant)
  }

  /// How many within the window before an instant.
  package mutating func count(at instant: Int64) -> Int {
    forget(before: instant - Self.window)
    return instants.count
  }

  private mutating func forget(before instant: Int64) { instants.removeAll { $0 <= instant } }
}
