internal import Core

/// A day as people and policies write it; as text, days stand in their own order.
package enum Day {
  /// Whether it is written like 2026-08-19, and such a day could be.
  package static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.allSatisfy { $0.isASCII && $0.isNumber } ? Int($0) : nil }
    guard parts.map(\.count) == [4, 2, 2], numbers.count == 3 else { return false }
    return (1...12).contains(numbers[1]) && (1...31).contains(numbers[2])
  }
}
