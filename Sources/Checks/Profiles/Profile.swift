package import Core
internal import RenderModel

/// Acceptance rules of one network as data, each with its source.
package struct Profile: Hashable, Sendable, Codable {
  /// Requirement of the network for one check.
  package struct Rule: Hashable, Sendable, Codable {
    /// Id of the check that measures it.
    package var check: String
    /// Maximum in the check's unit; absent if the check isn't about a number.
    package var limit: Double?
    /// Limits by the size of the slot, as `300x250`.
    package var sizes: [String: Double]?
    /// Exceptions that are accepted, usually hosts.
    package var except: [String]?
    /// Limits by the kind of package, as `html` or `zip`.
    package var packageLimits: [String: Double]?
    /// Kinds of package that the network takes, as `html` or `zip`.
    package var packages: [String]?
    /// Calls of the network's interface that the ad makes, as `FbPlayableAd.onCTAClick`.
    package var calls: [String]?
    /// Calls or texts of code that the network refuses.
    package var refuses: [String]?
    /// File names of the scripts, in lower case, of which the page requests one to get the network's interface.
    package var scripts: [String]?
    /// Calls that the ad makes without a touch, once it has loaded.
    package var atLoad: [String]?
    /// Calls in the order in which the ad makes them.
    package var order: [String]?
    /// Functions of the page that the network calls.
    package var answers: [String]?
    /// Paths of files that the package contains; `a|b` for either, `{name}` for the package's name without its ending.
    package var files: [String]?
    /// Members of a JSON file, with their allowed values; none for any value.
    package var members: [String: [JSONValue]]?
    /// Characters of which names of files consist.
    package var names: FileNames?
    /// Number of folders, one in another, in which a file may be.
    package var depth: Int?
    /// Year of the newest edition of ECMAScript whose syntax every runtime of the network reads; 2009 is ES5.
    package var edition: Int?
    /// Severity of a finding; error if absent.
    package var severity: Severity?
    /// Network's rule in Galley's own words.
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

  /// Profiles that are chosen by one name, `all-` and the group's.
  package enum Group: String, Hashable, Sendable, Codable, CaseIterable {
    case playables

    /// Name that chooses all profiles of the group.
    package var name: String { "all-\(rawValue)" }
  }

  /// Id in lower case with hyphens, as `google-ads`.
  package var id: String
  /// Name of the network.
  package var title: String
  /// Group that the profile belongs to; nil for none.
  package var group: Group?
  /// Name of the container that the rules are tried in; nil if any container will do.
  package var container: String?
  package var rules: [Rule]

  package init(id: String, title: String, group: Group? = nil, container: String? = nil, rules: [Rule]) {
    (self.id, self.title, self.group, self.container, self.rules) = (id, title, group, container, rules)
  }

  /// Returns the container that all of these profiles agree on; nil if there is none, or more than one.
  ///
  /// Profiles without a container agree with every container.
  package static func container(of profiles: [Profile]) -> String? {
    let named = Set(profiles.compactMap(\.container))
    return named.count == 1 ? named.first : nil
  }
}

/// Characters of which names of files consist.
package enum FileNames: String, Hashable, Sendable, Codable, CaseIterable {
  /// Characters of ASCII.
  case ascii
  /// Letters of ASCII, digits and underscores.
  case word

  /// Indicates if a file's name, without its folders and its ending, has only these characters.
  func allow(_ name: Substring) -> Bool {
    name.allSatisfy { $0.isASCII && (self == .ascii || $0.isLetter || $0.isNumber || $0 == "_") }
  }
}

extension CheckContext {
  /// A rule and the profile that it belongs to.
  package struct ProfileRule: Sendable {
    package let profile: String
    package let rule: Profile.Rule
  }
  /// A profile's limit for this creative's slot.
  package struct Limit: Hashable, Sendable {
    package let profile: String
    package let value: Double
    package let severity: Severity
  }

  /// Returns the rules of the chosen profiles for a check.
  package func rules(for check: String) -> [ProfileRule] {
    profiles.flatMap { profile in
      profile.rules.filter { $0.check == check }.map { ProfileRule(profile: profile.id, rule: $0) }
    }
  }

  /// Returns the limits of the chosen profiles for a check's measure.
  package func limits(for check: String) -> [Limit] {
    rules(for: check).compactMap { entry in
      let bySize = slot.flatMap { entry.rule.sizes?[$0] }
      let byPackage = inventory.flatMap { entry.rule.packageLimits?[$0.packageKind] }
      return (bySize ?? byPackage ?? entry.rule.limit).map {
        Limit(profile: entry.profile, value: $0, severity: entry.rule.severity ?? .error)
      }
    }
  }

  /// Size of the banner's slot, or of the interstitial's screen, as `300x250`.
  package var slot: String? {
    record.placement.map { "\($0.width.rounded().plain)x\($0.height.rounded().plain)" }
  }
}
