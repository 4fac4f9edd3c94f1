/// What a team has agreed on: which networks and devices, how much a check weighs, what is overlooked and until when.
package struct Policy: Hashable, Sendable {
  /// Something that is overlooked for a reason.
  package struct Suppression: Hashable, Sendable {
    /// The check's id.
    package var check: String
    /// The creative's result name, `*` for any characters; nil for all.
    package var creative: String?
    /// The finding's key, `*` for any characters; nil for all of the check's.
    package var key: String?
    package var reason: String
    /// The last day it holds: `2026-12-31`.
    package var expires: String?

    package init(check: String, creative: String? = nil, key: String? = nil, reason: String, expires: String? = nil) {
      self.check = check
      self.creative = creative
      self.key = key
      self.reason = reason
      self.expires = expires
    }
  }
  /// What a check's findings weigh by the policy.
  package enum Weight: Hashable, Sendable {
    /// Not judged at all.
    case off
    case severity(Severity)
  }

  /// An option of commands, which the project has for all of them.
  package struct Option: Hashable, Sendable {
    /// Without hyphens before it: `size`.
    package var name: String
    /// One for each time that it is said; `true` for a flag.
    package var values: [String]

    package init(name: String, values: [String]) { (self.name, self.values) = (name, values) }
  }

  /// What commands have unless a call says otherwise.
  package var options: [Option] = []
  /// Names of profiles; nil for the default.
  package var profiles: [String]?
  /// Paths of profiles of the team's own, relative to the policy.
  package var profileFiles: [String]
  /// Names of devices or paths of device files; empty for what the call says.
  package var devices: [String]
  /// The least that fails a run.
  package var failsOn: Severity
  /// By the check's id.
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

/// A name with `*` for any characters.
enum Pattern {
  /// Whether all of `text` is what `pattern` describes.
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
