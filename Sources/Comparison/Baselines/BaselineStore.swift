package import Core
internal import FoundationEssentials
internal import Glibc
package import RenderModel

/// A folder of baselines: a manifest for each, and the files they refer to, each once and named by its contents.
///
/// Two who record different creatives never touch the same file, so version control has nothing to merge.
package struct BaselineStore: Hashable, Sendable {
  /// Absolute.
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The folder that creatives' paths go from.
  package var parent: String { URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false) }

  private func manifestPath(_ key: BaselineKey) -> String { "\(path)/manifests/\(key.creative)/\(key.variant).json" }

  /// Where a file of this name and contents is.
  package func objectPath(_ name: String) -> String { "\(path)/objects/\(name.prefix(2))/\(name.dropFirst(2))" }

  /// Nil when nothing was recorded under the key.
  package func manifest(_ key: BaselineKey) throws(Fault) -> BaselineManifest? {
    guard let bytes = try StoredFile.read(manifestPath(key)) else { return nil }
    try DocumentVersion.check(bytes, of: manifestPath(key), remedy: "remove it and record the baseline anew")
    guard let manifest = try? JSONDecoder().decode(BaselineManifest.self, from: Data(bytes)),
      manifest.objects.allSatisfy(Self.isObjectName), manifest.screenshots.allSatisfy({ !$0.name.contains("/") })
    else { throw .request("baseline-broken", "\(manifestPath(key)) is no baseline") }
    return manifest
  }

  /// Names become paths, so they hold a hash and nothing else.
  private static func isObjectName(_ name: String) -> Bool {
    let stem = name.prefix { $0 != "." }
    return stem.utf8.count == 64 && stem.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  /// The contents that a name stands for.
  /// - Throws: a request's fault when the file is missing or has other contents.
  package func object(_ name: String) throws(Fault) -> [UInt8] {
    guard let bytes = try StoredFile.read(objectPath(name)) else {
      throw .request("baseline-incomplete", "\(objectPath(name)) is missing")
    }
    guard name.hasPrefix(Document.hash(of: bytes)) else {
      throw .request("baseline-broken", "\(objectPath(name)) isn't what was recorded")
    }
    return bytes
  }

  /// Keeps contents and returns their hash; what is there already isn't written again.
  package func keep(_ bytes: [UInt8], as fileExtension: String) throws(Fault) -> String {
    let hash = Document.hash(of: bytes)
    let file = objectPath("\(hash).\(fileExtension)")
    if try StoredFile.read(file) != bytes { try StoredFile.write(bytes, to: file) }
    return hash
  }

  /// Makes `manifest` the baseline of `key`; what it refers to has to be there.
  package func write(_ manifest: BaselineManifest, _ key: BaselineKey) throws(Fault) {
    let attributes = "\(path)/.gitattributes"
    // A line end that version control translates would be another file's.
    if try StoredFile.read(attributes) == nil { try StoredFile.write(Array("* -text\n".utf8), to: attributes) }
    let bytes = Document.bytes(manifest)
    if try StoredFile.read(manifestPath(key)) != bytes { try StoredFile.write(bytes, to: manifestPath(key)) }
  }

  /// Removes what was recorded under a key; files it referred to stay.
  package func remove(_ key: BaselineKey) throws(Fault) { try remove(manifestPath(key)) }

  func remove(_ path: String) throws(Fault) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw .engine("baseline-unwritable", "\(path) can't be removed")
    }
  }
}

extension BaselineStore {
  /// What drew a baseline.
  package func fingerprint(of manifest: BaselineManifest) throws(Fault) -> Fingerprint {
    let name = "\(manifest.fingerprint).json"
    guard let fingerprint = try? JSONDecoder().decode(Fingerprint.self, from: Data(try object(name))) else {
      throw .request("baseline-broken", "\(objectPath(name)) is no fingerprint")
    }
    return fingerprint
  }

