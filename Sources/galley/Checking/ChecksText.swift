internal import Checks
internal import Jobs

/// The checks for people.
enum ChecksText {
  /// The check of an id, or a fault that says what was probably meant.
  static func check(_ id: String) throws(Fault) -> Check {
    if let check = Check.named(id) { return check }
    let hint = Suggestion.nearest(to: id, among: Check.all.map(\.id)).map { "did you mean \($0)?" }
    throw .request("unknown-check", "there is no check '\(id)'; \(hint ?? "'galley checks' lists them")")
  }

  /// A line for each check, family by family.
  static var table: String {
    let width = Check.all.map(\.id.count).max() ?? 0
    return CheckFamily.allCases.map { family in
      let checks = Check.all.filter { $0.family == family }
      guard !checks.isEmpty else { return "" }
      return "\(family.words)\n"
        + checks.map { check in
          let severity = check.needsProfile ? "profile" : check.severity.rawValue
          return "  \(check.id.padded(to: width))  \(severity.padded(to: 7))  \(check.title)\n"
        }.joined()
    }.joined() + "\n\(Check.all.count) checks; 'profile' means that networks' numbers decide\n"
  }

  /// All about one check.
  static func explanation(_ check: Check) -> String {
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
  /// Title, address and date.
  fileprivate var line: String { "\(title), \(url)\(date.map { " (\($0))" } ?? "")" }
}

extension CheckFamily {
  /// For people.
  var words: String {
    switch self {
    case .mraid: "MRAID"
    case .heavyAd: "heavy ad"
    default: rawValue
    }
  }
}
