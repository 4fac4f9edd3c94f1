/// Names of two sides, put together.
package struct Pairing: Hashable, Sendable {
  package struct Pair: Hashable, Sendable {
    package let first: String
    package let second: String
  }

  /// In the first side's order.
  package private(set) var pairs: [Pair] = []
  package private(set) var onlyFirst: [String] = []
  package private(set) var onlySecond: [String] = []

  /// Pairs equal names.
  package init(_ first: [String], _ second: [String]) {
    let (all, others) = (Set(first), Set(second))
    pairs = first.filter(others.contains).map { Pair(first: $0, second: $0) }
    onlyFirst = first.filter { !others.contains($0) }
    onlySecond = second.filter { !all.contains($0) }
  }

  /// Pairs pictures by name, and what is left by what stands behind the number: one more picture moves all numbers on.
  package init(pictures first: [String], _ second: [String]) {
    self.init(first, second)
    var waiting: [Substring: [String]] = [:]
    for name in onlySecond.reversed() { waiting[Self.unnumbered(name), default: []].append(name) }
    for name in onlyFirst {
      guard let partner = waiting[Self.unnumbered(name)]?.popLast() else { continue }
      pairs.append(Pair(first: name, second: partner))
      onlyFirst.removeAll { $0 == name }
      onlySecond.removeAll { $0 == partner }
    }
    pairs.sort { $0.first < $1.first }
  }

  /// `default.png` of `001-default.png`.
  private static func unnumbered(_ name: String) -> Substring {
    let digits = name.prefix { $0.isASCII && $0.isNumber }
    let rest = name.dropFirst(digits.count)
    return digits.isEmpty || rest.first != "-" ? name[...] : rest.dropFirst()
  }
}
