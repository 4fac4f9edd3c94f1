internal import Core
internal import Jobs
internal import MRAID

extension Evidence {
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
