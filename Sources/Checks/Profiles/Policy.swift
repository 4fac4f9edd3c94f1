/// Agreements of a team: networks and devices, severities of checks, and findings suppressed until a day.
package struct Policy: Hashable, Sendable {
  /// A finding that is ignored for a reason.
  package struct Suppression: Hashable, Sendable {
    /// Id of the check.
    package var check: String
    /// Name of the creative's result, with `*` for any characters; nil for all.
    package var creative: String?
    /// Key of the finding, with `*` for any characters; nil for all of the check's.
    package var key: String?
    package var reason: String
    /// Last day on which it is valid, as `2026-12-31`.
    package var expires: String?

    package init(check: String, creative: String? = nil, key: String? = nil, reason: String, expires: String? = nil) {
      self.check = check
      self.creative = creative
      self.key = key
      self.reason = reason
      self.expires = expires
    }
  }
  /// Severity of a check's findings by the policy.
  package enum Weight: Hashable, Sendable {
    /// The check isn't run.
    case off
    case severity(Severity)
  }

  /// An option that the project sets for all commands.
  package struct Option: Hashable, Sendable {
    /// Name without leading hyphens, as `size`.
    package var name: String
    /// Values, one for each occurrence of the option; `true` for a flag.
    package var values: [String]

    package init(name: String, values: [String]) { (self.name, self.values) = (name, values) }
  }

  /// Default options of commands, which a call can override.
  package var options: [Option] = []
  /// Names of profiles; nil for the default.
  package var profiles: [String]?
  /// Paths of the team's own profiles, relative to the policy.
  package var profileFiles: [String]
  /// Names of devices or paths of device files; empty if the call chooses them.
  package var devices: [String]
  /// Lowest severity that fails a run.
  package var failsOn: Severity
  /// Indicates if a profile's rule that wasn't tried fails a creative.
  package var isStrict = false
  /// Severities by the check's id.
  package var weights: [String: Weight]
  package var suppressions: [Suppression]

  package init(
    profiles: [String]? = nil, profileFiles: [String] = [], devices: [String] = [], failsOn: Severity = .error,
    weights: [String: Weight] = [:], suppressions: [Suppression] = []
  ) {
    self.profiles = profiles
    self.profileFiles = profileFiles
    self.devices = devices
    self.failsOn = failsOn
    self.weights = weights
    self.suppressions = suppressions
  }
}

/// Name with `*` for any characters.
enum Pattern {
  /// Indicates if `pattern` matches all of `text`.
  static func matches(_ pattern: String, _ text: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else { return pattern == text }
    guard text.hasPrefix(first) else { return false }
    var rest = text.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}
