/// One assertion's outcome, as `galley selftest --json` lists it.
package struct AssertionRow: Hashable, Sendable, Codable {
  /// The section's number.
  package var section: Int
  package var rule: String
  package var creative: String
  /// What was asserted.
  package var assertion: String
  package var passed: Bool
  /// What was expected and found, or why there is no answer; nil when it passed.
  package var message: String?

  package init(
    section: Int, rule: String, creative: String, assertion: String, passed: Bool, message: String? = nil
  ) {
    self.section = section
    self.rule = rule
    self.creative = creative
    self.assertion = assertion
    self.passed = passed
    self.message = message
  }
}
