internal import Core
internal import RenderModel

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

extension CheckContext {
  /// A rule and the profile it belongs to.
  package struct ProfileRule: Sendable {
    package let profile: String
    package let rule: Profile.Rule
  }
  /// A profile's number for this creative's slot.
  package struct Limit: Hashable, Sendable {
    package let profile: String
    package let value: Double
    package let severity: Severity
  }

  /// What the chosen profiles say about a check.
  package func rules(for check: String) -> [ProfileRule] {
    profiles.flatMap { profile in
      profile.rules.filter { $0.check == check }.map { ProfileRule(profile: profile.id, rule: $0) }
    }
  }

  /// The numbers that the chosen profiles hold a check's measure against.
  package func limits(for check: String) -> [Limit] {
    rules(for: check).compactMap { entry in
      let bySize = slot.flatMap { entry.rule.sizes?[$0] }
      return (bySize ?? entry.rule.limit).map {
        Limit(profile: entry.profile, value: $0, severity: entry.rule.severity ?? .error)
      }
    }
  }

  /// `300x250`: the banner's slot, or the interstitial's screen.
  package var slot: String? {
    record.placement.map { "\($0.width.rounded().plain)x\($0.height.rounded().plain)" }
  }
}
