/// How a creative compares with its baseline.
package enum CreativeVerdict: String, Sendable, Codable, CaseIterable {
  case unchanged
  /// A part is changed, new, missing, or flaky without the baseline saying so.
  case changed
  /// Nothing is recorded.
  case new
  /// What is recorded was drawn by something else, so it wasn't compared.
  case refused
  /// It couldn't be rendered, or its baseline not be read.
  case failed

  /// Of what is said of the parts.
  package init(_ judgements: [Judgement]) {
    let isUnchanged = judgements.allSatisfy { $0.verdict == .unchanged || $0.verdict == .flaky && $0.isTolerated }
    self = isUnchanged ? .unchanged : .changed
  }
}
