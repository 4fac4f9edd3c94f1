/// What one network accepts: rules as data, each with its source.
package struct Profile: Hashable, Sendable, Codable {
  /// What the network says about one check.
  package struct Rule: Hashable, Sendable, Codable {
    /// The id of the check that measures it.
    package var check: String
    /// The most that is accepted, in the check's unit; absent where the check isn't about a number.
    package var limit: Double?
    /// Limits that go by the slot: `300x250`.
    package var sizes: [String: Double]?
    /// What is accepted all the same: hosts, as a rule.
    package var except: [String]?
    /// What a finding weighs; error unless said.
    package var severity: Severity?
    /// The network's rule in words of ours.
    package var note: String
    package var source: Citation

    package init(
      check: String, limit: Double? = nil, sizes: [String: Double]? = nil, except: [String]? = nil,
      severity: Severity? = nil, note: String, source: Citation
    ) {
      self.check = check
      self.limit = limit
      self.sizes = sizes
      self.except = except
      self.severity = severity
      self.note = note
      self.source = source
    }
  }

  /// Lower case with hyphens: `google-ads`.
  package var id: String
  /// The network's name.
  package var title: String
  package var rules: [Rule]

  package init(id: String, title: String, rules: [Rule]) {
    self.id = id
    self.title = title
    self.rules = rules
  }
}
