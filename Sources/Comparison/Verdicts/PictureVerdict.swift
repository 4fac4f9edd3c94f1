package import Pixels

/// How two pictures of one name compare.
package struct PictureVerdict: Hashable, Sendable {
  /// The picture's name, the second side's where they differ by number.
  package let name: String
  /// The first side's name where the two differ by number.
  package var former: String?
  package let verdict: Verdict
  /// Paths of both files, as far as there are.
  package let first: String?
  package let second: String?
  /// Nil unless both were compared.
  package var difference: ImageDifference?
  /// Why one can't be read.
  package var problem: String?
  /// Diff pictures that were written, by what they show.
  package var written: [String: String] = [:]

  /// Compared, with what may differ.
  package init(name: String, first: String, second: String, difference: ImageDifference, budget: DifferenceBudget) {
    (self.name, self.first, self.second, self.difference) = (name, first, second, difference)
    verdict = budget.allows(difference) ? .same : .different
  }

  /// On one side only, or unreadable.
  package init(name: String, verdict: Verdict, first: String?, second: String?, problem: String? = nil) {
    (self.name, self.verdict, self.first, self.second, self.problem) = (name, verdict, first, second, problem)
  }
}
