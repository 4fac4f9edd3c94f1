internal import FoundationEssentials
internal import Jobs

/// Whether nobody is there to look at what would be recorded.
enum ContinuousIntegration {
  /// By the variable that every service sets.
  static func isOn(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
    !["", "0", "false"].contains(environment["CI", default: ""].lowercased())
  }

  /// Refuses to change baselines unless it was asked for in so many words.
  static func check(_ command: String, isMeant: Bool) throws(Fault) {
    guard isOn(), !isMeant else { return }
    throw .request(
      "baseline-in-ci", "'baseline \(command)' changes baselines, and CI is set: verify here, or say --in-ci")
  }
}
