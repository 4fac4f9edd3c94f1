internal import Checks

/// One check on one creative, as formats for test results count it.
struct TestCase {
  enum Outcome: Hashable {
    /// With nothing found, or with nothing that fails the creative.
    case passed
    case failed
    /// All that was found is suppressed.
    case skipped
    /// It couldn't be judged.
    case broken
  }

  let creative: CreativeReport
  /// The check's id, or `render` for the render itself.
  let id: String
  let title: String
  let outcome: Outcome
  /// In a line, unless it simply passed.
  let message: String?
  /// What there is to tell, a paragraph a finding.
  var details: [String] = []
  var findings: [Finding] = []
  /// Relative to the result's folder.
  var pictures: [String] = []
  /// Milliseconds; only a render takes any.
  var duration: Double = 0
}
