/// What is said of one part of a creative.
package struct Judgement: Hashable, Sendable {
  package let name: String
  package let verdict: BaselineVerdict
  /// The render, from 0, that shows what is believed; nil for what is missing.
  package let render: Int?
  /// Whether all renders agreed.
  package var isSteady = true
  /// Whether it is flaky and the baseline says so.
  package var isTolerated = false

  package init(
    name: String, verdict: BaselineVerdict, render: Int?, isSteady: Bool = true, isTolerated: Bool = false
  ) {
    (self.name, self.verdict, self.render) = (name, verdict, render)
    (self.isSteady, self.isTolerated) = (isSteady, isTolerated)
  }
}
