package import Checks
package import Core

/// Checks as readable text.
package enum ChecksText {
  /// Returns the check with an id, or throws a fault that suggests the nearest id.
  package static func check(_ id: String) throws(Fault) -> Check {
    if let check = Check.named(id) { return check }
    let hint = RetiredChecks.suggestion(for: id).map { "did you mean \($0)?" }
    throw .request("check-unknown", "there is no check '\(id)'; \(hint ?? "'galley checks' lists them")")
  }

  /// Table with one line for each check, grouped by family.
  package static var table: String {
    let width = Check.all.map(\.id.count).max() ?? 0
    return CheckFamily.allCases.map { family in
      let checks = Check.all.filter { $0.family == family }
      guard !checks.isEmpty else { return "" }
      return "\(family.words)\n"
        + checks.map { check in
          let severity = check.needsProfile ? "profile" : check.severity.rawValue
          return "  \(check.id.padded(to: width))  \(severity.padded(to: 7))  \(check.title)\n"
        }.joined()
    }.joined() + "\n\(Check.all.count) checks; 'profile': the rules of the profile set the severity\n"
  }

  /// Returns the full description of one check.
  package static func explanation(_ check: Check) -> String {
    let listing = CheckListing(check)
    let rules = listing.rules.map { "  \($0.profile): \($0.note)\n    \($0.source.line)\n" }.joined()
    return """
      \(check.id): \(check.title)
      \(check.family.words), \(check.needsProfile ? "by the profiles' rules" : check.severity.rawValue)

      Why     \(check.why)
      Remedy  \(check.remedy)
      Source  \(check.source.line)

      """ + (rules.isEmpty ? "\n" : "\nNetworks\n" + rules)
  }
}

extension Citation {
  /// Title, URL and date of the source.
  fileprivate var line: String { "\(title), \(url)\(date.map { " (\($0))" } ?? "")" }
}

extension CheckFamily {
  /// Family in readable words.
  var words: String {
    switch self {
    case .mraid: "MRAID"
    case .heavyAd: "heavy ad"
    case .chromiumDiffers: "Chromium differs"
    default: rawValue
    }
  }
}

/// Check as in `galley checks --json`, with the rule of every network for it.
package struct CheckListing: Encodable {
  struct Rule: Encodable {
    let profile: String
    let limit: Double?
    let sizes: [String: Double]?
    let packageLimits: [String: Double]?
    let note: String
    let source: Citation
  }

  let id: String
  let family: CheckFamily
  let severity: Severity
  let title: String
  let why: String
  let remedy: String
  let source: Citation
  /// Indicates if the check judges only by these rules.
  let needsProfile: Bool
  let rules: [Rule]

  package init(_ check: Check) {
    id = check.id
    family = check.family
    severity = check.severity
    title = check.title
    why = check.why
    remedy = check.remedy
    source = check.source
    needsProfile = check.needsProfile
    rules = ProfileCatalogue.standard.profiles.flatMap { profile in
      profile.rules.filter { $0.check == check.id }.map {
        Rule(
          profile: profile.id, limit: $0.limit, sizes: $0.sizes, packageLimits: $0.packageLimits, note: $0.note,
          source: $0.source)
      }
    }
  }
}
