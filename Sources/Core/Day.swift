/// A date in text form, such as 2026-08-19; the texts sort in the order of the dates.
package enum Day {
  /// Returns true for a date of the calendar that is written like 2026-08-19.
  package static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.allSatisfy { $0.isASCII && $0.isNumber } ? Int($0) : nil }
    guard parts.map(\.count) == [4, 2, 2], numbers.count == 3, (1...12).contains(numbers[1]) else { return false }
    return (1...length(ofMonth: numbers[1], year: numbers[0])).contains(numbers[2])
  }

  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
