internal import Checks
internal import Foundation
internal import Jobs

/// A policy on disk, and the profiles it and the call ask for.
struct PolicyFile {
  static let name = "galley.yaml"

  let policy: Policy
  /// The folder that paths in it start from.
  let folder: String

  /// The policy named, else the one beside the creatives, else none.
  init(named path: String?, creatives: [String]) throws(Fault) {
    let own = path == nil ? try Self.beside(creatives) : nil
    guard let path = path ?? own else {
      (policy, folder) = (Policy(), ".")
      return
    }
    guard let data = FileManager.default.contents(atPath: path), let text = String(data: data, encoding: .utf8) else {
      throw .request("policy-missing", "can't read the policy \(path)")
    }
    policy = try PolicyParser.parse(text, source: path)
    folder = URL(filePath: path).deletingLastPathComponent().path
  }

  /// The profiles to judge by: the call's, else the policy's, else the default.
  func profiles(asked: [String]?) throws(Fault) -> [Profile] {
    let names = asked ?? policy.profiles ?? ProfileCatalogue.defaultNames
    let own = asked == nil ? policy.profileFiles.map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" } : []
    var chosen = try ProfileCatalogue.standard.named(names.filter { !$0.hasSuffix(".json") })
    for path in names.filter({ $0.hasSuffix(".json") }) + own {
      guard let data = FileManager.default.contents(atPath: path) else {
        throw .request("profile-missing", "can't read the profile \(path)")
      }
      let profile = try ProfileCatalogue.read(data, name: path)
      guard !chosen.contains(where: { $0.id == profile.id }) else {
        throw .request("profile-twice", "\(path): there is a profile '\(profile.id)' already")
      }
      chosen.append(profile)
    }
    return chosen
  }

  /// In a creative's own folder, or in the one it lies in; two that differ are for the caller to choose from.
  private static func beside(_ creatives: [String]) throws(Fault) -> String? {
    var found: [String] = []
    for creative in creatives where creative != "-" && !creative.contains("://") {
      let url = URL(filePath: creative).standardizedFileURL
      let candidates = [url, url.deletingLastPathComponent()].map { $0.appending(path: name).path }
      if let path = candidates.first(where: FileManager.default.fileExists), !found.contains(path) {
        found.append(path)
      }
    }
    guard found.count < 2 else {
      throw .request("policy-twice", "\(found[0]) and \(found[1]) both apply; name one with --policy")
    }
    return found.first
  }
}
