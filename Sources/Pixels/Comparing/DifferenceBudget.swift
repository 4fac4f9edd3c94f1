/// How much may differ; a limit that isn't given allows what the others do, and none given allows nothing.
package struct DifferenceBudget: Hashable, Sendable {
  /// Pixels in all.
  package var count: Int?
  /// The share of all pixels, 0 to 1.
  package var ratio: Double?
  /// Pixels in the densest window of the comparison's size.
  package var density: Int?

  package init(count: Int? = nil, ratio: Double? = nil, density: Int? = nil) {
    self.count = count
    self.ratio = ratio
    self.density = density
  }

  /// Whether a difference stays within every limit; a different size never does unless a limit was given.
  package func allows(_ difference: ImageDifference) -> Bool {
    if count == nil, ratio == nil, density == nil { return difference.differingCount == 0 && !difference.sizesDiffer }
    return difference.differingCount <= count ?? .max && difference.ratio <= ratio ?? 1
      && difference.densest?.differing ?? 0 <= density ?? .max
  }
}
