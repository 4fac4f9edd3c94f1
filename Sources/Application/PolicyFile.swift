package import Checks
package import Core
internal import Foundation
internal import Glibc
internal import RenderModel
internal import Synchronization

/// A policy on disk, and the profiles it and the call ask for.
package struct PolicyFile {
  package let policy: Policy
  /// The file as failures call it.
  package let name: String
  /// The folder that paths in it start from.
  package let folder: String

  /// The policy named, else the one beside the creatives, else none.
  package init(named path: String?, creatives: [String]) throws(Fault) {
    let own = path == nil ? try Self.beside(creatives) : nil
    guard let path = path ?? own else {
      (policy, folder, name) = (Policy(), ".", StarterPolicy.fileName)
      return
    }
    let bytes = try Self.policyBytes(path, isNamed: own == nil)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .request("policy-missing", "can't read the policy \(path): it is no UTF-8 text")
    }
    let here = FileManager.default.currentDirectoryPath + "/"
    name = path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
    policy = try PolicyParser.parse(text, source: path)
    folder = URL(filePath: path).deletingLastPathComponent().path
  }

  /// The profiles to judge by: the call's, else the policy's, else the default.
  package func profiles(asked: [String]?) throws(Fault) -> [Profile] {
    let names = asked ?? policy.profiles ?? ProfileCatalogue.defaultNames
    let own = asked == nil ? policy.profileFiles.map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" } : []
    var chosen = try ProfileCatalogue.standard.named(names.filter { !$0.hasSuffix(".json") })
    for path in names.filter({ $0.hasSuffix(".json") }) + own {
      let bytes = try Self.bytes(path, "profile", isNamed: !own.contains(path), most: Self.largestProfile)
      let profile = try ProfileCatalogue.read(Data(bytes), name: path)
      guard !chosen.contains(where: { $0.id == profile.id }) else {
        throw .request("profile-duplicate", "\(path): there is a profile '\(profile.id)' already")
      }
      chosen.append(profile)
    }
    return chosen
  }

  /// What came out of pipes, by path: a call looks at its policy twice, and a pipe has it once.
  private static let piped = Mutex<[String: [UInt8]]>([:])

  private static func policyBytes(_ path: String, isNamed: Bool) throws(Fault) -> [UInt8] {
    if let known = piped.withLock({ $0[path] }) { return known }
    let read = try bytes(path, "policy", isNamed: isNamed, most: YAMLDocument.maximumBytes)
    var facts = stat()
    if stat(path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG { piped.withLock { $0[path] = read } }
    return read
  }

  /// Bytes a profile may have.
  private static let largestProfile = 1 << 20

  /// Reads what the call names, be it a pipe, and of what lies beside creatives files alone.
  private static func bytes(_ path: String, _ what: String, isNamed: Bool, most: Int) throws(Fault) -> [UInt8] {
    do throws(FileReadingError) {
      return try isNamed ? FileReading.named(path, most: most) : FileReading.regular(path, most: most)
    } catch {
      throw .request("\(what)-missing", "can't read the \(what) \(path): \(error)")
    }
  }

  /// In a creative's own folder, or in the one it lies in; two that differ are for the caller to choose from.
  private static func beside(_ creatives: [String]) throws(Fault) -> String? {
    var found: [String] = []
    for creative in creatives where creative != "-" && !creative.contains("://") {
      let url = URL(filePath: creative).standardizedFileURL
      let candidates = [url, url.deletingLastPathComponent()].map { $0.appending(path: StarterPolicy.fileName).path }
      if let path = candidates.first(where: FileManager.default.fileExists), !found.contains(path) {
        found.append(path)
      }
    }
    guard found.count < 2 else {
      throw .request("policy-ambiguous", "\(found[0]) and \(found[1]) both apply; name one with --policy")
    }
    return found.first
  }
}
