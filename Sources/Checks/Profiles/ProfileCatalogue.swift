package import Core
package import Foundation
internal import MRAID

/// Profiles of the networks by name.
package struct ProfileCatalogue: Sendable {
  /// Profiles in the order of the acceptance matrix.
  package let profiles: [Profile]
  /// Profiles that apply if none was chosen: the one that belongs to no single network.
  package static let defaultNames = ["iab"]

  /// Profiles that are part of Galley.
  package static let standard = ProfileCatalogue(
    profiles: [
      PackageResources.iab_json, PackageResources.initial_load_dom_json, PackageResources.initial_load_dom_second_json,
      PackageResources.initial_load_complete_json, PackageResources.google_ads_json, PackageResources.ad_manager_json,
      PackageResources.cm360_json, PackageResources.dv360_json, PackageResources.rich_media_json,
      PackageResources.amazon_json, PackageResources.app_campaigns_json, PackageResources.unity_json,
      PackageResources.applovin_json, PackageResources.ironsource_json, PackageResources.ironsource_exchange_json,
      PackageResources.meta_json, PackageResources.mintegral_json, PackageResources.tiktok_json,
      PackageResources.pangle_json, PackageResources.vungle_json, PackageResources.liftoff_json,
      PackageResources.moloco_json, PackageResources.tapjoy_json, PackageResources.snapchat_json,
      PackageResources.smadex_json, PackageResources.nucleo_json, PackageResources.inmobi_json,
      PackageResources.bigo_json, PackageResources.mytarget_json, PackageResources.chartboost_json,
      PackageResources.kwai_json, PackageResources.appreciate_json,
    ].map(read) + [ChromiumDifferenceChecks.profile])

  /// Returns the profiles with these names, each once; `all` stands for every profile, a group's name for the group.
  package func named(_ names: [String]) throws(Fault) -> [Profile] {
    var chosen: [Profile] = []
    for name in names where name != Self.all {
      for profile in try profiles(named: name) where !chosen.contains(where: { $0.id == profile.id }) {
        chosen.append(profile)
      }
    }
    return names.contains(Self.all) ? profiles : chosen
  }

  /// Names that stand for several profiles.
  package static let collectiveNames = [all] + Profile.Group.allCases.map(\.name)

  private static let all = "all"

  private func profiles(named name: String) throws(Fault) -> [Profile] {
    if let group = Profile.Group.allCases.first(where: { $0.name == name }) {
      return profiles.filter { $0.group == group }
    }
    if let profile = profiles.first(where: { $0.id == name }) { return [profile] }
    let known = profiles.map(\.id) + Self.collectiveNames
    let hint = Suggestion.nearest(to: name, among: known).map { "did you mean \($0)?" }
    throw .request(
      "profile-unknown", "there is no profile '\(name)'; \(hint ?? "there are \(known.joined(separator: ", "))")")
  }

  /// Reads a caller's own profile, in the format of Galley's; `name` is its name in messages.
  package static func read(_ data: Data, name: String) throws(Fault) -> Profile {
    let profile: Profile
    do {
      profile = try JSONDecoder().decode(Profile.self, from: data)
    } catch {
      throw .request("profile-invalid", "\(name) isn't a profile: \(words(error))")
    }
    guard !profile.id.isEmpty, profile.id.allSatisfy({ $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") })
    else { throw .request("profile-invalid", "\(name): id must be lower case with hyphens") }
    if let container = profile.container, ContainerCatalogue.standard.container(named: container) == nil {
      let hint = Suggestion.hint(for: container, among: ContainerCatalogue.standard.containers.map(\.name))
      throw .request("profile-invalid", "\(name): there is no container '\(container)'\(hint)")
    }
    for rule in profile.rules {
      if let problem = problem(of: rule) { throw .request("profile-invalid", "\(name): \(problem)") }
    }
    return profile
  }

  /// Returns the problem of a rule; nil if it is valid.
  package static func problem(of rule: Profile.Rule) -> String? {
    guard let check = Check.named(rule.check) else {
      let hint = RetiredChecks.suggestion(for: rule.check)
      return "there is no check '\(rule.check)'" + (hint.map { "; did you mean \($0)?" } ?? "")
    }
    guard rule.source.url.contains(":") else { return "the rule for \(rule.check) has no source" }
    let tables = [rule.sizes, rule.packageLimits].compactMap { $0.map { Array($0.values) } }.flatMap(\.self)
    let numbers = tables + (rule.limit.map { [$0] } ?? [])
    if numbers.contains(where: { $0 < 0 }) { return "a limit for \(rule.check) is below 0" }
    if check.takesLimit, numbers.isEmpty { return "the rule for \(rule.check) has neither limit nor sizes" }
    if !check.takesLimit, !numbers.isEmpty { return "\(rule.check) takes no limit" }
    return rule.problemOfParameters
  }

  /// Decodes a profile compiled into the program; tests make sure that it can be read.
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
      "\(path(context)) has the wrong type"
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      "\(path(context)) has an unknown value"
    default: "it isn't valid JSON"
    }
  }
}
