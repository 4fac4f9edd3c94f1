internal import Core

extension CreativeReport {
  /// Id that reports use for the render itself in the place of a check's.
  package static let renderID = "render"

  /// A check whose answer doesn't count, as the case that it asks for wasn't tried.
  package struct NotTried: Hashable, Sendable, Codable {
    /// Id of the check, or `render` for the render itself.
    package var check: String
    /// Preconditions that aren't met; what must be provided first comes first.
    package var needs: [Precondition]
    /// Fact that is missing and the means to provide it, for the first precondition.
    package var reason: String

    package init(check: String, needs: Set<Precondition>) {
      self.check = check
      self.needs = needs.sorted()
      reason = self.needs.first?.text ?? ""
    }
  }

  /// A row of the acceptance matrix.
  package struct Acceptance: Hashable, Sendable {
    /// Answer of a network.
    package enum Verdict: String, Sendable, Codable, CaseIterable {
      /// All rules were tried and kept.
      case accepted
      case refused
      /// No rule is broken, but not all of them were tried.
      case notTried
    }

    package var profile: String
    /// Ids of the checks that refuse it, in the catalogue's order.
    package var refusedBy: [String]
    /// Rules of the profile that weren't tried.
    package var notTried: [NotTried]
    /// Reason why the network has to accept a playable's build; nil if its answer is information, and for other checks.
    package var asked: Asked?

    package init(profile: String, refusedBy: [String] = [], notTried: [NotTried] = []) {
      self.profile = profile
      self.refusedBy = refusedBy
      self.notTried = notTried
    }
  }
}

extension CreativeReport {
  /// Returns the rows of the networks with one of the answers; of a playable's build, those that have to accept it.
  package func rows(_ verdict: Acceptance.Verdict) -> [Acceptance] {
    acceptance.filter { $0.verdict == verdict && (build == nil || $0.asked != nil) }
  }
}

extension CreativeReport.Acceptance {
  package var verdict: Verdict {
    if !refusedBy.isEmpty { return .refused }
    return notTried.isEmpty ? .accepted : .notTried
  }

  /// Rules that weren't tried, grouped by the reason: `covered-close, dead-tap (the ad wasn't explored; use …)`.
  package var notTriedText: String {
    var reasons: [String] = []
    for rule in notTried where !reasons.contains(rule.reason) { reasons.append(rule.reason) }
    return reasons.map { reason in
      notTried.filter { $0.reason == reason }.map(\.check).joined(separator: ", ") + " (\(reason))"
    }.joined(separator: ", ")
  }
}

extension CreativeReport.Acceptance: Codable {
  private enum CodingKeys: CodingKey { case profile, accepted, verdict, refusedBy, notTried, asked }

  /// Reads a row; reports of older versions have no `notTried`.
  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      profile: try members.decode(String.self, forKey: .profile),
      refusedBy: try members.decode([String].self, forKey: .refusedBy),
      notTried: try members.decodeIfPresent([CreativeReport.NotTried].self, forKey: .notTried) ?? [])
    asked = try members.decodeIfPresent(Asked.self, forKey: .asked)
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(profile, forKey: .profile)
    try members.encode(verdict == .accepted, forKey: .accepted)
    try members.encode(verdict, forKey: .verdict)
    try members.encode(refusedBy, forKey: .refusedBy)
    try members.encode(notTried, forKey: .notTried)
    try members.encodeIfPresent(asked, forKey: .asked)
  }
}