  /// A baseline's event log, numbered anew.
  package func events(of manifest: BaselineManifest) throws(Fault) -> [Event] {
    let name = "\(manifest.events.sha256).ndjson"
    guard let events = NormalisedLog.events(try object(name)) else {
      throw .request("baseline-broken", "\(objectPath(name)) is no event log")
    }
    return events
  }
}

extension BaselineStore {
  /// A file that no manifest refers to.
  package struct Orphan: Hashable, Sendable {
    package let path: String
    package let bytes: Int
  }

  /// Whether anything was ever recorded here.
  package var exists: Bool { FileManager.default.fileExists(atPath: "\(path)/manifests") }

  /// Every baseline's key, sorted.
  package func keys() -> [BaselineKey] {
    Self.files(below: "\(path)/manifests").compactMap { file in
      let parts = file.split(separator: "/")
      guard parts.count > 1, let name = parts.last, name.hasSuffix(".json") else { return nil }
      return BaselineKey(
        creative: parts.dropLast().joined(separator: "/"), variant: String(name.dropLast(".json".count)))
    }.sorted()
  }

  /// Whether the creative a baseline is of is there still; always so for an address.
  package func hasCreative(_ manifest: BaselineManifest) -> Bool {
    manifest.source.contains("://") || FileManager.default.fileExists(atPath: "\(parent)/\(manifest.source)")
  }

  /// Files that none of these manifests refers to.
  package func orphans(of manifests: [BaselineManifest]) -> [Orphan] {
    let known = manifests.reduce(into: Set<String>()) { $0.formUnion($1.objects.map(objectPath)) }
    return Self.files(below: "\(path)/objects").map { "\(path)/objects/\($0)" }.filter { !known.contains($0) }.sorted()
      .map { Orphan(path: $0, bytes: Self.size($0)) }
  }

  package func remove(_ orphan: Orphan) throws(Fault) { try remove(orphan.path) }

  /// Bytes of all files.
  package var size: Int { Self.files(below: path).reduce(0) { $0 + Self.size("\(path)/\($1)") } }

  private static func size(_ path: String) -> Int {
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    return (facts?[.size] as? UInt64).map(Int.init) ?? 0
  }

  /// Paths below a folder; hidden files aren't ours, and links aren't followed.
  private static func files(below folder: String) -> [String] {
    var found: [String] = []
    var waiting = [""]
    while let name = waiting.popLast() {
      let entries = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? []
      for entry in entries where !entry.hasPrefix(".") {
        let path = name.isEmpty ? entry : "\(name)/\(entry)"
        let type = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")[.type] as? FileAttributeType
        if type == .typeDirectory { waiting.append(path) }
        if type == .typeRegular { found.append(path) }
      }
    }
    return found
  }
}

/// Files of a store, which came by way of version control and aren't trusted.
enum StoredFile {
  /// The most bytes read: a picture of the greatest size there is.
  private static let limit = 256 << 20

  /// Nil when there is no such file.
  /// - Throws: a request's fault when it isn't a readable file of bounded size.
  static func read(_ path: String) throws(Fault) -> [UInt8]? {
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .request("baseline-unreadable", "\(path) can't be read: \(String(cString: strerror(errno)))")
    }
    guard facts.st_mode & S_IFMT == S_IFREG, Int(facts.st_size) <= limit,
      let data = FileManager.default.contents(atPath: path)
    else { throw .request("baseline-unreadable", "\(path) can't be read") }
    if data.starts(with: Array("version https://git-lfs".utf8)) {
      throw .request("baseline-not-fetched", "\(path) is a pointer of Git LFS: fetch the files with 'git lfs pull'")
    }
    return Array(data)
  }

  /// Whole or not at all, with the folders on the way.
  static func write(_ bytes: [UInt8], to path: String) throws(Fault) {
    let file = URL(filePath: path)
    do {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file, options: .atomic)
    } catch {
      throw .engine("baseline-unwritable", "\(path) can't be written")
    }
  }
}
