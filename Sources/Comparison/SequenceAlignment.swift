/// Index in one sequence and its counterpart in another.
struct PlacePair: Hashable {
  let first: Int
  let second: Int
}

/// Elements of two sequences that stayed in order: pairs of equal elements whose indices rise in both.
struct SequenceAlignment {
  /// Index pairs of the kept elements.
  private(set) var kept: [PlacePair] = []
  /// Maximum number of elements for the exact longest common subsequence; longer sequences are paired by occurrence.
  private static let exactLimit = 4000

  init(_ first: [Int], _ second: [Int]) {
    let head = zip(first, second).prefix { $0 == $1 }.count
    let rest = min(first.count, second.count) - head
    let tail = zip(first.reversed(), second.reversed()).prefix { $0 == $1 }.prefix(rest).count
    let (p, q) = (first[head..<(first.count - tail)], second[head..<(second.count - tail)])
    let isExact = p.count + q.count <= Self.exactLimit
    kept = (0..<head).map { PlacePair(first: $0, second: $0) }
    kept += isExact ? Self.longestCommon(p, q) : Self.byOccurrence(p, q)
    kept += (0..<tail).map { PlacePair(first: first.count - tail + $0, second: second.count - tail + $0) }
  }

  /// Returns the longest common subsequence by Myers' algorithm.
  ///
  /// Its memory grows with the square of the number of differences.
  private static func longestCommon(_ p: ArraySlice<Int>, _ q: ArraySlice<Int>) -> [PlacePair] {
    let difference = Array(q).difference(from: Array(p))
    var isRemoved = [Bool](repeating: false, count: p.count)
    var isInserted = [Bool](repeating: false, count: q.count)
    for change in difference {
      switch change {
      case .remove(let offset, _, _): isRemoved[offset] = true
      case .insert(let offset, _, _): isInserted[offset] = true
      }
    }
    let left = p.indices.filter { !isRemoved[$0 - p.startIndex] }
    let right = q.indices.filter { !isInserted[$0 - q.startIndex] }
    return zip(left, right).map(PlacePair.init)
  }

  /// Pairs the nth occurrence of each element with its nth counterpart, and returns the longest rising run.
  private static func byOccurrence(_ p: ArraySlice<Int>, _ q: ArraySlice<Int>) -> [PlacePair] {
    var places: [Int: [Int]] = [:]
    for index in q.indices.reversed() { places[q[index], default: []].append(index) }
    let pairs = p.indices.compactMap { index in
      places[p[index]]?.popLast().map { PlacePair(first: index, second: $0) }
    }
    return longestRising(pairs)
  }

  /// Returns the longest run whose second indices rise, by patience sorting.
  private static func longestRising(_ pairs: [PlacePair]) -> [PlacePair] {
    var piles: [Int] = []
    var before = [Int?](repeating: nil, count: pairs.count)
    for (index, pair) in pairs.enumerated() {
      var (low, high) = (0, piles.count)
      while low < high {
        let middle = (low + high) / 2
        if pairs[piles[middle]].second < pair.second { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? piles[low - 1] : nil
      if low == piles.count { piles.append(index) } else { piles[low] = index }
    }
    var run: [PlacePair] = []
    var at = piles.last
    while let index = at {
      run.append(pairs[index])
      at = before[index]
    }
    return run.reversed()
  }
}
