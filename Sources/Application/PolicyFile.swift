package import Checks
package import Core
internal import Foundation
internal import Glibc
internal import RenderModel
internal import Synchronization

/// Policy on disk, and the profiles that it and the call request.
package struct PolicyFile {
  package let policy: Policy
  /// Name of the file in error messages.
  package let name: String
  /// Folder that paths in the file are relative to.
  package let folder: String
  /// Path of the file as in reports, and its origin: named, found or none.
  package let source: PolicySource
  /// Policy files that were ignored because they lie in creatives.
  private let passed: [String]

  /// Reads the named policy, or the project's file, or else uses the defaults.
  ///
  /// - Parameter searches: true if the call looks for creatives in folders.
  package init(named path: String?, creatives: [String], searches: Bool = false) throws(Fault) {
    let search = path == nil ? try ProjectSearch(creatives, searches: searches) : nil
    passed = search?.passed.map(Self.shown) ?? []
    guard let path = path ?? search?.file else {
      (policy, folder, name, source) = (Policy(), ".", StarterPolicy.fileName, .none)
      return
    }
    let bytes = try Self.policyBytes(path, isNamed: search == nil)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .request("policy-missing", "can't read the policy \(path.printable): it isn't UTF-8 text")
    }
    name = Self.shown(path)
    source = PolicySource(source: search == nil ? .named : .found, path: name, sha256: SHA256.of(bytes).hex)
    policy = try PolicyParser.parse(text, source: path)
    folder = URL(filePath: path).deletingLastPathComponent().path
  }

  /// Returns a path as printed: relative to the working folder if it lies below.
  private static func shown(_ path: String) -> String {
    let here = AbsolutePath.resolved(".") + "/"
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }

  /// Remark on policy files that lie in creatives and are ignored; nil if there are none.
  package var remark: String? {
    guard let first = passed.first else { return nil }
    let more = passed.count > 1 ? " and \(passed.count - 1) more" : ""
    return "ignored: \(first)\(more), because it lies with a creative; to use it, name it with --policy".printable
  }

  /// Returns a path value of the file, resolved against its folder.
  /// - Throws: `policy-option-refused` if the file was found, not named, and the path leads out of its folder.
  package func located(_ value: String, _ what: String) throws(Fault) -> String {
    if source.source == .found, value.hasPrefix("/") || value.split(separator: "/").contains("..") {
      throw refusal("\(what) is outside its folder")
    }
    return value.hasPrefix("/") ? value : "\(folder)/\(value)"
  }

  /// Returns the fault for an option that is allowed only in a file that the call names.
  package func refusal(_ reason: String) -> Fault {
    .request(
      "policy-option-refused",
      "\(name): \(reason), which is allowed only with --policy \(ShellWord.quoted(name))".printable)
  }

  /// Returns the profiles to judge by: the call's, else the policy's, else the default.
  package func profiles(asked: [String]?) throws(Fault) -> [Profile] {
    let names = asked ?? policy.profiles ?? ProfileCatalogue.defaultNames
    let own = try asked == nil ? ownProfiles() : []
    var chosen = try ProfileCatalogue.standard.named(names.filter { !$0.hasSuffix(".json") })
    for path in (asked ?? []).filter({ $0.hasSuffix(".json") }) + own {
      let bytes = try Self.bytes(path, "profile", isNamed: !own.contains(path), most: Self.largestProfile)
      let profile = try ProfileCatalogue.read(Data(bytes), name: path)
      guard !chosen.contains(where: { $0.id == profile.id }) else {
        throw .request("profile-duplicate", "\(path): a profile '\(profile.id)' already exists")
      }
      chosen.append(profile)
    }
    return chosen
  }

  /// Returns the paths of the policy's profiles; those among the names are relative to the working folder.
  private func ownProfiles() throws(Fault) -> [String] {
    let named = (policy.profiles ?? []).filter { $0.hasSuffix(".json") }
    var paths: [String] = []
    for value in named + policy.profileFiles { paths.append(try located(value, "the profile \(value)")) }
    return named + paths.dropFirst(named.count)
  }

  /// Contents of pipes by path: a call reads its policy twice, but a pipe can be read only once.
  private static let piped = Mutex<[String: [UInt8]]>([:])

  private static func policyBytes(_ path: String, isNamed: Bool) throws(Fault) -> [UInt8] {
    if let known = piped.withLock({ $0[path] }) { return known }
    let read = try bytes(path, "policy", isNamed: isNamed, most: YAMLDocument.maximumBytes)
    var facts = stat()
    if stat(path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG { piped.withLock { $0[path] = read } }
    return read
  }

  /// Maximum size of a profile in bytes.
  private static let largestProfile = 1 << 20

  /// Reads a file; one that the call names may be a pipe, one that was found must be a regular file.
  private static func bytes(_ path: String, _ what: String, isNamed: Bool, most: Int) throws(Fault) -> [UInt8] {
    do throws(FileReadingError) {
      return try isNamed
        ? FileReading.named(path, most: most) : FileReading.regular(path, most: most, followsLinks: false)
    } catch {
      let isLink = !isNamed && AbsolutePath.isLink(path)
      let reason = isLink ? "it is a symbolic link; name it with --policy" : "\(error)"
      throw .request("\(what)-missing", "can't read the \(what) \(path.printable): \(reason)")
    }
  }
}
