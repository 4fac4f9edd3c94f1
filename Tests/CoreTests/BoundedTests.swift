internal import Core
internal import Testing

/// Numbers that crash careless programs.
private let hostile: [Double] = [
  .nan, .signalingNaN, .infinity, -.infinity, 1e308, -1e308, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e19,
  -1e19, 9.223372036854775807e18, -9.223372036854775808e18, 2_147_483_647, 2_147_483_648, 2_147_483_649,
  -2_147_483_649, 9_007_199_254_740_994, -0.0, 0, 0.5, -0.5, 1.5,
]

@Suite struct BoundedTests {
  private static let ranges: [ClosedRange<Int>] = [0...0, -5...5, 0...Int.max, Int.min...Int.max, 1...65_535]

  @Test(arguments: hostile, ranges)
  func `any number becomes one of the range`(_ value: Double, _ range: ClosedRange<Int>) {
    let number = Bounded.int(value, in: range)
    #expect(range.contains(number))
    if value.isNaN { #expect(number == range.lowerBound) }
    if value == .infinity { #expect(number == range.upperBound) }
    #expect(Bounded.whole(value, in: range).map { range.contains($0) && Double($0) == value } ?? true)
  }

  @Test func `numbers inside stay`() {
    #expect(Bounded.int(2.5, in: 0...10) == 3)
    #expect(Bounded.int(2.5, in: 0...10, rounding: .towardZero) == 2)
    #expect(Bounded.int(-2.5, in: -10...10) == -3)
    #expect(Bounded.whole(7, in: 0...10) == 7)
    #expect(Bounded.whole(7.5, in: 0...10) == nil)
    #expect(Bounded.number(0.25, in: 0...1) == 0.25)
    #expect(Bounded.number(.nan, in: 0...1) == 0)
    #expect(Bounded.number(.infinity, in: 0...1) == 1)
  }

  @Test(arguments: hostile) func `any number is a span of time`(_ value: Double) {
    let limit = Duration.seconds(1_000_000_000)
    for span in [Bounded.seconds(value), Bounded.milliseconds(value)] {
      #expect(span >= .zero - limit && span <= limit)
    }
  }

  @Test func `spans of time are exact to the microsecond`() {
    #expect(Bounded.seconds(1.25) == .milliseconds(1_250))
    #expect(Bounded.milliseconds(16.667) == .microseconds(16_667))
    #expect(Bounded.seconds(0) == .zero)
  }

  @Test(arguments: [
    ("12", 12.0), ("-1.5", -1.5), ("1e3", 1000), ("nan", nil), ("inf", nil), ("-infinity", nil), ("0x10", nil),
    ("1e14", nil), ("1e400", nil), ("", nil), (" 1", nil), ("1e-400", 0),
  ])
  func `texts are numbers or none`(_ text: String, _ value: Double?) {
    #expect(Bounded.decimal(text) == value)
  }

  @Test func `sums and products end at the largest number`() {
    #expect(Bounded.product(.max, 2) == .max)
    #expect(Bounded.product(.max, -2) == .min)
    #expect(Bounded.product(.min, -1) == .max)
    #expect(Bounded.product(6, 7) == 42)
    #expect(Bounded.sum(.max, 1) == .max)
    #expect(Bounded.sum(.min, -1) == .min)
    #expect(Bounded.sum(40, 2) == 42)
  }
}

@Suite struct NumberTextTests {
  @Test(arguments: [
    (320.0, "320"), (320.5, "320.5"), (-0.0, "0"), (1e15, "1000000000000000"),
    (9_007_199_254_740_992, "9007199254740992"),
    (1e16, "1e+16"), (.nan, "nan"), (-.infinity, "-inf"), (1e308, "1e+308"),
  ])
  func `plain text is the shortest`(_ value: Double, _ text: String) {
    #expect(value.plain == text)
  }

  @Test(arguments: [
    (12.54, "12.5"), (12.0, "12"), (12.96, "13"), (1e20, "1e+20"), (.nan, "nan"), (.infinity, "inf"),
  ])
  func `tenths are as many as there are`(_ value: Double, _ text: String) {
    #expect(NumberText.tenths(value) == text)
  }

  @Test func `tenths can be rounded up`() {
    #expect(NumberText.tenths(12.51, rounding: .up) == "12.6")
  }
}
