/// Networks whose rules one render of a playable's build answers.
package struct PlayableTrial: Hashable, Sendable {
  /// Name of the build, which is rendered once in each host.
  package let build: String
  /// Networks of the render's host, in the order of the matrix.
  package let profiles: [Profile]
  /// Networks that have to accept the build, by id; the answers of others are information.
  package let asked: [String: CreativeReport.Acceptance.Asked]

  /// Makes a trial; of the asked networks those of this host count.
  package init(build: String, profiles: [Profile], asked: [String: CreativeReport.Acceptance.Asked]) {
    (self.build, self.profiles) = (build, profiles)
    self.asked = asked.filter { id, _ in profiles.contains { $0.id == id } }
  }

  /// Indicates if a finding matters to a network that has to accept the build.
  func counts(_ finding: Finding) -> Bool {
    finding.profiles.isEmpty ? !asked.isEmpty : finding.profiles.contains { asked[$0] != nil }
  }

  /// Returns a finding as it is reported: a note if it matters to no network that has to accept the build.
  func reported(_ finding: Finding) -> Finding {
    guard !counts(finding) else { return finding }
    var finding = finding
    finding.severity = .note
    return finding
  }
}

extension CreativeReport.Acceptance {
  /// Reason why a network has to accept a playable's build.
  package enum Asked: String, Hashable, Sendable, Codable, CaseIterable {
    /// The build's file or folder is named after the network.
    case name
    /// The build's code calls the network's interface.
    case code
    /// The call chose the network, and neither name nor code tells whose the build is.
    case choice
  }
}

/// Choice of the networks that have to accept a playable's build.
package struct PlayableAsk: Sendable {
  /// Names of the build's file and of its folder, the nearest first.
  private let names: [String]
  /// Containers to whose interfaces the code speaks.
  private let containers: Set<String>
  /// Indicates if the code speaks MRAID, which is for all networks without an interface of their own.
  private let usesMRAID: Bool

  package init(names: [String], containers: Set<String> = [], usesMRAID: Bool = false) {
    (self.names, self.containers, self.usesMRAID) = (names, containers, usesMRAID)
  }

  /// Returns the networks among the chosen ones that have to accept the build, by id.
  ///
  /// A name decides before the code. The name of a network that wasn't chosen leaves none to ask.
  package func asked(
    among chosen: [Profile], known: [Profile] = ProfileCatalogue.standard.profiles
  ) -> [String: CreativeReport.Acceptance.Asked] {
    let ids = Set((chosen + known.filter { $0.group == .playables }).map(\.id))
    if let named = names.lazy.map({ Self.networks(in: $0, among: ids) }).first(where: { !$0.isEmpty }) {
      return Self.asked(chosen.filter { named.contains($0.id) }, .name)
    }
    let spoken = chosen.filter { profile in profile.container.map(containers.contains) ?? usesMRAID }
    return spoken.isEmpty ? Self.asked(chosen, .choice) : Self.asked(spoken, .code)
  }

  private static func asked(
    _ profiles: [Profile], _ reason: CreativeReport.Acceptance.Asked
  ) -> [String: CreativeReport.Acceptance.Asked] {
    Dictionary(profiles.map { ($0.id, reason) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the ids whose words stand in a name, without those that are part of a longer one.
  private static func networks(in name: String, among ids: Set<String>) -> Set<String> {
    let words = " \(Self.words(of: name)) "
    let found = ids.filter { words.contains(" \(Self.words(of: $0)) ") }
    return found.filter { id in
      !found.contains { $0 != id && " \(Self.words(of: $0)) ".contains(" \(Self.words(of: id)) ") }
    }
  }

  /// Returns the words of a name in lower case, with one space between them.
  private static func words(of name: String) -> String {
    name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
  }
}
