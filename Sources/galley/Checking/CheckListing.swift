internal import Checks

/// A check as `galley checks --json` has it, with every network's rule for it.
struct CheckListing: Encodable {
  struct Rule: Encodable {
    let profile: String
    let limit: Double?
    let sizes: [String: Double]?
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
  /// Whether it judges only by these rules.
  let needsProfile: Bool
  let rules: [Rule]

  init(_ check: Check) {
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
        Rule(profile: profile.id, limit: $0.limit, sizes: $0.sizes, note: $0.note, source: $0.source)
      }
    }
  }
}
