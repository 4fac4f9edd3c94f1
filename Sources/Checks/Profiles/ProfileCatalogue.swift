package import Core
package import Foundation

/// The networks' profiles by name.
package struct ProfileCatalogue: Sendable {
  /// In the order of the acceptance matrix.
  package let profiles: [Profile]
  /// What is judged by where nobody chose: the one that isn't a network's own.
  package static let defaultNames = ["iab"]

  /// Those that ship with Galley.
  package static let standard = ProfileCatalogue(
    profiles: [
      PackageResources.iab_json, PackageResources.initial_load_dom_json, PackageResources.initial_load_dom_second_json,
      PackageResources.initial_load_complete_json, PackageResources.google_ads_json, PackageResources.ad_manager_json,
      PackageResources.cm360_json, PackageResources.dv360_json, PackageResources.rich_media_json,
      PackageResources.amazon_json, PackageResources.app_campaigns_json, PackageResources.unity_json,
      PackageResources.applovin_json, PackageResources.ironsource_json, PackageResources.ironsource_exchange_json,
    ].map(read) + [ChromiumDifferenceChecks.profile])

  /// The profiles of these names, each once; `all` stands for every one.
  package func named(_ names: [String]) throws(Fault) -> [Profile] {
    var chosen: [Profile] = []
    for name in names where name != "all" {
      guard let profile = profiles.first(where: { $0.id == name }) else {
        let all = profiles.map(\.id)
        let hint = Suggestion.nearest(to: name, among: all).map { "did you mean \($0)?" }
        throw .request(
          "profile-unknown", "there is no profile '\(name)'; \(hint ?? "there are \(all.joined(separator: ", "))")")
      }
      if !chosen.contains(where: { $0.id == profile.id }) { chosen.append(profile) }
    }
    return names.contains("all") ? profiles : chosen
  }

  /// A profile of the caller's, in the form of those that ship with Galley; `name` is what failures call it.
  package static func read(_ data: Data, name: String) throws(Fault) -> Profile {
    let profile: Profile
    do {
      profile = try JSONDecoder().decode(Profile.self, from: data)
    } catch {
      throw .request("profile-invalid", "\(name) is no profile: \(words(error))")
    }
    guard !profile.id.isEmpty, profile.id.allSatisfy({ $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") })
    else { throw .request("profile-invalid", "\(name): id must be lower case with hyphens") }
    for rule in profile.rules {
      if let problem = problem(of: rule) { throw .request("profile-invalid", "\(name): \(problem)") }
    }
    return profile
  }

  /// What is wrong with a rule, nil when nothing is.
  package static func problem(of rule: Profile.Rule) -> String? {
    guard let check = Check.named(rule.check) else {
      let hint = RetiredChecks.suggestion(for: rule.check)
      return "there is no check '\(rule.check)'" + (hint.map { "; did you mean \($0)?" } ?? "")
    }
    guard rule.source.url.contains(":") else { return "the rule for \(rule.check) has no source" }
    let numbers = (rule.sizes.map { Array($0.values) } ?? []) + (rule.limit.map { [$0] } ?? [])
    if numbers.contains(where: { $0 < 0 }) { return "a limit for \(rule.check) is below 0" }
    if check.takesLimit, numbers.isEmpty { return "the rule for \(rule.check) has neither limit nor sizes" }
    if !check.takesLimit, !numbers.isEmpty { return "\(rule.check) takes no limit" }
    return nil
  }

  /// Reads a profile compiled into the program; tests hold them to be readable.
  private static func read(_ bytes: [UInt8]) -> Profile {
    do {
      return try JSONDecoder().decode(Profile.self, from: Data(bytes))
    } catch {
      preconditionFailure("a profile: \(error)")
    }
  }

  private static func words(_ error: any Error) -> String {
    let path = { (context: DecodingError.Context) in context.codingPath.map(\.stringValue).joined(separator: ".") }
    return switch error {
    case DecodingError.keyNotFound(let key, let context):
      "\(([path(context)].filter { !$0.isEmpty } + [key.stringValue]).joined(separator: ".")) is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\(path(context)) is of the wrong kind"
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      "\(path(context)) has a value that isn't known"
    default: "not readable as JSON"
    }
  }
}
